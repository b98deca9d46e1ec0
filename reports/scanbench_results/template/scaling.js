// scaling.js - what more parts gain: the speed-up of k parts over one against k, with n constant (strong) and
// with n / k constant (weak), between the bounds of their layouts

const SCALING = {
  strong: { size: p => sizeOf(p.row), title: 'Strong scaling' },
  weak: { size: p => p.n_of_one, title: 'Weak scaling' },
};

const scalingPoints = (problem, way) => data.scaling.filter(p => p.way === way && [problem.index, ...problem.copies].includes(cell.problem(p.row)));

// The n that is chosen, if it was measured in several parts; else, of those measured in the most numbers of parts,
// the largest.
function scalingSize(points, size) {
  const parts = new Map();
  for (const p of points) parts.set(size(p), (parts.get(size(p)) || new Set()).add(p.parts));
  if (parts.has(state.n)) return state.n;
  const sizes = [...parts.keys()], most = Math.max(...sizes.map(n => parts.get(n).size));
  return Math.max(0, ...sizes.filter(n => parts.get(n).size === most));
}

// ---- lines: one for each plugin on a device --------------------------------------------------

// Files that measured one plugin in different numbers of parts give one line together.
const pluginKey = row => {
  const s = seriesOf(row);
  return JSON.stringify([s.plugin, s.version, s.backend, s.device, s.driver, hostOf(s.file) || machineOf(s.file)]);
};

// [{series: the first, all: the series of the line, points: those of data.scaling}]
function scalingGroups(points) {
  const found = new Map();
  for (const p of points) {
    const key = pluginKey(p.row);
    if (!found.has(key)) found.set(key, []);
    found.get(key).push(p);
  }
  return [...found.values()].flatMap(list => {
    const together = new Set(list.map(p => p.parts)).size === list.length;
    const bySeries = new Map();
    for (const p of list) {
      const series = together ? 0 : cell.series(p.row);
      bySeries.set(series, [...(bySeries.get(series) || []), p]);
    }
    return [...bySeries.values()].map(mine => {
      const all = [...new Set(mine.map(p => cell.series(p.row)))];
      return { series: all[0], all, points: mine, alone: together };
    });
  });
}

// A line begins with the plugin's one part, where that was measured.
function scalingCurves(groups, over) {
  return groups.map(({ series, points }) => {
    const first = points.find(p => p.own.one !== null);
    const begins = first ? [{ n: 1, row: { parts: 1, gain: oneOver(first, over) } }] : [];
    const list = points.map(p => ({ n: p.parts, row: { ...p, gain: p[over] } }));
    return { series, points: [...begins, ...list.sort((a, b) => a.n - b.n)] };
  });
}

// The fastest scans in one part that have no line of their own: a point for each.
function scalingBests(points, groups) {
  const lines = groups.filter(g => g.points.some(p => p.own.one !== null)).flatMap(g => g.points.map(p => pluginKey(p.row)));
  const rows = [...new Set(points.map(p => p.best.one))].filter(row => !lines.includes(pluginKey(row)));
  return rows.map(row => ({ series: cell.series(row), points: [{ n: 1, row: { parts: 1, gain: { speedup: 1, lo: 1, hi: 1 } } }] }));
}

// One part of the plugin over that which k parts are held against, of the same n.
function oneOver(p, over) {
  const speedup = cell.median_ns(p[over].one) / cell.median_ns(p.own.one), same = p[over].one === p.own.one;
  return { speedup, lo: same ? 1 : null, hi: same ? 1 : null };
}

// A line that several files make has the plugin's name alone.
function scalingLook(groups) {
  const found = new Map(groups.map(g => [g.series, g]));
  return series => {
    const look = lookOf(series), group = found.get(series);
    if (!group?.alone || groups.some(g => g !== group && shortName(g.series) === shortName(series))) return look;
    return { ...look, name: shortName(series), dash: look.ceiling ? look.dash : 'solid', series: group.all };
  };
}

// ---- the figures -----------------------------------------------------------------------------

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

const shareWords = share => share === null ? '' : digits(share * 100, 3) + '\u00a0%';

const gainWords = gain => gain.speedup === null ? '' : digits(gain.speedup, 4) + (gain.lo === null ? '' : ' (' + digits(gain.lo, 3) + ' to ' + digits(gain.hi, 3) + ')');

// Its number of parts has a column.
const scalingSetting = p => [p.layout, ...shortSetting(p.row).split(' ').filter(word => !word.startsWith('parts='))].filter(Boolean).join(' ');

const SCALING_COLUMNS = [
  { name: 'plugin', words: p => breakable(nameOf(cell.series(p.row))) },
  { name: 'parts', number: true, words: p => wholeWords(p.parts) },
  { name: 'n', number: true, words: p => wholeWords(sizeOf(p.row)) },
  { name: 'n of one part', number: true, words: p => p.way === 'weak' ? wholeWords(p.n_of_one) : '' },
  { name: 'layout, setting', words: scalingSetting },
  { name: 'time', number: true, words: p => timeWords(cell.median_ns(p.row), 4) },
  { name: '10⁹ elements/s', number: true, words: p => digits(p.elements_per_s / 1e9, 4) },
  { name: 'speed-up (95 % interval)', number: true, words: p => gainWords(p.own) },
  { name: 'efficiency', number: true, words: p => shareWords(p.own.efficiency) },
  { name: '% of bound', number: true, words: p => shareWords(p.own.of_bound) },
  { name: 'best in one part', words: p => breakable(nameOf(cell.series(p.best.one))) },
  { name: 'speed-up over it (95 % interval)', number: true, words: p => gainWords(p.best) },
  { name: 'efficiency over it', number: true, words: p => shareWords(p.best.efficiency) },
  { name: '% of bound over it', number: true, words: p => shareWords(p.best.of_bound) },
];

// Those that say something; the bound of the best where there is no other.
function scalingColumns(items) {
  const own = items.some(p => p.own.one !== null);
  return SCALING_COLUMNS.filter(c => items.some(p => c.words(p) !== '') && !(own && c.name === '% of bound over it'));
}

function showScalingWay(way) {
  const { size, title } = SCALING[way];
  const all = scalingPoints(state.problem, way), n = scalingSize(all, size), points = all.filter(p => size(p) === n);
  const over = points.every(p => p.own.one !== null) ? 'own' : 'best', groups = scalingGroups(points);
  const curves = [...scalingCurves(groups, over), ...(over === 'best' ? scalingBests(points, groups) : [])];
  say('scaling-' + way, wholeWords(n) + ' elements');
  say('scaling-' + way + '-one', over === 'own' ? 'one part of the same plugin' : 'the fastest scan in one part, of a copy the fastest copy: not every plugin was measured in one part here');
  return showLines({
    id: 'scaling-' + way, title, problem: state.problem, curves, look: scalingLook(groups), least: 1, log: true,
    ticks: [...new Set([1, ...points.map(p => p.parts)])], value: p => p.gain.speedup, low: p => p.gain.lo, high: p => p.gain.hi, words: ratioWords, axisWords: axisRatio,
    across: 'parts', acrossNoun: ['number of parts', 'numbers of parts'], acrossWords: k => plural(k, 'part'), xScale: partsScale, bounds: scalingBounds(points),
    columns: scalingColumns(all), items: all,
  });
}

function showScaling() {
  const shown = Object.keys(SCALING).map(showScalingWay);
  byId('scaling').hidden = !shown.some(Boolean);
}
