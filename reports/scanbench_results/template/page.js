// page.js - what is chosen, and all sections drawn

const state = {
  problem: problems[0] ?? { index: -1, copies: [], dtype: '', op: '', kind: '', cache: '' },
  n: 0,
  clock: 'run',
  only: '', // a plugin that is picked out of the others
};

const CLOCKS = { run: 'the call (run)', device: 'the device', graph: 'in a graph (graph)', e2e: 'with copies (e2e)' };

// Of the sizes that most files have: a million, as readers ask for it, or else the largest.
function usualSize(problem) {
  const files = n => data.files.filter((_, file) => sizeIn(problem, file, n) !== null).length;
  const sizes = sizesOf(problem), most = Math.max(0, ...sizes.map(files)), shared = sizes.filter(n => files(n) === most);
  return shared.includes(1000000) ? 1000000 : shared[shared.length - 1] ?? 0;
}

// The chosen size as the captions name it.
function chosenWords() {
  const weak = data.files.some((_, file) => ![state.n, null].includes(sizeIn(state.problem, file, state.n)));
  return 'n = ' + wholeWords(state.n) + shapeWordsAt(state.problem, state.n) + (weak ? ' in each part' : '');
}

function fillSelect(name, entries, chosen) {
  const select = byId('choose').elements[name];
  select.replaceChildren(...entries.map(([value, words]) => element('option', { value, selected: value === chosen }, words)));
  byId('choose-' + name).hidden = entries.length < 2;
}

function showChoices() {
  const clocks = Object.keys(CLOCKS).filter(phase => rowsBySeries(state.problem, phase).size);
  if (!clocks.includes(state.clock)) state.clock = clocks[0] ?? 'run';
  const sizes = sizesOf(state.problem);
  if (!sizes.includes(state.n)) state.n = usualSize(state.problem);
  fillSelect('problem', problems.map((p, i) => [String(i), problemWords(p)]), String(problems.indexOf(state.problem)));
  fillSelect('size', sizes.map(n => [String(n), wholeWords(n)]), String(state.n));
  fillSelect('clock', clocks.map(c => [c, CLOCKS[c]]), state.clock);
  byId('choose').hidden = problems.length < 2 && sizes.length < 2 && clocks.length < 2;
}

function showTitle() {
  // A device that is not the processor names its file; else the processor does.
  const deviceOf = number => {
    const mine = data.series.filter(s => s.file === number && s.device);
    const list = mine.some(s => s.accelerator) ? mine.filter(s => s.accelerator) : mine.filter(s => s.backend === 'cpu');
    return (list.length ? list : mine).map(s => s.device);
  };
  const devices = [...new Set(data.files.flatMap((_, number) => deviceOf(number)))];
  const name = byId('title').dataset.name || listWords(devices.slice(0, 3));
  const title = 'Prefix scans' + (name ? ' on ' + name : '');
  byId('title').textContent = title;
  document.title = title;
  const machines = [...new Set(data.files.map((_, i) => machineOf(i)).filter(Boolean))];
  const days = [...new Set(data.files.map(f => (f.time || '').slice(0, 10)).filter(Boolean))].sort();
  const ran = new Set(Array.from({ length: rowCount }, (_, row) => row).filter(isOk).map(row => cell.series(row)));
  const plugins = new Set(data.series.filter((s, i) => ran.has(i) && s.role !== 'ceiling').map(s => s.plugin)).size;
  const sizes = [...data.sizes].sort(ascending);
  const of = problems.some(inRows) ? 'rows of ' : '';
  const span = of + (sizes.length > 1 ? wholeWords(sizes[0]) + ' to ' + wholeWords(sizes[sizes.length - 1]) + ' elements' : sizes.length ? plural(sizes[0], 'element') : '');
  byId('subtitle').textContent = [
    plural(plugins, 'plugin'), span, problems.length === 1 ? problemWords(state.problem) : plural(problems.length, 'problem'),
    listWords(machines), days.join(', '), manyFiles ? plural(data.files.length, 'file') : data.files[0]?.label,
  ].filter(Boolean).join(' · ');
}

// Links to the sections that are there, and a button that opens or folds all of them.
const folds = [...document.querySelectorAll('main > section > details')];
const foldAll = element('button', { type: 'button', onclick: () => {
  const open = folds.some(fold => !fold.open);
  for (const fold of folds) fold.open = open;
} });
for (const fold of folds) fold.addEventListener('toggle', sayFolds);

function sayFolds() {
  foldAll.textContent = folds.some(fold => !fold.open) ? 'Open all' : 'Fold all';
}

function showContents() {
  byId('contents').replaceChildren(...[...document.querySelectorAll('main > section')].filter(s => !s.hidden)
    .map(s => element('li', {}, element('a', { href: '#' + s.id }, s.querySelector('h2').textContent))), element('li', {}, foldAll));
}

function showSection(name) {
  const fold = byId(name).querySelector(':scope > details');
  if (fold) fold.open = true;
  byId(name).scrollIntoView();
}

function render() {
  showChoices();
  say('n', chosenWords());
  showAnswer();
  showShapes();
  showSizes();
  showSpeedups();
  showScaling();
  showSettings();
  showPhases();
  showErrors();
  showAccuracy();
  showNoise();
  showMissing();
  showContents();
}

// ---- the address: what is chosen, so that a reload and a link that is shared open the same -------------

// #noise&problem=i32-sum-exclusive-hot&n=1000000&clock=run&only=cuda_scan: a section, then what was chosen.
const problemKey = p => [p.dtype, p.op, p.kind, p.cache, ...SWEEP.map(name => p[name] ? name + p[name] : '')].filter(Boolean).join('-');
const sectionOf = address => {
  const name = address.slice(1).split('&')[0];
  return document.querySelector('main > section#' + CSS.escape(name || 'none')) ? name : '';
};

// Takes from the address what this page has; the rest stays as it is.
function readAddress() {
  const chosen = new Map(location.hash.slice(1).split('&').map(word => [word.split('=')[0], decoded(word.split('=').slice(1).join('='))]));
  const problem = problems.find(p => problemKey(p) === chosen.get('problem'));
  if (problem) state.problem = problem;
  if (sizesOf(state.problem).includes(Number(chosen.get('n')))) state.n = Number(chosen.get('n'));
  if (Object.keys(CLOCKS).includes(chosen.get('clock'))) state.clock = chosen.get('clock');
  if (chosen.has('only') && shortNames.includes(chosen.get('only'))) state.only = chosen.get('only');
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

function writeAddress() {
  const words = [
    sectionOf(location.hash), problems.length > 1 ? 'problem=' + encodeURIComponent(problemKey(state.problem)) : '', 'n=' + state.n,
    'clock=' + state.clock, state.only ? 'only=' + encodeURIComponent(state.only) : '',
  ];
  try {
    history.replaceState(null, '', '#' + words.filter(Boolean).join('&'));
  } catch {
    // A page within another one may have no address of its own.
  }
}

// A link to a section keeps what is chosen.
window.addEventListener('hashchange', () => {
  const section = sectionOf(location.hash);
  if (location.hash.includes('=')) {
    readAddress();
    render();
  } else {
    writeAddress();
  }
  if (section) showSection(section);
});

byId('choose').addEventListener('change', event => {
  const { name, value } = event.target;
  if (name === 'problem') state.problem = problems[Number(value)];
  else if (name === 'size') state.n = Number(value);
  else state.clock = value;
  render();
  writeAddress();
});
byId('choose').addEventListener('submit', event => event.preventDefault());

readAddress();
showTitle();
render();
showClaims();
showRows();
showMachine();
showContents();
sayFolds();
if (sectionOf(location.hash)) showSection(sectionOf(location.hash));
