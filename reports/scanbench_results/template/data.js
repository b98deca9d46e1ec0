// data.js - the data of the page: columns of rows with dictionaries, as README.md beside this file
// describes them, and the rows looked up by problem, phase, series and size.

const data = JSON.parse(document.getElementById('data').textContent);
const rowCount = data.rows.count;

// column('median_ns')(row): its value, null where it is not known. A column that is the same in all
// rows is stored as one value, and one that is nowhere known is absent.
function column(name) {
  const of = data.rows.columns[name], values = typeof of === 'string' ? unpacked(of) : of;
  if (values === undefined) return () => null;
  return Array.isArray(values) ? row => values[row] : () => values;
}

// "7,,8": 7, 7 and 8. What is the same as in the row before is not written again.
function unpacked(text) {
  let last = '';
  return JSON.parse('[' + text.split(',').map(value => last = value || last).join() + ']');
}

const cell = {};
for (const name of ['series', 'problem', 'size', 'rows', 'inner', 'setting', 'phase', 'outcome', 'flags', 'stop', 'throttle',
  'median_ns', 'ci_lo_ns', 'ci_hi_ns', 'pct_copy', 'pct_copy_lo', 'pct_copy_hi', 'speedup', 'speedup_lo',
  'speedup_hi', 'max_rel_error', 'max_ulps', 'samples', 'rounds', 'clock_mhz', 'cpu_mhz', 'load', 'steal_pct',
  'involuntary_switches', 'page_faults', 'gpu_temperature_c', 'gpu_processes', 'deviations']) {
  cell[name] = column(name);
}

const seriesOf = row => data.series[cell.series(row)];
const problemOf = row => data.problems[cell.problem(row)];
const sizeOf = row => data.sizes[cell.size(row)];
const rowsOf = row => cell.rows(row) ?? 1, innerOf = row => cell.inner(row) ?? 1;
const settingOf = row => data.settings[cell.setting(row)];
const phaseOf = row => data.phases[cell.phase(row)];
const outcomeOf = row => data.outcomes[cell.outcome(row)];
const flagsOf = row => data.flags[cell.flags(row)] || '';
const isOk = row => outcomeOf(row).use === 'shown'; // measured, and neither incomplete nor a repetition
const isCeiling = series => data.series[series].role === 'ceiling';

const TYPE_BYTES = {
  i8: 1, u8: 1, i16: 2, u16: 2, f16: 2, bf16: 2, i32: 4, u32: 4, f32: 4, i64: 8, u64: 8, f64: 8, u32x2: 8, f32x2: 8,
};

// One element read and one written, over the time; null for phases that move something else. Of "i8->i32"
// the one written is wider.
function bytesPerSecond(row) {
  const types = problemOf(row).dtype.split('->'), bytes = TYPE_BYTES[types[0]] + TYPE_BYTES[types[types.length - 1]], ns = cell.median_ns(row), phase = phaseOf(row);
  if (!bytes || !ns || phase === 'create' || phase === 'h2d' || phase === 'd2h') return null;
  return sizeOf(row) * rowsOf(row) * innerOf(row) * bytes / ns * 1e9 || null;
}

// The line of the CSV in which a row stands, if each row is one line.
const fileOf = row => seriesOf(row).file;
const rowInFile = row => row - data.files[fileOf(row)].first + 1;

// ---- problems: what the page shows one of ----------------------------------------------------

// Rows of a copy have no operator and no kind: they belong to every problem of their type, cache and rows.
const SWEEP = ['rows', 'inner', 'elements'];
const problems = (() => {
  const asked = data.problems.map((p, index) => ({ ...p, index }));
  const scans = asked.filter(p => p.op || p.kind);
  const shown = scans.length ? scans : asked;
  for (const p of shown) {
    p.copies = asked.filter(c => !c.op && !c.kind && c.index !== p.index && ['dtype', 'cache', ...SWEEP].every(name => c[name] === p[name]))
      .map(c => c.index);
  }
  return shown;
})();

// Type, operator, kind and caches; then rows.
function scanWords(p) {
  const several = key => new Set(data.problems.map(q => q[key]).filter(Boolean)).size > 1;
  const words = [p.dtype, p.op, p.kind === 'any' ? 'any kind' : p.kind].filter(Boolean);
  if (p.cache && (several('cache') || p.cache !== 'hot')) words.push(p.cache + ' caches');
  return words.join(' ');
}

const innerWords = p => p.inner ? ', inner ' + wholeWords(p.inner) : '';
function problemWords(p) {
  const rows = p.elements ? ', about ' + wholeWords(p.elements) + ' elements in rows of n' : (p.rows ?? p.inner) === undefined ? '' : ', ' + plural(p.rows ?? 1, 'row');
  return scanWords(p) + rows + innerWords(p);
}

// ---- the index: problem -> phase -> series -> n -> rows that are ok ----------------------------

const index = new Map();
(() => {
  const within = (map, key, make) => {
    let there = map.get(key);
    if (there === undefined) map.set(key, there = make());
    return there;
  };
  for (let row = 0; row < rowCount; row++) {
    if (!isOk(row) || !(cell.median_ns(row) > 0)) continue;
    const byPhase = within(index, cell.problem(row), () => new Map());
    const bySeries = within(byPhase, phaseOf(row), () => new Map());
    const bySize = within(bySeries, cell.series(row), () => new Map());
    within(bySize, sizeOf(row), () => []).push(row);
  }
})();

// series -> n -> rows of a problem in one phase, the copies of its bytes included.
function rowsBySeries(problem, phase) {
  const found = new Map();
  for (const p of [problem.index, ...problem.copies]) {
    const bySeries = index.get(p)?.get(phase);
    if (bySeries) for (const [series, bySize] of bySeries) found.set(series, bySize);
  }
  return found;
}

function fastest(rows) {
  let best = rows[0];
  for (const row of rows) if (cell.median_ns(row) < cell.median_ns(best)) best = row;
  return best;
}

const ascending = (a, b) => a - b;

// The fastest setting of each series at each size: [{series, points: [{n, row}]}].
const curvesKept = new Map();
function curves(problem, phase) {
  const key = problem.index + ' ' + phase;
  if (!curvesKept.has(key)) {
    const found = [];
    for (const [series, bySize] of rowsBySeries(problem, phase)) {
      const points = [...bySize.keys()].sort(ascending).map(n => ({ n, row: fastest(bySize.get(n)) }));
      found.push({ series, points });
    }
    curvesKept.set(key, found);
  }
  return curvesKept.get(key);
}

function sizesOf(problem) {
  const sizes = new Set();
  for (const phase of Object.keys(CLOCKS)) {
    for (const bySize of rowsBySeries(problem, phase).values()) for (const n of bySize.keys()) sizes.add(n);
  }
  return [...sizes].sort(ascending);
}

// ---- sizes of several files ---------------------------------------------------------------------

// The sizes of a problem at which a file has an answer: those of scans, or where there are none, of copies.
const answeredKept = new Map();
function answered(problem, file) {
  const key = problem.index + ' ' + file;
  if (!answeredKept.has(key)) {
    const sizes = data.winners.filter(w => w.problem === problem.index && w.file === file).map(w => w.n);
    const copies = () => [...rowsBySeries(problem, 'run')].filter(([s]) => data.series[s].file === file).flatMap(([, bySize]) => [...bySize.keys()]);
    answeredKept.set(key, new Set(sizes.length ? sizes : copies()));
  }
  return answeredKept.get(key);
}

// The size that a file has for n: n, or of several files that of k parts with n in each (weak scaling); null if neither
// was measured there.
const weakKept = new Map();
function sizeIn(problem, file, n) {
  if (data.files.length === 1 || answered(problem, file).has(n)) return n;
  if (!weakKept.size) for (const p of data.scaling) if (p.way === 'weak') weakKept.set(cell.problem(p.row) + ' ' + fileOf(p.row) + ' ' + p.n_of_one, p);
  const weak = weakKept.get(problem.index + ' ' + file + ' ' + n);
  return weak ? sizeOf(weak.row) : null;
}
const sizeOfSeries = (problem, series, n) => sizeIn(problem, data.series[series].file, n);

// The row of the copy that the share of a plugin's fastest setting is held against, or null.
const copies = new Map(data.copies);
const copyOf = row => copies.get(row) ?? null;

// Half of a row's interval over its median, or null.
function halfWidth(row) {
  const lo = cell.ci_lo_ns(row), hi = cell.ci_hi_ns(row);
  return lo === null || hi === null ? null : (hi - lo) / 2 / cell.median_ns(row);
}
