// tables.js - tables that are filled when they are opened, a page at a time

const TABLE_PAGE = 50;

// spec: {caption, columns: [{name, words(item): text or element, number, wide: left out where there is little room}], items, chosen(item), page}
// The first column is the row's heading. On a narrow screen each row becomes a card.
function tableOf(spec) {
  const box = element('div');
  const cards = spec.columns.length > 3 ? ' cards' : ' tight';
  const table = element('table', { class: 'data' + cards, role: 'table' },
    element('caption', {}, spec.caption),
    element('thead', { role: 'rowgroup' }, element('tr', { role: 'row' }, ...spec.columns.map(c =>
      element('th', { scope: 'col', role: 'columnheader', class: columnClass(c) }, c.name)))));
  const body = element('tbody', { role: 'rowgroup' });
  table.append(body);
  box.append(table);
  let page = 0;
  const size = spec.page || TABLE_PAGE, pages = Math.ceil(spec.items.length / size);
  const where = element('span', { 'aria-live': 'polite' });
  const back = element('button', { type: 'button', onclick: () => turn(page - 1) }, 'Previous');
  const on = element('button', { type: 'button', onclick: () => turn(page + 1) }, 'Next');
  const pager = element('div', { class: 'pager', hidden: pages < 2 }, back, where, on);
  box.append(pager);
  function turn(to) {
    page = to;
    const from = page * size;
    body.replaceChildren(...Array.from({ length: Math.min(size, spec.items.length - from) }, (_, i) => tableRow(spec, spec.items[from + i])));
    back.disabled = page === 0;
    on.disabled = page >= pages - 1;
    where.textContent = wholeWords(from + 1) + ' to ' + wholeWords(Math.min(from + size, spec.items.length)) + ' of ' + wholeWords(spec.items.length);
  }
  turn(0);
  return box;
}

const columnClass = c => [c.number ? 'number' : '', c.wide ? 'wide' : ''].join(' ').trim() || null;

function tableRow(spec, item) {
  const cells = spec.columns.map((c, i) => {
    const value = c.words(item);
    const made = element(i === 0 ? 'th' : 'td', {
      class: columnClass(c), scope: i === 0 ? 'row' : null, role: i === 0 ? 'rowheader' : 'cell', 'data-name': i === 0 ? null : c.name,
    });
    if (value instanceof Node) made.append(value);
    else made.textContent = value;
    return made;
  });
  return element('tr', { role: 'row', class: spec.chosen?.(item) ? 'chosen' : null }, ...cells);
}

function foldedTable(spec) {
  const details = element('details', {}, element('summary', {}, (spec.summary || 'The numbers') + (spec.items.length > 1 ? ' (' + wholeWords(spec.items.length) + ' rows)' : '')));
  details.addEventListener('toggle', () => {
    if (details.open && details.childElementCount === 1) details.append(tableOf(spec));
  });
  return details;
}

// ---- columns that several tables have --------------------------------------------------------------

const rowColumns = {
  plugin: { name: 'plugin', words: row => breakable(nameOf(cell.series(row))) },
  n: { name: 'n', number: true, words: row => wholeWords(sizeOf(row)) },
  rows: { name: 'rows', number: true, words: row => rowsOf(row) === 1 ? '' : wholeWords(rowsOf(row)) },
  inner: { name: 'inner', number: true, words: row => innerOf(row) === 1 ? '' : wholeWords(innerOf(row)) },
  setting: { name: 'setting', words: shortSetting },
  wholeSetting: { name: 'setting', words: row => settingWords(settingOf(row)) },
  phase: { name: 'phase', words: row => phaseOf(row) },
  time: { name: 'time', number: true, words: row => cell.median_ns(row) === null ? '' : timeWords(cell.median_ns(row), 4) },
  interval: {
    name: '95 % interval', number: true,
    words: row => cell.ci_lo_ns(row) === null ? '' : timeWords(cell.ci_lo_ns(row), 4) + ' to ' + timeWords(cell.ci_hi_ns(row), 4),
  },
  half: { name: '±', number: true, words: halfWidthWords },
  bandwidth: { name: 'GB/s', number: true, words: row => bytesPerSecond(row) === null ? '' : digits(bytesPerSecond(row) / 1e9, 3) },
  copy: { name: '% of copy', number: true, words: row => cell.pct_copy(row) === null ? '' : digits(cell.pct_copy(row), 3) },
  copyOf: { name: 'which copy', words: row => copyOf(row) === null || copyOf(row) === row ? '' : breakable(copyName(copyOf(row))) },
  speedup: { name: 'speedup', number: true, words: row => cell.speedup(row) === null ? '' : digits(cell.speedup(row), 3) },
  flags: { name: 'flags', words: row => unbroken(flagsOf(row).split(';').filter(Boolean)) },
};

const ratioInterval = (name, value, lo, hi) => ({
  name, number: true,
  words: row => cell[value](row) === null ? '' : digits(cell[value](row), 4) +
    (cell[lo](row) === null ? '' : ' (' + digits(cell[lo](row), 3) + ' to ' + digits(cell[hi](row), 3) + ')'),
});
