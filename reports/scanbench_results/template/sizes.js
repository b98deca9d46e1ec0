// sizes.js - what is plotted against n: time, bandwidth, share of the copy, speedup, error

const curveColumns = () => {
  const columns = [rowColumns.plugin, rowColumns.n, rowColumns.rows, rowColumns.inner, rowColumns.setting];
  if (new Set(data.phases).size > 1 && state.clock !== 'run') columns.push(rowColumns.phase);
  return columns;
};

const keep = (columns, rows) => columns.filter((c, i) => i < 2 || rows.some(row => c.words(row) !== ''));

const inRows = problem => SWEEP.some(name => problem[name] !== undefined);

function showSizes() {
  say('against', inRows(state.problem) ? 'Against the length of a row' : 'Against the number of elements');
  say('elements', wholeWords(state.problem.elements ?? 0));
  byId('sizes-elements').hidden = !state.problem.elements;
  const found = curves(state.problem, state.clock);
  const rows = found.flatMap(c => c.points.map(p => p.row));
  const base = { problem: state.problem, curves: found, log: true };
  const bandwidthOf = (row, ns) => ns === null || !ns ? null : (bytesPerSecond(row) ?? 0) * cell.median_ns(row) / ns || null;
  const shown = [
    showLines({
      ...base, id: 'time', title: 'Time against n', value: cell.median_ns, low: cell.ci_lo_ns, high: cell.ci_hi_ns,
      words: ns => timeWords(ns, 4), axisWords: axisTime, ascending: true,
      columns: keep([...curveColumns(), rowColumns.time, rowColumns.interval, rowColumns.flags], rows),
    }),
    showLines({
      ...base, id: 'bandwidth', title: 'Bandwidth against n', value: bytesPerSecond,
      low: row => bandwidthOf(row, cell.ci_hi_ns(row)), high: row => bandwidthOf(row, cell.ci_lo_ns(row)),
      words: bytes => gigaWords(bytes), axisWords: bytes => axisNumber(bytes / 1e9) + '\u00a0GB/s',
      columns: keep([...curveColumns(), rowColumns.bandwidth, rowColumns.half], rows),
    }),
    showLines({
      ...base, id: 'copy', title: 'Percent of the copy against n', value: cell.pct_copy, low: cell.pct_copy_lo, high: cell.pct_copy_hi,
      words: percentWords, axisWords: v => axisNumber(v) + '\u00a0%', log: false, from: 0, ceilings: false, rule: { at: 100, name: 'the copy' },
      columns: keep([...curveColumns(), ratioInterval('% of copy (95 % interval)', 'pct_copy', 'pct_copy_lo', 'pct_copy_hi'), rowColumns.copyOf], rows),
    }),
  ];
  byId('sizes').hidden = !shown.some(Boolean);
}

function showSpeedups() {
  const baseline = data.series.find(s => s.role === 'baseline')?.plugin ?? 'the baseline';
  say('baseline', baseline);
  const shown = ['run', 'e2e'].map(phase => {
    const found = curves(state.problem, phase).filter(c => data.series[c.series].role !== 'baseline');
    const rows = found.flatMap(c => c.points.map(p => p.row));
    const crossings = data.crossovers.filter(c => cell.problem(c.row) === state.problem.index && c.phase === phase).map(c => ({ ...c, n: c.near, series: cell.series(c.row) }));
    return showLines({
      id: 'speedup-' + phase, title: 'Speedup over ' + baseline + (phase === 'run' ? ', without copies' : ', with copies'),
      problem: state.problem, curves: found, value: cell.speedup, low: cell.speedup_lo, high: cell.speedup_hi,
      words: ratioWords, axisWords: axisRatio, log: true, ceilings: false,
      rule: { at: 1, name: baseline, below: true }, marks: crossings, note: crossingsNote(crossings, baseline),
      columns: keep([...curveColumns(), ratioInterval('speedup (95 % interval)', 'speedup', 'speedup_lo', 'speedup_hi'), rowColumns.time], rows),
    });
  });
  byId('speedups').hidden = !shown.some(Boolean);
}

function crossingsNote(crossings, baseline) {
  if (!crossings.length) return null;
  const spec = {
    caption: 'Where lines cross', summary: 'Where lines cross', page: 12,
    items: [...crossings].sort((a, b) => a.near - b.near),
    columns: [
      { name: 'plugin', words: c => breakable(nameOf(c.series)) },
      { name: 'what it does', words: c => (c.gains ? 'overtakes ' : 'falls behind ') + baseline },
      { name: 'after n =', number: true, words: c => wholeWords(c.from) },
      { name: 'up to n =', number: true, words: c => wholeWords(c.to) },
      { name: 'near', number: true, words: c => wholeWords(Number(c.near.toPrecision(2))) },
      { name: 'how sure', words: c => html('<span class="tag ' + (c.certain ? 'certain">certain' : 'unknown">by medians alone') + '</span>') },
    ],
  };
  const folded = foldedTable(spec);
  if (crossings.length <= MOST_NAMES || onPaper() || !narrow(window.innerWidth)) {
    folded.append(tableOf(spec));
    folded.open = true;
  }
  return folded;
}

function showErrors() {
  const found = curves(state.problem, 'run').filter(c => !isCeiling(c.series))
    .map(c => ({ series: c.series, points: c.points.filter(p => cell.max_rel_error(p.row) !== null) })).filter(c => c.points.length);
  const rows = found.flatMap(c => c.points.map(p => p.row));
  const exact = found.filter(c => c.points.every(p => cell.max_rel_error(p.row) === 0)).map(c => nameOf(c.series));
  const wrong = rows.some(row => cell.max_rel_error(row) > 0);
  const columns = [rowColumns.plugin, rowColumns.n, rowColumns.setting, { name: 'largest error', number: true, words: row => scientific(cell.max_rel_error(row), 3) }];
  const note = exact.length ? element('p', { class: 'note' }, 'No error at all, and so no line: ', foldedNames(exact), '.') : null;
  byId('errors').hidden = !rows.length && !accuracyRows().length;
  const plotted = wrong && showLines({
    id: 'error', title: 'Largest error against n', problem: state.problem, curves: found, value: cell.max_rel_error, words: v => scientific(v, 3), axisWords: scientific,
    log: true, ceilings: false, columns, note,
  });
  if (!plotted) showFigure('error', rows.length ? { note, open: true, table: { caption: 'Largest error', columns: keep(columns, rows), items: rows } } : null);
}
