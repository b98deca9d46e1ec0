// account.js - what tests ask the page: where each row is shown, and what is drawn

const PLACES = ['sizes and ranking', 'settings', 'phases', 'intervals and flags', 'missing'];

// For each row the bits of the places that show it, over all that can be chosen; 0: only the table of every row.
function placesOfRows() {
  const places = new Uint8Array(rowCount);
  const mark = (rows, place) => {
    for (const row of rows) places[row] |= 1 << place;
  };
  for (const problem of problems) {
    for (const clock of Object.keys(CLOCKS)) mark(curves(problem, clock).flatMap(c => c.points.map(p => p.row)), 0);
    mark(noiseRows(problem), 3);
    for (const n of sizesOf(problem)) {
      mark(mapsAt(problem, n).flatMap(map => map.rows), 1);
      for (const p of phasesAt(problem, n)) mark([p.run, p.h2d, p.d2h, p.device, p.e2e, ...p.kernels].filter(row => row !== null), 2);
    }
  }
  mark(missingGroups.flatMap(g => g.rows), 4);
  return places;
}

// The visible marks of a plot that is drawn.
function marksOf(figure) {
  const svg = figure.box.querySelector('svg');
  return svg ? svg.querySelectorAll('path, circle, rect').length : figure.box.querySelectorAll('canvas').length;
}

window.scanbenchReport = {
  // {place: how many rows}; `hidden`: rows of a run, or of none, that only the table of every row shows
  account() {
    const places = placesOfRows(), counts = PLACES.map((_, i) => places.reduce((sum, p) => sum + (p >> i & 1), 0));
    let hiddenRows = 0;
    for (let row = 0; row < rowCount; row++) if (!places[row] && outcomeOf(row).use !== 'calibrator' && (!isOk(row) || phaseOf(row) === 'run')) hiddenRows++;
    return { rows: rowCount, hidden: hiddenRows, ...Object.fromEntries(PLACES.map((name, i) => [name, counts[i]])) };
  },
  drawAll,
  figures: () => [...figures].map(([id, f]) => ({ id, points: f.spec.points, width: f.drawn, marks: marksOf(f) })),
  // Shows the tooltips of a figure at some places, and returns their texts.
  tips(id) {
    const { chart, box, spec } = figures.get(id), texts = [];
    for (let i = 0; i < Math.min(12, spec.points); i++) {
      chart.dispatchAction({ type: 'showTip', x: box.clientWidth * (0.2 + 0.05 * i), y: box.clientHeight / 2 });
      texts.push(box.querySelector('.tip')?.textContent ?? '');
    }
    chart.dispatchAction({ type: 'hideTip' });
    return texts;
  },
};
