// phases.js - stacked bars: the copy to the device, the kernels, what is left of run, the copy back

// The phases of the fastest setting of each plugin at one size:
// [{series, run, h2d, d2h, kernels: [row], device, rest, total}]; rows or null, times in ns.
function phasesAt(problem, n) {
  const found = [];
  for (const { series, points } of curves(problem, 'run')) {
    const size = sizeOfSeries(problem, series, n), run = points.find(p => p.n === size)?.row;
    if (run === undefined) continue;
    const same = row => cell.setting(row) === cell.setting(run) && cell.problem(row) === cell.problem(run);
    const of = phase => rowsBySeries(problem, phase).get(series)?.get(size)?.find(same) ?? null;
    const kernels = data.phases.filter(p => p.startsWith('kernel:')).map(of).filter(row => row !== null);
    const one = { series, run, h2d: of('h2d'), d2h: of('d2h'), device: of('device'), e2e: of('e2e'), kernels };
    const ns = row => row === null ? 0 : cell.median_ns(row);
    one.onDevice = kernels.length ? kernels.reduce((sum, row) => sum + ns(row), 0) : ns(one.device);
    one.rest = Math.max(0, ns(run) - one.onDevice);
    one.total = ns(one.h2d) + ns(one.d2h) + Math.max(ns(run), one.onDevice);
    found.push(one);
  }
  return found;
}

function showPhases() {
  const all = phasesAt(state.problem, state.n);
  const copied = all.some(p => p.h2d !== null || p.d2h !== null), device = all.filter(p => p.onDevice > 0);
  byId('phases').hidden = !copied && !device.length;
  const parts = [
    ['copy to the device', 'phase-in', p => p.h2d === null ? 0 : cell.median_ns(p.h2d)],
    ['kernels', 'phase-kernel', p => p.onDevice],
    ['rest of run', 'phase-rest', p => p.rest],
    ['copy back', 'phase-out', p => p.d2h === null ? 0 : cell.median_ns(p.d2h)],
  ];
  const table = (items, caption) => ({ caption, items, columns: phaseColumns(items) });
  showFigure('phases-all', copied ? barsSpec([...all].sort((a, b) => a.total - b.total), parts, p => p.total,
    table(all, 'Phases at ' + chosenWords())) : null);
  const most = Math.max(0, ...device.map(p => p.kernels.length || 1));
  const inside = [
    ...Array.from({ length: most }, (_, k) => [most === 1 ? 'kernel' : 'kernel ' + (k + 1), 'phase-kernel', p => kernelTime(p, k), k, p => kernelName(p, k)]),
    ['rest of run', 'phase-rest', p => p.rest],
  ];
  const run = p => Math.max(cell.median_ns(p.run), p.onDevice);
  showFigure('phases-run', device.length ? barsSpec([...device].sort((a, b) => run(a) - run(b)), inside, run,
    table(device, 'Kernels at ' + chosenWords())) : null);
}

const kernelTime = (p, k) => p.kernels.length ? (k < p.kernels.length ? cell.median_ns(p.kernels[k]) : 0) : k === 0 ? p.onDevice : 0;
const kernelName = (p, k) => p.kernels.length ? (k < p.kernels.length ? phaseOf(p.kernels[k]).slice('kernel:'.length) : '') : 'device';

function phaseColumns(items) {
  const time = (name, row) => ({ name, number: true, words: p => row(p) === null ? '' : timeWords(cell.median_ns(row(p))) });
  const columns = [
    { name: 'plugin', words: p => nameOf(p.series) },
    { name: 'setting', words: p => shortSetting(p.run) },
    time('h2d', p => p.h2d), time('run', p => p.run), time('device', p => p.device),
    { name: 'kernels', words: p => p.kernels.map(row => phaseOf(row).slice(7) + ' ' + timeWords(cell.median_ns(row))).join(', ') },
    { name: 'rest of run', number: true, words: p => p.onDevice > 0 ? timeWords(p.rest) : '' },
    time('d2h', p => p.d2h), time('e2e', p => p.e2e),
  ];
  return columns.filter((c, i) => i === 0 || items.some(p => c.words(p) !== ''));
}

// parts: [name, colour, time(item), shade, detail(item)]
function barsSpec(all, parts, total, table) {
  const items = all.slice(0, MOST_RANKED);
  const used = parts.filter(part => items.some(p => part[2](p) > 0));
  const names = p => nameOf(p.series);
  return {
    height: () => items.length * 30 + 44,
    label: 'Stacked bars of ' + plural(items.length, 'plugin') + ': ' + listWords(used.map(part => part[0])) + '; the table below has the numbers.',
    points: items.length * used.length,
    legend: used.map(part => ({ name: part[0], swatch: squareSwatch(shade(part[1], part[3])) })),
    table,
    option: width => {
      const left = Math.min(longest(items.map(names)) + 16, narrow(width) ? 130 : 320);
      const x = linearScale([0, ...items.map(total)], axisTime, { from: 0, most: narrow(width) ? 3 : 6 });
      const right = longest(items.map(p => timeWords(total(p)))) + 16;
      const category = (words, more) => ({ type: 'category', inverse: true, data: items.map(p => String(p.series)), axisTick: { show: false }, axisLine: { show: false }, axisLabel: { interval: 0, fontSize: 12, color: colour('ink'), formatter: (v, i) => words(items[i]), ...more } });
      return {
        grid: { left, right, top: 4, bottom: 34 }, xAxis: axisOf(x),
        yAxis: [category(names, { width: left - 12, overflow: 'truncate' }), { ...category(p => timeWords(total(p))), position: 'right' }],
        series: used.map(part => ({
          type: 'bar', stack: 'all', name: part[0], barMaxWidth: 18, data: items.map(p => part[2](p)),
          itemStyle: { color: shade(part[1], part[3]), borderColor: colour('ground'), borderWidth: 1 },
        })),
        tooltip: tooltip({
          trigger: 'axis', axisPointer: { type: 'shadow', shadowStyle: { opacity: 0.08 } },
          formatter: at => barsTip(items[at[0].dataIndex], used, total),
        }),
      };
    },
  };
}

function barsTip(item, parts, total) {
  return '<b>' + escaped(nameOf(item.series)) + '</b><table>' + parts.filter(part => part[2](item) > 0).map(part =>
    '<tr><td>' + squareSwatch(shade(part[1], part[3])) + escaped(part[4]?.(item) || part[0]) + '</td><td><b>' + escaped(timeWords(part[2](item))) + '</b></td><td>' +
    Math.round(part[2](item) / total(item) * 100) + ' %</td></tr>').join('') + '<tr><td>together</td><td>' + escaped(timeWords(total(item))) + '</td><td></td></tr></table>';
}

// Kernels beside each other in one colour, each lighter than the one before.
function shade(name, step = 0) {
  if (!step) return colour(name);
  return 'rgb(' + mix([rgb(colour(name)), rgb(colour('map-slow'))], Math.min(0.75, step * 0.28)).join(',') + ')';
}
