// index.js - chooses among the answers of the table. The address keeps what is chosen; without a script the
// table has all of them.
const form = document.getElementById('choose'), selects = [...form.querySelectorAll('select')];
const rows = [...document.querySelectorAll('#answers tbody tr')];
const numbers = name => name === 'n';
const NEAR = 1.03; // medians of two runs may differ by that
const COLUMNS = ['scan', 'type', 'shape', 'data']; // of the table behind the first: not shown where all rows have the same

const valuesOf = name => {
  const values = [...new Set(rows.map(row => row.dataset[name]))];
  return numbers(name) ? values.sort((a, b) => a - b) : values;
};
const wordsOf = (name, value) => numbers(name) ? Number(value).toLocaleString('en-US') : value;

function matches(row, but) {
  return selects.every(s => s === but || !s.value || row.dataset[s.name] === s.value);
}

// Of the largest size: of those that take at most 3 % longer than the fastest that in which the most plugins compete.
// index.html without a script has the same (machines.py, most_telling).
function mostTelling(shown) {
  const n = Math.max(...shown.map(row => row.dataset.n)), largest = shown.filter(row => Number(row.dataset.n) === n);
  const least = Math.min(...largest.map(row => row.dataset.ns)), near = largest.filter(row => row.dataset.ns <= NEAR * least);
  return near.sort((a, b) => b.dataset.many - a.dataset.many)[0];
}

// What no answer has beside the other choices cannot be chosen.
function show() {
  for (const select of selects) {
    const there = new Set(rows.filter(row => matches(row, select)).map(row => row.dataset[select.name]));
    for (const option of select.options) option.disabled = option.value !== '' && !there.has(option.value);
  }
  for (const row of rows) row.hidden = !matches(row);
  const shown = rows.filter(row => !row.hidden);
  for (const row of document.getElementById('answers').rows) COLUMNS.forEach((name, i) => row.cells[i + 1].hidden = form.elements[name].value !== '');
  const first = mostTelling(shown);
  document.getElementById('says').innerHTML = first ? first.dataset.says : 'Nothing was measured of all that together: choose less.';
  document.getElementById('count').textContent = shown.length + ' of ' + rows.length + ' answers';
  for (const row of rows) row.classList.toggle('chosen', row === first && shown.length > 1);
}

function read() {
  const chosen = new URLSearchParams(location.hash.slice(1));
  for (const select of selects) {
    const value = chosen.size ? chosen.get(select.name) ?? '' : select.dataset.usual;
    select.value = [...select.options].some(option => option.value === value) ? value : '';
  }
  show();
}

function write() {
  const chosen = new URLSearchParams(selects.filter(s => s.value).map(s => [s.name, s.value]));
  history.replaceState(null, '', '#' + (chosen.size ? chosen : 'all=yes'));
}

for (const select of selects) {
  select.append(new Option('any', ''), ...valuesOf(select.name).map(value => new Option(wordsOf(select.name, value), value)));
}
form.addEventListener('change', () => {
  show();
  write();
});
form.addEventListener('reset', event => {
  event.preventDefault();
  for (const select of selects) select.value = '';
  show();
  write();
});
form.addEventListener('submit', event => event.preventDefault());
window.addEventListener('hashchange', read);
form.hidden = false;
read();
