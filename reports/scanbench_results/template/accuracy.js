// accuracy.js - speed against accuracy: what a plugin's sums are off, and what it costs to be nearer

const accurateOf = row => settingOf(row).params.match(/(?:^|;)accurate=([^;]*)/)?.[1] ?? '';

// Of each plugin the fastest row at the chosen n, for each value of its tunable `accurate`; those of the fastest plugin first.
function accuracyRows() {
  const rows = [];
  if (state.problem.op !== 'sum') return rows;
  for (const [series, bySize] of rowsBySeries(state.problem, 'run')) {
    const settings = new Map(); // by the value of `accurate`
    for (const row of bySize.get(sizeOfSeries(state.problem, series, state.n)) ?? []) {
      if (!isCeiling(series) && cell.max_ulps(row) !== null) settings.set(accurateOf(row), [...settings.get(accurateOf(row)) ?? [], row]);
    }
    rows.push(...[...settings.values()].map(fastest));
  }
  return rows.sort((a, b) => cell.median_ns(a) - cell.median_ns(b));
}

// One plugin's points are joined, as they are steps of one choice.
function accuracySeries(rows, x, y, speed) {
  const bySeries = new Map();
  for (const row of rows) bySeries.set(cell.series(row), [...bySeries.get(cell.series(row)) ?? [], row]);
  return [...bySeries].map(([series, of]) => {
    const look = lookOf(series);
    return {
      type: 'line', name: look.name, symbol: 'path://' + look.marker, symbolSize: 11, showAllSymbol: true, color: look.colour,
      lineStyle: { width: 1.25, color: look.colour, opacity: 0.5 },
      data: of.map(row => ({ value: [x.to(cell.max_ulps(row)), y.to(speed(row))], row })),
      label: { show: true, position: 'top', distance: 7, color: colour('ink'), fontSize: 12, formatter: look.name },
      labelLayout: { hideOverlap: true },
    };
  });
}

function showAccuracy() {
  const rows = accuracyRows(), drawn = rows.filter(row => cell.max_ulps(row) > 0);
  const exact = rows.filter(row => cell.max_ulps(row) === 0);
  if (!rows.length) {
    showFigure('accuracy', null);
    return;
  }
  const ofCopy = drawn.every(row => cell.pct_copy(row) !== null);
  const speed = ofCopy ? cell.pct_copy : row => bytesPerSecond(row) / 1e9;
  const unit = ofCopy ? '% of the copy' : 'GB/s';
  const ulps = { name: 'max ulps', number: true, words: row => digits(cell.max_ulps(row), 3) };
  const spec = {
    note: exact.length ? element('p', { class: 'note' }, 'No error at all, and so no mark: ', foldedNames([...new Set(exact.map(row => nameOf(cell.series(row))))]), '.') : null,
    table: {
      caption: 'Speed against accuracy at ' + chosenWords() + ', ' + problemWords(state.problem), items: rows,
      columns: keep([rowColumns.plugin, rowColumns.setting, rowColumns.time, rowColumns.bandwidth, rowColumns.copy, ulps], rows),
    },
  };
  if (drawn.length < 2) {
    showFigure('accuracy', { ...spec, open: true });
    return;
  }
  showFigure('accuracy', {
    ...spec,
    height: width => narrow(width) || onPaper() ? 260 : 320,
    label: 'Speed against the largest error in ulps at ' + chosenWords() + ': ' + drawn.slice(0, 5).map(row =>
      plugin(row).replaceAll(/<[^>]*>/g, '') + ' ' + digits(speed(row), 3) + ' ' + unit + ', ' + ulps.words(row) + ' ulps').join('; ') + (drawn.length > 5 ? '; and more.' : '.'),
    points: drawn.length,
    option: () => {
      const x = logScale([0.5, ...drawn.map(cell.max_ulps)], v => axisNumber(v), { pad: 0.1 }), y = linearScale(drawn.map(speed), v => axisNumber(v), { from: 0 });
      const title = (name, more) => ({ name, nameLocation: 'middle', nameTextStyle: { color: colour('quiet'), fontSize: 12 }, ...more });
      return {
        grid: { left: longest(y.ticks.map(y.words)) + 30, right: 20, top: 22, bottom: 40 },
        xAxis: axisOf(x, { splitLine: { show: false }, axisLine: { show: true, onZero: false, lineStyle: { color: colour('axis') } }, ...title('largest error, in units of the last place', { nameGap: 24 }) }),
        yAxis: axisOf(y, title(unit, { nameGap: longest(y.ticks.map(y.words)) + 12 })),
        series: accuracySeries(drawn, x, y, speed),
        tooltip: tooltip({ trigger: 'item', formatter: at => at.data?.row === undefined ? '' : rowTip(at.data.row) }),
      };
    },
  });
}
