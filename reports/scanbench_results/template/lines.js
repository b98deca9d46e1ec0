// lines.js - plots against n: a line and markers for each series, a band for its intervals, and its name
// at the end of the line where there is room

const MOST_LINES = 200;
const MOST_STRONG = 12; // plugins in a plot; of more, the best few have lines of their own, and the others are grey
const LABEL_HEIGHT = 15;
const MOST_TICKS = 8;

const lookIn = (spec, series) => (spec.look || lookOf)(series);

// spec: {id, problem, phase, value(row), low(row), high(row), words(value), log, from, rule: {at, name},
// marks: [{n, series}], title, columns, ceilings}; instead of n across: {across: its name, xScale(values, width),
// acrossWords(value), acrossNoun, least: where the axis begins}; ticks: values that the other axis shows, too;
// bounds: [{name, dash, at(value)}], lines without markers; look(series): how lines are drawn, if not as everywhere;
// items: the table's, if they are not the rows of the lines
function showLines(spec) {
  const known = row => {
    const value = spec.value(row);
    return value !== null && Number.isFinite(value) && (!spec.log || value > 0);
  };
  let drawn = spec.curves
    .filter(c => spec.ceilings !== false || !isCeiling(c.series))
    .map(c => ({ series: c.series, points: c.points.filter(p => known(p.row)) }))
    .filter(c => c.points.length);
  const sizes = [...new Set([...drawn.flatMap(c => c.points.map(p => p.n)), ...(spec.least ? [spec.least] : [])])].sort(ascending);
  if (sizes.length < 2) {
    showFigure(spec.id, null);
    return false;
  }
  drawn.sort((a, b) => lookIn(spec, a.series).rank - lookIn(spec, b.series).rank);
  const all = drawn;
  drawn = drawn.slice(0, MOST_LINES);
  const strong = strongOf(drawn.map(c => c.series)), isStrong = c => strong.has(c.series);
  const rows = drawn.flatMap(c => c.points.map(p => p.row));
  const xScale = width => spec.xScale?.(sizes, width) ?? logScale(sizes, powerWords, { pad: 0.02, most: narrow(width) ? 7 : 10 });
  const values = rows.flatMap(row => [spec.value(row), spec.low?.(row) ?? spec.value(row), spec.high?.(row) ?? spec.value(row)]);
  if (spec.rule) values.push(spec.rule.at);
  const bounds = (spec.bounds || []).map(b => ({ ...b, points: sizes.map(n => [n, b.at(n)]) }));
  values.push(...bounds.flatMap(b => b.points.map(([, value]) => value)));
  const y = spec.log ? logScale(values.filter(v => v > 0), spec.axisWords || spec.words) : linearScale(values, spec.axisWords || spec.words, { from: spec.from ?? null });
  if (spec.ticks) y.ticks = withTicks(y, spec.ticks.map(y.to));
  const left = all.length > drawn.length
    ? element('p', { class: 'note' }, 'The plot has the first ' + drawn.length + ' of ' + all.length + ' lines; the table has all.') : null;
  showFigure(spec.id, {
    height: width => narrow(width) || onPaper() ? 300 : Math.max(400, Math.min(560, 17 * strong.size + 80)),
    label: spec.title + ': ' + plural(drawn.length, 'line') + ' over ' + plural(sizes.length, ...(spec.acrossNoun || ['size'])) + '; the table below has the numbers.',
    points: rows.length,
    legend: [
      ...(spec.look ? drawn.filter(isStrong).map(c => lineEntry(spec.look(c.series), c.series)) : legendEntries(drawn.filter(isStrong).map(c => c.series))),
      ...(bounds.length ? [null, ...bounds.map(b => ({ name: b.name, swatch: () => swatch(boundLook(b)) }))] : []),
    ],
    faint: drawn.filter(c => !isStrong(c)).map(c => pickOf(c.series)),
    note: spec.note || left,
    option: (width, height) => linesOption(spec, drawn.filter(c => !hidden.has(c.series)), { x: xScale(width), y, sizes, bounds, width, height, isStrong }),
    table: {
      caption: spec.title, columns: spec.columns,
      items: spec.items || all.flatMap(c => c.points.map(p => p.row)),
    },
  });
  return true;
}

// Those of the axis as well, where there is room.
function withTicks(axis, wanted) {
  const both = [...new Set([...wanted, ...axis.ticks])].sort(ascending);
  return both.length <= MOST_TICKS ? both : wanted;
}

// Of a line that several series make, all are hidden together.
const lineEntry = (look, series) => ({ name: look.name, swatch: () => swatch(look), series: look.series || [series], plugin: isCeiling(series) ? '' : shortName(series) });

// ---- many lines: the best are drawn as such, the others grey --------------------------------------

const pickOf = series => ({ name: shortName(series), plugin: shortName(series) });

// The series to be seen: the plugin that the reader picked, where it has a line here; else all, or of many plugins the
// best. Copies are limits, and always to be seen.
function strongOf(list) {
  const scans = list.filter(s => !isCeiling(s)), copies = list.filter(isCeiling);
  const picked = scans.filter(s => shortName(s) === state.only);
  if (picked.length) return new Set([...picked, ...copies]);
  const names = [...new Set(scans.map(shortName))];
  const best = new Set(names.length > MOST_STRONG ? names.slice(0, COLOURED) : names);
  return new Set([...scans.filter(s => best.has(shortName(s))), ...copies]);
}

function linesOption(spec, drawn, { x, y, sizes, bounds, width, height, isStrong }) {
  const strong = drawn.filter(isStrong);
  const labels = !narrow(width) && strong.length * LABEL_HEIGHT <= height - 60;
  const grid = { left: longest(y.ticks.map(y.words)) + 14, right: labels ? Math.min(230, 24 + longest(strong.map(c => lookIn(spec, c.series).name))) : 14, top: 14, bottom: 40, containLabel: false };
  const markers = sizes.length <= 40;
  const series = drawn.filter(c => !isStrong(c)).map(c => faintSeries(c, spec, x, y));
  for (const c of strong) {
    const look = lookIn(spec, c.series);
    const banded = strong.length <= 12 || look.colour !== colour('other'); // many bands would cover the lines
    for (const band of banded ? bandsOf(c, spec, x, y) : []) series.push(bandSeries(band, look));
    series.push({
      type: 'line', name: look.name, z: look.ceiling ? 2 : 10 - Math.min(8, look.rank),
      data: c.points.map(p => ({ value: [x.to(p.n), y.to(spec.value(p.row))], row: p.row })),
      symbol: 'path://' + look.marker, symbolKeepAspect: true, symbolSize: markers ? 7.5 : 0, showSymbol: markers, sampling: sizes.length > 2000 ? 'lttb' : undefined,
      lineStyle: { color: look.colour, width: look.width, type: look.dash, cap: 'butt' }, itemStyle: { color: look.colour, opacity: 1 },
      emphasis: { focus: 'none', scale: 1.4, lineStyle: { width: look.width + 1 } },
    });
  }
  for (const bound of bounds) series.push(boundSeries(bound, x, y));
  if (spec.rule) series.push(ruleSeries(spec.rule, x, y));
  if (spec.marks) series.push(ringSeries(spec.marks.filter(m => strong.some(c => c.series === m.series)), x, y));
  return {
    grid, series,
    xAxis: axisOf(x, { splitLine: { show: false }, axisLine: { show: true, onZero: false, lineStyle: { color: colour('axis') } }, axisTick: { show: true, customValues: x.ticks, lineStyle: { color: colour('axis') } }, name: spec.across || (inRows(state.problem) ? 'n, the length of a row' : 'n'), nameLocation: 'middle', nameGap: 24, nameTextStyle: { color: colour('quiet'), fontSize: 12, fontStyle: 'italic' } }),
    yAxis: axisOf(y),
    graphic: labels ? endLabels(spec, strong, { x, y, grid, width, height }) : [],
    tooltip: tooltip({
      trigger: 'axis', axisPointer: { type: 'line', snap: true, lineStyle: { color: colour('axis') }, label: { show: false } },
      formatter: at => linesTip(spec, drawn, x, sizes, at[0]?.axisValue ?? 0, isStrong),
    }),
  };
}

// A line in the background.
function faintSeries(curve, spec, x, y) {
  return {
    type: 'line', silent: true, symbol: 'none', z: 1, tooltip: { show: false }, data: curve.points.map(p => [x.to(p.n), y.to(spec.value(p.row))]),
    lineStyle: { color: colour('other'), width: 1, opacity: 0.45 },
  };
}

// Stretches of a curve whose points have intervals.
function bandsOf(curve, spec, x, y) {
  const bands = [];
  let band = [];
  for (const { n, row } of curve.points) {
    const lo = spec.low?.(row) ?? null, hi = spec.high?.(row) ?? null;
    if (lo !== null && hi !== null && (!spec.log || lo > 0)) band.push([x.to(n), y.to(lo), y.to(hi)]);
    else {
      bands.push(band);
      band = [];
    }
  }
  bands.push(band);
  return bands.filter(b => b.length > 1);
}

function bandSeries(band, look) {
  return {
    type: 'custom', silent: true, z: 1, data: [band[0]], tooltip: { show: false }, clip: true,
    renderItem: (params, api) => ({
      type: 'polygon',
      shape: { points: [...band.map(([at, lo]) => api.coord([at, lo])), ...band.map(([at, , hi]) => api.coord([at, hi])).reverse()] },
      style: { fill: look.colour, opacity: look.ceiling ? 0.12 : 0.18 },
    }),
  };
}

function ruleSeries(rule, x, y) {
  return {
    type: 'line', silent: true, symbol: 'none', z: 1, data: [[x.min, y.to(rule.at)], [x.max, y.to(rule.at)]],
    lineStyle: { color: colour('quiet'), width: 1 }, tooltip: { show: false },
    markPoint: {
      silent: true, symbol: 'circle', symbolSize: 0.01, data: [{ coord: [x.min, y.to(rule.at)], value: rule.name }],
      label: { formatter: rule.name, position: 'right', offset: [2, rule.below ? 10 : -10], color: colour('quiet'), fontSize: 12, backgroundColor: colour('ground'), padding: [1, 3] },
    },
  };
}

const boundLook = bound => ({ colour: colour('quiet'), width: 1, dash: bound.dash, marker: '' });

function boundSeries(bound, x, y) {
  const look = boundLook(bound);
  return {
    type: 'line', silent: true, symbol: 'none', z: 1, data: bound.points.map(([at, value]) => [x.to(at), y.to(value)]),
    lineStyle: { color: look.colour, width: look.width, type: look.dash }, tooltip: { show: false },
  };
}

function ringSeries(marks, x, y) {
  return {
    type: 'scatter', silent: true, z: 20, symbol: 'circle', symbolSize: 13, tooltip: { show: false },
    data: marks.map(m => ({ value: [x.to(m.n), y.to(1)], itemStyle: { color: 'transparent', borderColor: lookOf(m.series).colour, borderWidth: 2 } })),
  };
}

let measuring = null;
function textWidth(text) {
  measuring = measuring || document.createElement('canvas').getContext('2d');
  measuring.font = '12px ' + getComputedStyle(document.body).fontFamily;
  return measuring.measureText(text).width;
}
const longest = names => names.reduce((most, name) => Math.max(most, textWidth(name)), 0);

// Names beside the last points, moved apart where they would lie on each other, with thin leaders.
function endLabels(spec, drawn, { x, y, grid, width, height }) {
  const high = height - grid.top - grid.bottom, wide = width - grid.left - grid.right;
  const across = n => grid.left + (x.to(n) - x.min) / (x.max - x.min) * wide;
  const down = value => grid.top + (y.max - y.to(value)) / (y.max - y.min) * high;
  const labels = drawn.map(c => {
    const last = c.points[c.points.length - 1];
    return { look: lookIn(spec, c.series), from: [across(last.n), down(spec.value(last.row))], at: down(spec.value(last.row)) };
  }).sort((a, b) => a.at - b.at);
  spread(labels, LABEL_HEIGHT, grid.top, grid.top + high);
  return labels.flatMap(l => [
    {
      type: 'polyline', silent: true, z: 0,
      shape: { points: [[l.from[0] + 6, l.from[1]], [width - grid.right + 6, l.at], [width - grid.right + 14, l.at]] },
      style: { stroke: l.look.colour, lineWidth: 0.75, opacity: 0.5, fill: 'none' },
    },
    {
      type: 'text', silent: true, x: width - grid.right + 18, y: l.at,
      style: { text: l.look.name, fontFamily: getComputedStyle(document.body).fontFamily, fill: l.look.ceiling ? colour('quiet') : l.look.colour === colour('other') ? colour('quiet') : l.look.colour, fontSize: 12, verticalAlign: 'middle', width: grid.right - 20, overflow: 'truncate' },
    },
  ]);
}

// Moves sorted positions `at` so that neighbours are `gap` apart, as little as possible, within [lo, hi].
function spread(labels, gap, lo, hi) {
  for (let pass = 0; pass < 200; pass++) {
    let moved = false;
    for (let i = 1; i < labels.length; i++) {
      const overlap = gap - (labels[i].at - labels[i - 1].at);
      if (overlap > 0.1) {
        labels[i].at += overlap / 2;
        labels[i - 1].at -= overlap / 2;
        moved = true;
      }
    }
    for (const l of labels) l.at = Math.max(lo, Math.min(hi, l.at));
    if (!moved) break;
  }
  for (let i = 1; i < labels.length; i++) labels[i].at = Math.max(labels[i].at, labels[i - 1].at + gap);
  const over = labels.length ? labels[labels.length - 1].at - hi : 0;
  if (over > 0) for (let i = labels.length - 1, last = hi; i >= 0; i--, last -= gap) labels[i].at = Math.min(labels[i].at, last);
}

// The series that are to be seen at the size nearest to the pointer, in the order of the plot.
function linesTip(spec, drawn, x, sizes, at, isStrong) {
  let n = sizes[0];
  for (const size of sizes) if (Math.abs(x.to(size) - at) < Math.abs(x.to(n) - at)) n = size;
  const there = drawn.filter(c => c.points.some(p => p.n === n)), faint = there.filter(c => !isStrong(c)).length;
  const found = there.filter(isStrong).map(c => ({ look: lookIn(spec, c.series), point: c.points.find(p => p.n === n) }))
    .sort((a, b) => (spec.ascending ? 1 : -1) * (spec.value(a.point.row) - spec.value(b.point.row))).slice(0, 24);
  return '<b>' + (spec.acrossWords?.(n) ?? 'n = ' + wholeWords(n) + shapeWordsAt(state.problem, n)) + '</b><table>' + found.map(f => {
    const lo = spec.low?.(f.point.row) ?? null, hi = spec.high?.(f.point.row) ?? null;
    return '<tr><td>' + swatch(f.look, false) + escaped(f.look.name) + '</td><td><b>' + escaped(spec.words(spec.value(f.point.row))) + '</b></td><td>' +
      (lo === null ? '' : escaped(spec.words(lo) + ' to ' + spec.words(hi))) + '</td></tr>';
  }).join('') + '</table>' + (faint ? '<div>and ' + wholeWords(faint) + ' grey ' + (faint === 1 ? 'line' : 'lines') + '</div>' : '');
}
