// figures.js - a figure: legend, plot, and the table of its numbers. Plots are drawn when they come near
// the window, anew when its width or its colours change, and all of them before the page is printed.

const figures = new Map(); // id -> {spec, box, chart, drawn: the width it was drawn for}
const PAPER_WIDTH = 680;   // of A4 between its margins
const narrow = width => width < 640;
const onPaper = () => document.documentElement.dataset.paper !== undefined;

const nearWindow = new IntersectionObserver(entries => {
  for (const entry of entries) {
    const figure = figures.get(entry.target.dataset.figure);
    if (!figure) continue;
    figure.near = entry.isIntersecting;
    if (figure.near) draw(figure);
  }
}, { rootMargin: '400px' });

function draw(figure, width = figure.box.clientWidth) {
  if (!figure.box.isConnected || figure.drawn === width || width === 0) return;
  const height = figure.spec.height(width);
  figure.box.style.height = height + 'px';
  if (!figure.chart) {
    figure.chart = echarts.init(figure.box, null, { renderer: figure.spec.points > 6000 ? 'canvas' : 'svg', width, height });
  } else {
    figure.chart.resize({ width, height });
  }
  figure.chart.setOption({ ...common(), ...figure.spec.option(width, height) }, { notMerge: true });
  figure.chart.getZr().flush();
  figure.drawn = width;
}

function common() {
  return {
    animation: false,
    textStyle: { fontFamily: getComputedStyle(document.body).fontFamily, fontSize: 12, color: colour('ink') },
    backgroundColor: 'transparent',
  };
}

const tooltip = more => ({
  confine: true, className: 'tip', backgroundColor: colour('ground'), borderColor: colour('axis'), borderWidth: 1, padding: [8, 10],
  textStyle: { color: colour('ink'), fontSize: 12 }, transitionDuration: 0, extraCssText: 'box-shadow: 0 2px 10px rgb(0 0 0 / 18%); z-index: 4;',
  ...more,
});

function redraw(width) {
  for (const figure of figures.values()) {
    if (figure.near || width) {
      figure.drawn = null;
      draw(figure, width);
    } else {
      figure.drawn = null;
    }
  }
}

function drawAll() {
  for (const figure of figures.values()) draw(figure);
}

// Shows what `spec` says in the figure `id`, or hides it if spec is null:
//   height(width), option(width, height)   of the plot; or no plot, if there is no option
//   label                                  what the plot shows, in one sentence
//   points                                 how many it draws
//   legend                                 [series], or [{name, swatch}] without buttons
//   faint                                  [{name, plugin}]: what is drawn grey, to be picked
//   note                                   an element below the plot
//   table, open                            what table() takes; open: shown at once
function showFigure(id, spec) {
  const place = byId(id), old = figures.get(id);
  if (old) {
    nearWindow.unobserve(old.box);
    old.chart?.dispose();
    figures.delete(id);
  }
  place.hidden = !spec;
  for (const button of place.querySelectorAll('.legend button')) legendButtons.delete(button);
  while (place.lastChild && place.lastChild !== place.querySelector('figcaption')) place.lastChild.remove();
  if (!spec) return;
  if (spec.legend?.length) place.append(legendOf(spec.legend, spec.faint || [], id));
  if (spec.option) {
    const box = element('div', { class: 'plot', role: 'img', 'aria-label': spec.label, 'data-figure': id });
    place.classList.add('plotted');
    place.append(box);
    const figure = { spec, box, chart: null, drawn: null, near: false };
    figures.set(id, figure);
    box.style.height = spec.height(box.clientWidth) + 'px';
    nearWindow.observe(box);
  }
  if (spec.note) place.append(spec.note);
  if (spec.table) place.append(spec.open ? tableOf(spec.table) : foldedTable(spec.table));
}

// ---- legends ------------------------------------------------------------------------------------

function legendOf(entries, faint, figure) {
  const list = element('ul', { class: 'legend' });
  const plugins = new Set([...entries, ...faint].map(e => e?.plugin).filter(Boolean));
  for (const entry of entries.every(e => typeof e === 'number') ? legendEntries(entries) : entries) {
    if (!entry) { // a new line
      list.append(element('li', { class: 'break', role: 'presentation' }));
      continue;
    }
    const of = entry.series;
    const item = of ? element('button', { type: 'button', title: 'show or hide in all plots', onclick: () => toggle(of) }) : element('span', { class: 'entry' });
    item.innerHTML = typeof entry.swatch === 'function' ? entry.swatch() : entry.swatch;
    item.append(entry.name);
    if (of) legendButtons.set(item, entry);
    list.append(element('li', {}, item, plugins.size > FEW && entry.plugin ? onlyButton(entry.plugin, figure, 'only') : null));
  }
  if (faint.length) list.append(element('li', { class: 'others' }, othersOf([...new Set(faint.map(e => e.plugin))], figure)));
  pressButtons();
  return list;
}

const FEW = 3; // plugins that need no choice

// Picks one plugin, whose line stands out from the grey ones in all plots; once more: all again.
function onlyButton(plugin, figure, words) {
  const pressed = state.only === plugin;
  return element('button', {
    type: 'button', class: 'only', 'data-only': plugin, 'aria-pressed': String(pressed), 'aria-label': words === plugin ? null : 'only this one: ' + plugin,
    title: pressed ? 'show the best again' : 'grey all others in all plots', onclick: () => pickOnly(pressed ? '' : plugin, plugin, figure),
  }, pressed && words !== plugin ? 'all' : words);
}

// What is drawn grey: a list to be opened, each name a button.
function othersOf(plugins, figure) {
  return element('details', { open: openedOthers.has(figure), ontoggle: event => openedOthers[event.target.open ? 'add' : 'delete'](figure) },
    element('summary', {}, plural(plugins.length, 'other') + ' in grey'), ...plugins.map(plugin => onlyButton(plugin, figure, plugin)));
}
const openedOthers = new Set();

// The plots are made anew, so the button that was pressed is another one: the focus goes there.
function pickOnly(only, plugin, figure) {
  state.only = only;
  render();
  writeAddress();
  byId(figure).querySelector('[data-only="' + CSS.escape(plugin) + '"]')?.focus({ preventScroll: true });
}

const legendButtons = new Map(); // button -> entry

function pressButtons() {
  for (const [button, { series }] of legendButtons) button.setAttribute('aria-pressed', String(series.some(s => !hidden.has(s))));
}

function toggle(series) {
  const hide = series.some(s => !hidden.has(s));
  for (const s of series) hide ? hidden.add(s) : hidden.delete(s);
  pressButtons();
  redraw();
}

function squareSwatch(fill) {
  return '<svg width="12" height="12" aria-hidden="true"><rect width="12" height="12" rx="2" fill="' + fill + '"/></svg>';
}

// ---- when the window changes ----------------------------------------------------------------------

let lastWidth = window.innerWidth;
window.addEventListener('resize', () => {
  if (window.innerWidth === lastWidth || onPaper()) return;
  lastWidth = window.innerWidth;
  redraw();
});

window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  render();
});

// On paper: light, and as wide as the paper.
window.addEventListener('beforeprint', () => {
  document.documentElement.dataset.paper = 'yes';
  render();
  redraw(PAPER_WIDTH);
});
window.addEventListener('afterprint', () => {
  delete document.documentElement.dataset.paper;
  render();
});
