// noise.js - how sure the numbers are: widths of the intervals, flags, circumstances

const noiseRows = problem => [...rowsBySeries(problem, 'run').values()].flatMap(bySize => [...bySize.values()].flat());

function showNoise() {
  const rows = noiseRows(state.problem);
  const shown = [showRounds(), showSpread(rows), showFlags(rows), showCircumstances(rows)];
  byId('noise').hidden = !shown.some(Boolean);
}

// Flags that cast doubt on the time of a row, and are about the row itself; the others are about the machine.
const OF_THE_ROW = ['noisy', 'spread', 'above_copy', 'device_exceeds_run', 'device_below_run', 'slow_copies', 'bad_time', 'unknown_phase', 'coarse_clock'];
const disturbances = row => flagsOf(row).split(';').map(flag => flag.split('=')[0]).filter(flag => data.flag_words[flag]?.disturbed && !OF_THE_ROW.includes(flag));
const disturbed = row => disturbances(row).length > 0;

function showSpread(all) {
  const rows = all.filter(row => halfWidth(row) > 0);
  if (rows.length < 3) {
    showFigure('spread', null);
    return false;
  }
  const groups = [
    { name: 'within 10 %', test: row => !disturbed(row) && halfWidth(row) <= 0.1, colour: 'series-1', marker: MARKERS[0] },
    { name: 'above 10 %', test: row => !disturbed(row) && halfWidth(row) > 0.1, colour: 'series-5', marker: MARKERS[3] },
    { name: 'the machine disturbed it', test: disturbed, colour: 'series-2', marker: MARKERS[2] },
  ].map(g => ({ ...g, rows: rows.filter(g.test) })).filter(g => g.rows.length);
  const percent = row => halfWidth(row) * 100;
  showFigure('spread', {
    height: width => narrow(width) || onPaper() ? 260 : 320,
    label: 'Half widths of ' + plural(rows.length, 'interval') + ': ' + listWords(groups.map(g => plural(g.rows.length, 'configuration') + ' ' + g.name)) + '.',
    points: rows.length,
    legend: groups.map(g => ({ name: g.name + ' (' + g.rows.length + ')', swatch: swatch({ marker: g.marker, colour: colour(g.colour) }, false) })),
    option: () => {
      const x = logScale(rows.map(cell.median_ns), axisTime), y = logScale([...rows.map(percent), 10], v => powerPercent(v));
      return {
        grid: { left: longest(y.ticks.map(y.words)) + 14, right: 14, top: 10, bottom: 40 },
        xAxis: axisOf(x, { splitLine: { show: false }, axisLine: { show: true, onZero: false, lineStyle: { color: colour('axis') } }, name: 'median time', nameLocation: 'middle', nameGap: 24, nameTextStyle: { color: colour('quiet'), fontSize: 12 } }),
        yAxis: axisOf(y),
        series: [
          ...groups.map(g => ({
            type: 'scatter', name: g.name, symbol: 'path://' + g.marker, symbolSize: rows.length > 400 ? 5 : 8, itemStyle: { color: colour(g.colour), opacity: rows.length > 100 ? 0.6 : 0.85 },
            large: rows.length > 6000, data: g.rows.map(row => ({ value: [x.to(cell.median_ns(row)), y.to(percent(row))], row })),
          })),
          ruleSeries({ at: 10, name: '10 %' }, x, y),
        ],
        tooltip: tooltip({ trigger: 'item', formatter: at => at.data?.row === undefined ? '' : rowTip(at.data.row) }),
      };
    },
    table: {
      caption: 'Widths of the intervals, widest first', items: [...rows].sort((a, b) => halfWidth(b) - halfWidth(a)),
      columns: keep([rowColumns.plugin, rowColumns.n, rowColumns.rows, rowColumns.inner, rowColumns.setting, rowColumns.time, rowColumns.half, { name: 'rounds', number: true, words: row => cell.rounds(row) === null ? '' : String(cell.rounds(row)) }, rowColumns.flags], rows),
    },
  });
  return true;
}

const powerPercent = v => axisNumber(v) + '\u00a0%';

function showFlags(rows) {
  const found = new Map(); // flag -> rows
  for (const row of rows) {
    for (const flag of new Set(flagsOf(row).split(';').filter(Boolean).map(f => f.split('=')[0]))) {
      if (!found.has(flag)) found.set(flag, []);
      found.get(flag).push(row);
    }
  }
  const items = [...found].map(([flag, of]) => ({ flag, of })).sort((a, b) => b.of.length - a.of.length);
  const plugins = of => [...new Set(of.map(row => nameOf(cell.series(row))))];
  showFigure('flags', items.length ? {
    open: true,
    table: {
      caption: 'Flags of ' + plural(rows.length, 'configuration') + ' (the rows of run)', items,
      columns: [
        { name: 'flag', words: i => element('code', { class: 'whole' }, i.flag) },
        { name: 'what it says', words: i => data.flag_words[i.flag]?.means ?? '' },
        { name: 'configurations', number: true, words: i => wholeWords(i.of.length) },
        { name: 'of', words: i => foldedNames(plugins(i.of)) },
      ],
    },
  } : null);
  return items.length > 0;
}

// The least and the largest of each, over the rows.
function showCircumstances(rows) {
  const range = (name, value, words) => {
    const known = rows.map(value).filter(v => v !== null);
    if (!known.length) return null;
    const [lo, hi] = extremes(known);
    return { name, words: words(lo) === words(hi) ? words(lo) : words(lo) + ' to ' + words(hi) };
  };
  const whole = unit => v => wholeWords(v) + unit;
  const reasons = [...new Set(rows.map(row => data.throttles?.[cell.throttle(row)]).filter(t => t && t !== 'none').flatMap(t => t.split(';')))];
  const items = [
    range('rounds', cell.rounds, whole('')),
    range('samples', cell.samples, whole('')),
    range("clock of the processor's core", cell.cpu_mhz, whole(' MHz')),
    range('clock of the device', row => !data.series[cell.series(row)].accelerator ? null : cell.clock_mhz(row), whole(' MHz')),
    range('load of the machine', cell.load, v => digits(v, 2)),
    range('time stolen by the hypervisor', cell.steal_pct, v => v === 0 ? '0 %' : percentWords(v)),
    range('involuntary switches', cell.involuntary_switches, whole('')),
    range('page faults', cell.page_faults, whole('')),
    range('highest temperature of the GPU', cell.gpu_temperature_c, whole(' °C')),
    range('other processes on the GPU', cell.gpu_processes, whole('')),
    reasons.length ? { name: 'why the GPU lowered its clock', words: reasons.join(', ') } : null,
  ].filter(Boolean);
  showFigure('circumstances', items.length ? {
    open: true,
    table: { caption: 'Over all rows of run', items, columns: [{ name: 'circumstance', words: i => i.name }, { name: 'least to largest', number: true, words: i => i.words }] },
  } : null);
  return items.length > 0;
}
