// series.js - how each series is named and drawn. A series is one plugin on one device in one file:
// plugins have colours and markers, files have dashes; copies are grey and dotted.

const manyFiles = data.files.length > 1;

// Without the file, for places that name it; the version of a peer, and the device where a plugin ran on several.
const shortNames = data.series.map(s => {
  const twin = data.series.some(t => t.file === s.file && t.plugin === s.plugin && t.device && t.device !== s.device);
  return s.name + (s.inPlace ? ', in place' : '') + (twin && s.device ? ' on ' + s.device : '');
});
const shortName = series => shortNames[series];
const nameOf = series => shortNames[series] + (manyFiles ? ' · ' + data.files[data.series[series].file].label : '');

// Plugins in the order in which they deserve a colour: by how many sizes they win, then by how near they
// come to the fastest on average.
const pluginOrder = (() => {
  const score = new Map(); // plugin -> {wins, loss, count}
  const at = plugin => {
    if (!score.has(plugin)) score.set(plugin, { wins: 0, loss: 0, count: 0 });
    return score.get(plugin);
  };
  for (const s of data.series) if (s.role !== 'ceiling') at(s.plugin);
  for (const problem of problems) {
    const best = new Map();
    const all = curves(problem, 'run').filter(c => !isCeiling(c.series));
    for (const { points } of all) {
      for (const { n, row } of points) best.set(n, Math.min(best.get(n) ?? Infinity, cell.median_ns(row)));
    }
    for (const { series, points } of all) {
      const s = at(data.series[series].plugin);
      for (const { n, row } of points) {
        const loss = Math.log(cell.median_ns(row) / best.get(n));
        s.loss += loss;
        s.count++;
        if (loss === 0) s.wins++;
      }
    }
  }
  const mean = s => s.count ? s.loss / s.count : Infinity;
  return [...score].sort(([, a], [, b]) => b.wins - a.wins || mean(a) - mean(b)).map(([plugin]) => plugin);
})();

// In a box from -1 to 1. Filled, so that they print well.
const MARKERS = [
  'M-1,0A1,1,0,1,1,1,0A1,1,0,1,1,-1,0Z',
  'M-.9,-.9H.9V.9H-.9Z',
  'M0,-1.1L1.1,.9H-1.1Z',
  'M0,-1.25L1.25,0L0,1.25L-1.25,0Z',
  'M0,1.1L1.1,-.9H-1.1Z',
  'M-.35,-1.1H.35V-.35H1.1V.35H.35V1.1H-.35V.35H-1.1V-.35H-.35Z',
  'M0,-1.2L1.14,-.37L.7,.97H-.7L-1.14,-.37Z',
  'M-1,-1H1L.25,0L1,1H-1L-.25,0Z',
];
const COPY_MARKER = 'M-.4,-1.3H.4V1.3H-.4Z'; // an upright stroke: no plugin has it
const COLOURED = 8;
const DASHES = ['solid', [7, 4], [2, 3], [9, 3, 2, 3], [14, 4]];
const OTHER_DASHES = ['solid', [7, 4], [3, 3], [9, 3, 2, 3], [14, 4]];

const colour = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();

// {name, colour, marker, dash, width, ceiling, rank}
function lookOf(series) {
  const s = data.series[series];
  const ceiling = s.role === 'ceiling';
  const rank = ceiling ? 1000 + series : pluginOrder.indexOf(s.plugin);
  const coloured = !ceiling && rank < COLOURED, picked = shortName(series) === state.only;
  let dash = manyFiles ? DASHES[s.file % DASHES.length] : 'solid';
  if (ceiling) dash = [2, 4];
  else if (!coloured && !manyFiles) dash = OTHER_DASHES[(rank - COLOURED) % OTHER_DASHES.length];
  return {
    name: nameOf(series),
    colour: colour(ceiling ? 'copy' : coloured ? 'series-' + (rank + 1) : picked ? 'ink' : 'other'),
    marker: ceiling ? COPY_MARKER : MARKERS[rank % MARKERS.length],
    dash,
    width: ceiling ? 1.5 : coloured || picked ? 2 : 1.25,
    ceiling,
    rank: rank + s.file / 1000,
  };
}

// The line and marker of a series as a picture beside its name.
function swatch(look, line = true) {
  const dash = look.dash === 'solid' || !line ? '' : ' stroke-dasharray="' + look.dash.join(' ') + '"';
  const width = line ? 28 : 12, middle = width / 2;
  return '<svg width="' + width + '" height="12" viewBox="0 0 ' + width + ' 12" aria-hidden="true">' +
    (line ? '<path d="M0 6H28" fill="none" stroke="' + look.colour + '" stroke-width="' + look.width + '"' + dash + '/>' : '') +
    '<path transform="translate(' + middle + ' 6) scale(3.6)" d="' + look.marker + '" fill="' + look.colour + '"/></svg>';
}

// Hidden by a click in a legend, in all plots at once.
const hidden = new Set();

// What a legend says of these series: [{name, swatch, series}]. Of several files, each plugin stands once,
// and then each file with its dash.
function legendEntries(list) {
  const pluginOf = series => isCeiling(series) ? '' : shortName(series);
  if (!manyFiles) return list.map(series => ({ name: nameOf(series), swatch: () => swatch(lookOf(series)), series: [series], plugin: pluginOf(series) }));
  const groups = (key, name, picture) => {
    const found = new Map();
    for (const series of list) found.set(key(series), [...(found.get(key(series)) || []), series]);
    return [...found.values()].map(series => ({ name: name(series[0]), swatch: () => picture(series[0]), series, plugin: key === shortName ? pluginOf(series[0]) : '' }));
  };
  return [
    ...groups(shortName, shortName, series => swatch(lookOf(series), data.series[series].role === 'ceiling')),
    null,
    ...groups(series => data.series[series].file, series => data.files[data.series[series].file].label,
      series => swatch({ ...lookOf(series), colour: colour('ink'), marker: '', width: 2, dash: DASHES[data.series[series].file % DASHES.length] })),
  ];
}
