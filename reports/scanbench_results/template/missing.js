// missing.js - what has no numbers, and why; and the table of every row

// Rows without a time that counts, together where file, status and reason are the same; what failed first. The harness's
// own scan and copy are not missing: they are there for ratios between runs.
const missingGroups = (() => {
  const groups = new Map();
  for (let row = 0; row < rowCount; row++) {
    if (isOk(row) || outcomeOf(row).use === 'calibrator') continue;
    const key = fileOf(row) + ' ' + cell.outcome(row);
    if (!groups.has(key)) groups.set(key, { outcome: outcomeOf(row), rows: [] });
    groups.get(key).rows.push(row);
  }
  const order = ['ok', 'wrong', 'crashed', 'timeout', 'error', 'skipped', 'unsupported', 'unavailable'];
  const rank = g => order.indexOf(g.outcome.status);
  return [...groups.values()].sort((a, b) => rank(a) - rank(b) || b.rows.length - a.rows.length);
})();

const USES = { incomplete: 'the file lacks the row of its run', repeated: 'the file has this configuration and phase before' };

function rangeWords(values, words) {
  const all = [...new Set(values)];
  if (all.length > 4) return words(all[0]) + ' … ' + words(all[all.length - 1]) + ' (' + all.length + ')';
  return all.map(words).join(', ');
}

function showMissing() {
  byId('missing').hidden = !missingGroups.length;
  const total = missingGroups.reduce((sum, g) => sum + g.rows.length, 0);
  byId('missing-table').querySelector('p').textContent = plural(total, 'configuration') + ' without numbers, of all problems; one line for each reason.';
  showFigure('missing-table', missingGroups.length ? {
    open: true,
    table: {
      caption: 'What was skipped or failed, with the reason', items: missingGroups,
      columns: [
        { name: 'status', words: g => g.outcome.status === 'ok' ? g.outcome.use : g.outcome.status },
        { name: 'plugins', words: g => foldedNames([...new Set(g.rows.map(row => nameOf(cell.series(row))))]) },
        { name: 'reason', words: g => USES[g.outcome.use] ?? g.outcome.reason },
        { name: 'problem', words: g => rangeWords(g.rows.map(row => problemWords(problemOf(row))), w => w) },
        { name: 'n', number: true, words: g => rangeWords(g.rows.map(sizeOf).sort(ascending), wholeWords) },
        { name: 'setting', words: g => rangeWords(g.rows.map(shortSetting), w => w) },
        { name: 'rows', number: true, words: g => wholeWords(g.rows.length) },
      ].filter((c, i) => i < 3 || missingGroups.some(g => c.words(g) !== '')),
    },
  } : null);
}

// ---- every row ------------------------------------------------------------------------------------

let rowFilter = '';

function rowMatches(row, words) {
  if (!words.length) return true;
  const s = seriesOf(row), o = outcomeOf(row);
  const text = [s.plugin, s.device, problemWords(problemOf(row)), 'n=' + sizeOf(row), 'rows=' + rowsOf(row), 'inner=' + innerOf(row), settingWords(settingOf(row)), phaseOf(row), o.status, o.reason, flagsOf(row)].join(' ').toLowerCase();
  return words.every(word => text.includes(word));
}

function showRows() {
  byId('rows').hidden = rowCount === 0;
  const figure = byId('rows-table');
  figure.querySelector('p').textContent = 'All ' + plural(rowCount, 'row') + ' of ' + (manyFiles ? 'the files' : 'the file') + ', of all problems and phases, in their order.';
  if (!rowCount) return;
  showFigure('rows-table', {});
  const place = element('div');
  const field = element('input', { type: 'search', value: rowFilter, placeholder: 'cuda_cub e2e n=1000000', autocomplete: 'off' });
  const details = element('details', {}, element('summary', {}, 'The rows'), element('label', { class: 'filter' }, 'with the words ', field), place);
  const fill = () => {
    const words = rowFilter.toLowerCase().split(/\s+/).filter(Boolean), items = [];
    for (let row = 0; row < rowCount; row++) if (rowMatches(row, words)) items.push(row);
    place.replaceChildren(tableOf({ caption: plural(items.length, 'row'), items, columns: everyColumn, page: 25 }));
  };
  field.addEventListener('input', () => {
    rowFilter = field.value;
    fill();
  });
  details.addEventListener('toggle', () => {
    if (details.open && !place.childElementCount) fill();
  });
  figure.append(details);
}

const everyColumn = [
  rowColumns.plugin,
  { name: 'problem', words: row => problemWords(problemOf(row)) },
  rowColumns.n, ...[rowColumns.rows, rowColumns.inner].filter(c => data.rows.columns[c.name] !== undefined), rowColumns.wholeSetting, rowColumns.phase,
  { name: 'status', words: row => outcomeOf(row).status + (outcomeOf(row).reason ? ': ' + outcomeOf(row).reason : '') },
  rowColumns.time, rowColumns.half, rowColumns.bandwidth, rowColumns.copy, rowColumns.speedup, rowColumns.flags,
].filter((c, i) => i < 6 || data.series.length > 0);
