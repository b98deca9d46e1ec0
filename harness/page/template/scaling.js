// scaling.js - what more parts gain: the speed-up of k parts over one against k, with n constant (strong) and
// with n / k constant (weak), between the bounds of their layouts

const SCALING = {
  strong: { size: p => sizeOf(p.row), title: 'Strong scaling' },
  weak: { size: p => sizeOf(p.one), title: 'Weak scaling' },
};

const scalingPoints = (problem, way) => data.scaling.filter(p => p.way === way && [problem.index, ...problem.copies].includes(cell.problem(p.row)));

// What is chosen, where that was measured in several parts; else the largest that was.
function scalingSize(points, size) {
  const sizes = points.map(size);
  return sizes.includes(state.n) ? state.n : sizes.reduce((most, n) => Math.max(most, n), 0);
}

// One part is the point at which every line begins.
function scalingCurves(points) {
  const found = new Map();
  for (const p of points) {
    const series = cell.series(p.row);
    if (!found.has(series)) found.set(series, [{ n: 1, row: { parts: 1, speedup: 1, lo: 1, hi: 1 } }]);
    found.get(series).push({ n: p.parts, row: p });
  }
  return [...found].map(([series, list]) => ({ series, points: list.sort((a, b) => a.n - b.n) }));
}

// The ideal, and 2k/3 where a scan has its parts in slices.
function scalingBounds(points) {
  const bounds = [{ name: 'k times one part', dash: 'solid', at: k => k }];
  if (points.some(p => p.layout === 'contiguous' && p.bound !== null && p.bound < p.parts)) {
    bounds.push({ name: 'bound of contiguous slices, 2k/3', dash: [6, 4], at: k => k === 1 ? 1 : 2 * k / 3 });
  }
  return bounds;
}

const partsScale = (parts, width) => {
  const scale = logScale(parts, wholeWords, { pad: 0.02 });
  return narrow(width) && parts.length > 8 ? scale : { ...scale, ticks: parts.map(Math.log10) };
};

const share = (value, of) => of ? digits(value / of * 100, 3) + '\u00a0%' : '';

const scalingColumns = size => [
  { name: 'plugin', words: p => breakable(nameOf(cell.series(p.row))) },
  { name: 'parts', number: true, words: p => wholeWords(p.parts) },
  { name: 'n', number: true, words: p => wholeWords(sizeOf(p.row)) },
  { name: 'n of one part', number: true, words: p => wholeWords(sizeOf(p.one)) },
  { name: 'layout', words: p => p.layout },
  { name: 'setting', words: p => settingWords(settingOf(p.row)) },
  { name: 'time', number: true, words: p => timeWords(cell.median_ns(p.row), 4) },
  { name: 'speed-up (95 % interval)', number: true, words: p => digits(p.speedup, 4) + (p.lo === null ? '' : ' (' + digits(p.lo, 3) + ' to ' + digits(p.hi, 3) + ')') },
  { name: 'efficiency', number: true, words: p => share(p.speedup, p.parts) },
  { name: '% of bound', number: true, words: p => share(p.speedup, p.bound) },
].filter(c => c.name !== 'n of one part' || size === SCALING.weak.size);

function showScalingWay(way) {
  const { size, title } = SCALING[way];
  const all = scalingPoints(state.problem, way), n = scalingSize(all, size), points = all.filter(p => size(p) === n);
  say('scaling-' + way, wholeWords(n) + ' elements');
  return showLines({
    id: 'scaling-' + way, title, problem: state.problem, curves: scalingCurves(points), log: true,
    value: p => p.speedup, low: p => p.lo, high: p => p.hi, words: ratioWords, axisWords: v => Number(v.toPrecision(3)).toLocaleString('en-US') + '×',
    across: 'parts', acrossNoun: ['number of parts', 'numbers of parts'], acrossWords: k => plural(k, 'part'), xScale: partsScale, bounds: scalingBounds(points),
    columns: scalingColumns(size), items: all,
  });
}

function showScaling() {
  const shown = Object.keys(SCALING).map(showScalingWay);
  byId('scaling').hidden = !shown.some(Boolean);
}
