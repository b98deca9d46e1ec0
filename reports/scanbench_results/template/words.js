// words.js - numbers and settings as people write them

// `digits` significant digits, without an exponent and with a thin comma in the thousands.
function digits(value, count) {
  if (value === 0) return '0';
  const magnitude = Math.floor(Math.log10(Math.abs(value)) + 1e-9);
  const decimals = Math.max(0, count - 1 - magnitude);
  return value.toLocaleString('en-US', { minimumFractionDigits: Math.min(decimals, 12), maximumFractionDigits: Math.min(decimals, 12) });
}

function timeWords(ns, count = 3) {
  const units = [['ns', 1], ['µs', 1e3], ['ms', 1e6], ['s', 1e9]];
  let unit = units[0];
  for (const u of units) if (ns >= u[1] * 0.9995) unit = u;
  return digits(ns / unit[1], count) + '\u00a0' + unit[0];
}

const wholeWords = value => Math.round(value).toLocaleString('en-US');

// Powers of ten as such: axes have no room for zeros.
function powerWords(value) {
  const exponent = Math.log10(value);
  if (value >= 1e3 && Math.abs(exponent - Math.round(exponent)) < 1e-9) return '10' + superscript(Math.round(exponent));
  return value >= 1e3 ? scientific(value) : String(Number(value.toPrecision(3)));
}

function superscript(whole) {
  return String(whole).replace('-', '⁻').replace(/\d/g, d => '⁰¹²³⁴⁵⁶⁷⁸⁹'[d]);
}

function scientific(value, count = 2) {
  if (value === 0) return '0';
  const exponent = Math.floor(Math.log10(Math.abs(value)));
  const mantissa = (value / 10 ** exponent).toFixed(count - 1).replace(/\.?0+$/, '');
  return (mantissa === '1' ? '' : mantissa + '·') + '10' + superscript(exponent);
}

// Of an axis: as few digits as a tick needs, and never 0 for what is not 0.
function axisNumber(value) {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e9)) return scientific(value, 3);
  return Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 7 });
}
const axisRatio = value => axisNumber(value) + '×';

const gigaWords = bytes => digits(bytes / 1e9, 3) + '\u00a0GB/s';
const percentWords = percent => digits(percent, percent < 10 ? 2 : 3) + '\u00a0%';
const ratioWords = ratio => digits(ratio, ratio >= 1 && ratio < 1.1 ? 4 : 3) + '×';

// ± in percent, for tables; empty where there is no interval.
function halfWidthWords(row) {
  const half = halfWidth(row);
  return half === null ? '' : '±\u00a0' + digits(half * 100, 2) + '\u00a0%';
}

// block=256 vt=4 pad=1; '' where nothing can be set.
function settingWords(setting) {
  const words = [];
  if (setting.block !== null) words.push('block=' + setting.block);
  if (setting.vt !== null) words.push('vt=' + setting.vt);
  if (setting.params) words.push(...setting.params.split(';'));
  return words.join(' ');
}

// Of a row's setting, what differs between the rows of its plugin, in any file; the table of every row has the rest.
const shortSetting = row => settingWords(settingOf(row)).split(' ').filter(word => variedOf(seriesOf(row).plugin).has(word.split('=')[0])).join(' ');

// Of a row's setting, what differs or is not the default; where the metadata do not say that, what is not 0, which
// mostly leaves it to the plugin.
function toldSetting(row) {
  const plugin = seriesOf(row).plugin;
  const told = data.files[seriesOf(row).file].info.plugins.find(p => p.id === plugin)?.defaults?.split(';');
  const isDefault = word => told ? told.includes(word) : word.endsWith('=0');
  return settingWords(settingOf(row)).split(' ').filter(word => variedOf(plugin).has(word.split('=')[0]) || !isDefault(word)).join(' ');
}

// The name of a copy, and the setting that made it the fastest.
const copyName = row => [shortName(cell.series(row)), shortSetting(row)].filter(Boolean).join(' ');

const varied = new Map(); // plugin -> its tunables that have several values
function variedOf(plugin) {
  if (!varied.size) {
    const values = new Map(), seen = new Set(); // plugin -> tunable -> values
    for (let row = 0; row < rowCount; row++) {
      const of = seriesOf(row).plugin, pair = cell.series(row) * data.settings.length + cell.setting(row);
      if (seen.has(pair)) continue;
      seen.add(pair);
      if (!values.has(of)) values.set(of, new Map());
      for (const [name, value] of tunablesOf(settingOf(row))) values.get(of).set(name, (values.get(of).get(name) || new Set()).add(String(value)));
    }
    for (const [of, tunables] of values) varied.set(of, new Set([...tunables].filter(([, set]) => set.size > 1).map(([name]) => name)));
  }
  return varied.get(plugin);
}

function tunablesOf(setting) {
  const values = new Map();
  if (setting.block !== null) values.set('block', setting.block);
  if (setting.vt !== null) values.set('vt', setting.vt);
  for (const word of (setting.params || '').split(';')) {
    const at = word.indexOf('=');
    if (at > 0) values.set(word.slice(0, at), word.slice(at + 1));
  }
  return values;
}

function listWords(words) {
  return words.length < 2 ? words.join('') : words.slice(0, -1).join(', ') + ' and ' + words[words.length - 1];
}

// Words that do not break: "noisy, gpu_shared" breaks behind the comma only. '' if there are none.
function unbroken(list) {
  if (!list.length) return '';
  const made = element('span');
  list.forEach((word, i) => made.append(...(i ? [', '] : []), element('span', { class: 'whole' }, word)));
  return made;
}

// A long list is folded: how many there are, and which on demand.
const MOST_NAMES = 6;
function foldedNames(names, noun = 'plugin') {
  if (names.length <= MOST_NAMES) return breakable(names.join(', '));
  return element('details', { class: 'names' }, element('summary', {}, plural(names.length, noun)), breakable(names.join(', ')));
}

// Of how many rows a row of the CSV is a scan: ' in 1,024 rows', ' in 1 row with inner 2'; '' for one long array.
function shapeWords(row) {
  const inner = innerOf(row) > 1 ? ' with inner ' + wholeWords(innerOf(row)) : '';
  return rowsOf(row) === 1 && !inner ? '' : ' in ' + plural(rowsOf(row), 'row') + inner;
}

// All that was measured of a problem at n has one number of rows.
function shapeWordsAt(problem, n) {
  const [rows] = [...rowsBySeries(problem, 'run').values()].map(bySize => bySize.get(n)).filter(Boolean);
  return rows ? shapeWords(rows[0]) : '';
}

const plural = (count, word, more = word + 's') => wholeWords(count) + '\u00a0' + (count === 1 ? word : more);

// ---- elements ---------------------------------------------------------------------------------

// element('p', {class: 'note'}, 'text', child, …)
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children.filter(child => child !== null && child !== undefined && child !== ''));
  return made;
}

const byId = id => document.getElementById(id);

function say(what, words) {
  for (const place of document.querySelectorAll('[data-say="' + what + '"]')) place.textContent = words;
}

// A name that may break behind its underscores.
function breakable(text) {
  const made = element('span');
  text.split(/(?<=_)/).forEach((part, i) => made.append(...(i ? [document.createElement('wbr'), part] : [part])));
  return made;
}

const escaped = text => text.replace(/[&<>"]/g, c => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }[c]));
