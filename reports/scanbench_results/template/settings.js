// settings.js - heat maps of the tunables: a column for each block size (or for the tunable that has the
// most values); a row for each setting of the others at one size, or a row for each size

const MOST_MAP_ROWS = 40, MOST_MAP_SIZES = 25;
const SLOW = 4; // times the best: the lightest colour

// The rows of `run` at one size by plugin: [{series, rows}], where more than one setting was measured.
function settingsAt(problem, n) {
  const found = [];
  for (const [series, bySize] of rowsBySeries(problem, 'run')) {
    const rows = bySize.get(sizeOfSeries(problem, series, n));
    if (rows?.length > 1) found.push({ series, rows });
  }
  return found.sort((a, b) => lookOf(a.series).rank - lookOf(b.series).rank);
}

// The tunables that have several values in these rows: the one of the columns, then the others.
function severalOf(rows) {
  const values = new Map(); // tunable -> set of values
  for (const row of rows) for (const [name, value] of tunablesOf(settingOf(row))) values.set(name, (values.get(name) || new Set()).add(String(value)));
  const several = [...values].filter(([, set]) => set.size > 1).sort((a, b) => b[1].size - a[1].size).map(([name]) => name);
  const across = several.includes('block') ? 'block' : several[0];
  return [across, several.filter(name => name !== across)];
}

// Of rows with the same value across, the fastest has the cell.
function putCell(cells, value, row) {
  const there = cells.get(value);
  if (there === undefined || cell.median_ns(row) < cell.median_ns(there)) cells.set(value, row);
}

const bestAt = new Map(data.best.map(best => [best.row, best]));
const bestOf = rows => bestAt.get(rows.find(row => bestAt.has(row))) ?? { row: fastest(rows), tied: [] };

// {across: the tunable of the columns, columns: [value], lines: [{name, series, cells: Map(value -> row)}]}
function mapsAt(problem, n) {
  const maps = [], single = new Map();
  for (const { series, rows } of settingsAt(problem, n)) {
    const [across, others] = severalOf(rows);
    if (!across) continue;
    const lines = new Map();
    for (const row of rows) {
      const tunables = tunablesOf(settingOf(row));
      const name = others.filter(o => tunables.has(o)).map(o => o + '=' + tunables.get(o)).join(' ');
      if (!lines.has(name)) lines.set(name, { name, series, cells: new Map() });
      putCell(lines.get(name).cells, String(tunables.get(across) ?? ''), row);
    }
    const best = bestOf(rows);
    if (lines.size === 1) {
      const line = { ...[...lines.values()][0], name: nameOf(series), best };
      if (!single.has(across)) single.set(across, []);
      single.get(across).push(line);
    } else {
      maps.push({ title: nameOf(series), series: [series], across, lines: [...lines.values()].map(l => ({ ...l, best })), rows });
    }
  }
  for (const [across, lines] of single) {
    maps.unshift({
      title: lines.length === 1 ? lines[0].name : across + ' of ' + plural(lines.length, 'plugin'), series: lines.map(l => l.series), across, own: lines.length > 1,
      lines: lines.length === 1 ? [{ ...lines[0], name: '' }] : lines, rows: lines.flatMap(l => [...l.cells.values()]),
    });
  }
  for (const map of maps) {
    map.columns = columnsOf(map.lines);
    map.lines.sort((a, b) => map.own ? 0 : byNumber(a.name, b.name));
    map.caption = map.title + ' at n = ' + wholeWords(n);
  }
  return maps;
}

const columnsOf = lines => [...new Set(lines.flatMap(l => [...l.cells.keys()]))].sort(byNumber);

// A map for each plugin of which several sizes have several settings: a row for each size, over the best there.
function mapsOverSizes(problem) {
  const maps = [];
  for (const [series, bySize] of rowsBySeries(problem, 'run')) {
    const sizes = [...bySize].filter(([, rows]) => rows.length > 1).sort(([a], [b]) => a - b);
    const all = sizes.flatMap(([, rows]) => rows);
    const [across, others] = severalOf(all);
    if (sizes.length < 2 || !across) continue;
    const lines = sizes.map(([n, rows]) => {
      const cells = new Map();
      for (const row of rows) putCell(cells, String(tunablesOf(settingOf(row)).get(across) ?? ''), row);
      return { name: wholeWords(n), series, cells, best: bestOf(rows) };
    });
    maps.push({ title: nameOf(series) + ' at every size', series: [series], across, others, sizes: true, lines, columns: columnsOf(lines), rows: all, caption: nameOf(series) + ' at every size' });
  }
  return maps.sort((a, b) => lookOf(a.series[0]).rank - lookOf(b.series[0]).rank);
}

const byNumber = (a, b) => a.localeCompare(b, 'en', { numeric: true });

function showSettings() {
  const place = byId('maps');
  for (const old of place.querySelectorAll('figure')) showFigure(old.id, null);
  place.replaceChildren();
  const maps = [...mapsAt(state.problem, state.n), ...mapsOverSizes(state.problem)];
  byId('settings').hidden = !maps.length;
  maps.forEach((map, i) => {
    const id = 'map-' + i;
    place.append(element('figure', { id, class: map.columns.length > 10 ? 'wide' : '' }, element('figcaption', {}, element('h3', {}, map.title), element('p', {}, mapWords(map)))));
    showFigure(id, mapSpec(map));
  });
  place.className = 'grid';
}

function mapWords(map) {
  if (map.sizes) return 'Down: n, each row over the best of its size; across: ' + map.across + '.' + (map.others.length ? ' Each cell has the best ' + listWords(map.others) + '.' : '');
  const others = [...new Set(map.lines.flatMap(l => l.name.split(' ').map(w => w.split('=')[0])))].filter(Boolean);
  const shape = map.own ? 'Each row is a plugin, over its own best' : others.length ? 'Down: ' + others.join(', ') : '';
  const best = map.own ? '' : bestWords(map.lines[0].best);
  return (shape ? shape + '; across: ' : 'Across: ') + map.across + '. ' + best;
}

function bestWords(best) {
  if (best.unknown) return 'Shortest median: ' + shortSetting(best.row) + ', ' + timeWords(cell.median_ns(best.row)) + '; whether it is the best nobody can say.';
  const tied = best.tied.map(shortSetting);
  return 'Best: ' + shortSetting(best.row) + ', ' + timeWords(cell.median_ns(best.row)) + (tied.length ? '; tied with ' + (tied.length > 4 ? plural(tied.length, 'other setting') : listWords(tied)) : '') + '.';
}

function mapSpec(map) {
  const step = map.sizes ? Math.ceil(map.lines.length / MOST_MAP_SIZES) : 1; // sizes are thinned out, from the largest
  const lines = map.lines.filter((_, y) => (map.lines.length - 1 - y) % step === 0).slice(0, MOST_MAP_ROWS);
  const cells = lines.flatMap((l, y) => map.columns.map((value, x) => ({ x, y, row: l.cells.get(value), best: l.best })).filter(c => c.row !== undefined));
  const note = map.lines.length > lines.length ? element('p', { class: 'note' }, (step > 1 ? '' : 'The first ') + lines.length + ' of ' + map.lines.length + ' rows; the table has all.') : null;
  return {
    height: () => lines.length * 28 + 40,
    label: 'Heat map of ' + plural(cells.length, 'setting') + ' of ' + listWords(map.series.map(nameOf)) + '; the table below has the numbers.',
    points: cells.length * 2, note, legend: mapLegend(),
    option: width => cellsOption(cellsOf(map, lines, cells, width), width),
    table: {
      caption: map.caption, items: [...map.rows].sort((a, b) => sizeOf(a) - sizeOf(b) || cell.median_ns(a) - cell.median_ns(b)),
      columns: keep([rowColumns.plugin, ...(map.sizes ? [rowColumns.n] : []), rowColumns.setting, rowColumns.time, rowColumns.half, rowColumns.copy, rowColumns.flags], map.rows),
    },
  };
}

const mapFill = ratio => mix(['map-fast', 'map-mid', 'map-slow'].map(name => rgb(colour(name))), Math.min(1, Math.log(ratio) / Math.log(SLOW)));

function mapLegend() {
  return [1, 1.25, 1.5, 2, 3, SLOW].map(ratio => ({ name: ratio === SLOW ? ratio + '× or more' : ratio + '×', swatch: squareSwatch('rgb(' + mapFill(ratio).join(',') + ')') }));
}

function cellsOf(map, lines, cells, width) {
  const shown = { columns: map.columns, across: map.across, names: lines.map(l => l.name) }, wide = cellWidth(shown, width);
  const ratio = c => cell.median_ns(c.row) / cell.median_ns(c.best.row);
  const words = c => {
    const mark = c.row === c.best.row ? '●' : c.best.tied.includes(c.row) ? '=' : '';
    if (wide < 34) return mark;
    return (mark ? mark + ' ' : '') + (ratio(c) < 9.995 ? ratio(c).toFixed(2) : digits(ratio(c), 2));
  };
  return { ...shown, cells: cells.map(c => ({ ...c, fill: mapFill(ratio(c)), words: words(c), bold: c.row === c.best.row, tip: () => rowTip(c.row) })) };
}
