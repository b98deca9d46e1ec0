// rounds.js - the distribution of the rounds of each plugin at one size: a dot for each round, about the median

const LINEAR = 0.5; // percent: up to there the axis is about linear, beyond it logarithmic, as some rounds take ten times as long

// The rounds of a row that have a value, over its median, minus 1, in percent; null where the file does not have them.
const deviationsOf = row => cell.deviations(row)?.map(d => d / 100) ?? null;

function quantile(sorted, share) {
  const at = (sorted.length - 1) * share, i = Math.floor(at);
  return sorted[i] + (sorted[Math.min(i + 1, sorted.length - 1)] - sorted[i]) * (at - i);
}

function showRounds() {
  const all = rankedRows().filter(row => deviationsOf(row)), rows = all.slice(0, MOST_RANKED);
  const values = rows.flatMap(deviationsOf);
  if (values.length < 2) {
    showFigure('distribution', null);
    return false;
  }
  showFigure('distribution', {
    height: () => rows.length * 25 + 56,
    label: 'The rounds of ' + plural(rows.length, 'plugin') + ' at ' + chosenWords() + ', in percent from the median of each; the table below has the numbers.',
    points: values.length,
    note: all.length > rows.length ? element('p', { class: 'note' }, 'The fastest ' + rows.length + ' of ' + all.length + '; the table has all.') : null,
    option: width => roundsOption(rows, values, width),
    table: { caption: 'The rounds at ' + chosenWords() + ', from the median of each', items: all, columns: roundsColumns() },
  });
  return true;
}

const signedPercent = value => (value > 0 ? '+' : value < 0 ? '−' : '') + digits(Math.abs(value), 2) + '\u00a0%';

function roundsColumns() {
  const at = (name, share) => ({ name, number: true, words: row => signedPercent(quantile([...deviationsOf(row)].sort(ascending), share)) });
  return [
    rowColumns.plugin, rowColumns.setting, rowColumns.time, { name: 'rounds', number: true, words: row => wholeWords(deviationsOf(row).length) },
    at('least', 0), at('first quartile', 0.25), at('third quartile', 0.75), at('largest', 1), rowColumns.half,
  ];
}

function roundsScale(values, width) {
  const to = value => Math.sign(value) * Math.log10(1 + Math.abs(value) / LINEAR);
  const [least, largest] = extremes([...values, -1, 1]), most = narrow(width) ? 5 : 11;
  const powers = [1, 10, 100, 1000, 1e4, 1e5, 1e6], between = powers.flatMap(p => [p, 3 * p]);
  const within = sizes => [0, ...sizes.flatMap(v => [-v, v])].filter(v => v >= least && v <= largest).sort(ascending);
  const ticks = within(between).length <= most ? within(between) : within(powers);
  const pad = (to(largest) - to(least)) * 0.03, words = new Map(ticks.map(v => [to(v), v === 0 ? (narrow(width) ? '0' : 'median') : (v > 0 ? '+' : '−') + axisNumber(Math.abs(v)) + '\u00a0%']));
  return { min: to(least) - pad, max: to(largest) + pad, ticks: ticks.map(to), to, words: at => words.get(at) ?? '' };
}

function roundsOption(rows, values, width) {
  const looks = rows.map(row => lookOf(cell.series(row))), x = roundsScale(values, width), slim = narrow(width);
  const names = Math.min(longest(looks.map(l => l.name)) + 16, slim ? 130 : 320);
  const right = row => plural(deviationsOf(row).length, 'round');
  const dots = rows.flatMap((row, y) => deviationsOf(row).map((value, i) => ({
    value: [x.to(value), y + ((i * 0.618034) % 1 - 0.5) * 0.5], row, itemStyle: { color: looks[y].colour }, // beside each other, in no order
  })));
  const lines = (words, more) => ({
    type: 'value', inverse: true, min: -0.6, max: rows.length - 0.4, axisTick: { show: false, customValues: rows.map((_, y) => y) }, axisLine: { show: false }, splitLine: { show: false },
    axisLabel: { customValues: rows.map((_, y) => y), formatter: y => words(y), fontSize: 12, hideOverlap: false, color: colour('ink'), ...more },
  });
  return {
    grid: { left: names, right: longest(rows.map(right)) + 18, top: 6, bottom: 34, containLabel: false },
    xAxis: axisOf(x),
    yAxis: [lines(y => looks[y]?.name ?? '', { width: names - 12, overflow: 'truncate' }), { ...lines(y => rows[y] === undefined ? '' : right(rows[y]), { color: colour('quiet') }), position: 'right' }],
    series: [
      {
        type: 'custom', silent: true, z: 2, clip: true, tooltip: { show: false }, data: rows.map((_, y) => [0, y]),
        renderItem: (params, api) => {
          const row = rows[params.dataIndex], median = cell.median_ns(row), of = ns => x.to((ns / median - 1) * 100);
          const from = api.coord([of(cell.ci_lo_ns(row) ?? median), params.dataIndex]), to = api.coord([of(cell.ci_hi_ns(row) ?? median), params.dataIndex]);
          return { type: 'line', shape: { x1: from[0], y1: from[1], x2: to[0], y2: to[1] }, style: { stroke: looks[params.dataIndex].colour, lineWidth: 14, opacity: 0.22 } };
        },
      },
      { type: 'scatter', z: 4, symbol: 'circle', symbolSize: 4.5, itemStyle: { opacity: 0.7 }, data: dots },
      { type: 'line', silent: true, symbol: 'none', z: 1, data: [[0, -0.6], [0, rows.length - 0.4]], lineStyle: { color: colour('quiet'), width: 1 }, tooltip: { show: false } },
    ],
    tooltip: tooltip({ trigger: 'item', formatter: at => at.data?.row === undefined ? '' : rowTip(at.data.row) }),
  };
}
