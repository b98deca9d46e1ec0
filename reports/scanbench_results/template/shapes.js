// shapes.js - maps of rows × n: the fastest plugin of each, and its lead over the next

const LED = 40, ROOMY = 52; // pixels from which a cell has room for the lead, and an axis for n as it is

const exactWords = whole => /^10+$/.test(whole) ? powerWords(whole) : wholeWords(whole);

// The winners of problems that differ in their rows alone, by file and place: of those that are a grid, and no line.
function gridsOf(problem) {
  const alike = problems.filter(p => ['dtype', 'op', 'kind', 'cache', 'inner'].every(name => p[name] === problem[name])).map(p => p.index);
  const grids = new Map();
  for (const w of data.winners.filter(w => w.view === RESIDENT && alike.includes(w.problem))) {
    const key = w.file + ' ' + w.place;
    grids.set(key, [...(grids.get(key) || []), w]);
  }
  const count = (winners, of) => new Set(winners.map(of)).size;
  return [...grids.values()].filter(winners => winners.length > Math.max(count(winners, w => w.n), count(winners, w => rowsOf(w.row))));
}

function showShapes() {
  const place = byId('grids'), grids = gridsOf(state.problem);
  for (const old of place.querySelectorAll('figure')) showFigure(old.id, null);
  place.replaceChildren();
  byId('shapes').hidden = !grids.length;
  grids.forEach((winners, i) => {
    const id = 'grid-' + i, title = [placeWords(winners[0].place), manyFiles ? data.files[winners[0].file].label : ''].filter(Boolean).join(' · ');
    place.append(element('figure', { id }, element('figcaption', {}, element('h3', {}, title[0].toUpperCase() + title.slice(1)))));
    showFigure(id, gridSpec(winners));
  });
}

function gridSpec(winners) {
  const sizes = [...new Set(winners.map(w => w.n))].sort(ascending), counts = [...new Set(winners.map(w => rowsOf(w.row)))].sort(ascending);
  const wins = new Map();
  for (const w of winners) wins.set(cell.series(w.row), (wins.get(cell.series(w.row)) || 0) + 1);
  const order = [...wins.keys()].sort((a, b) => wins.get(b) - wins.get(a) || a - b);
  const letter = series => String.fromCharCode(97 + order.indexOf(series) % 26), title = series => letter(series) + ' ' + shortName(series);
  const named = 1.15 * longest(order.map(title)) + 8; // in bold
  const map = { columns: sizes, across: 'n', names: counts.map(exactWords) };
  const sure = w => w.verdict === 'certain' || w.verdict === 'alone';
  const fill = w => mix([rgb(lookOf(cell.series(w.row)).colour), rgb(colour('ground'))], sure(w) ? 0 : 0.6);
  const mark = w => ({ tied: '=', unknown: '?' })[w.verdict] ?? '';
  const words = (w, wide) => {
    if (wide < LED) return letter(cell.series(w.row)) + mark(w);
    return (wide < named ? letter : title)(cell.series(w.row)) + (w.next === null && !mark(w) ? '' : '\n' + (mark(w) || digits(w.ratio, 3) + '×'));
  };
  const tip = w => rowTip(w.row) + '<div>' + certainty(w).words + (w.next === null ? '' : '; the next, ' + escaped(shortName(cell.series(w.next))) + ', takes ' + ratioWords(w.ratio) + ' as long') + '</div>';
  return {
    height: width => counts.length * (cellWidth(map, width) < LED ? 28 : 42) + 40,
    label: 'Map of ' + plural(winners.length, 'shape') + ', n across and rows down; most of them are won by ' + shortName(order[0]) + '; the table below has all.',
    points: winners.length * 2,
    legend: order.map(series => ({ name: title(series) + ' (' + wins.get(series) + ')', swatch: squareSwatch(lookOf(series).colour) })),
    option: width => {
      const wide = cellWidth(map, width);
      const cells = winners.map(w => ({ x: sizes.indexOf(w.n), y: counts.indexOf(rowsOf(w.row)), fill: fill(w), words: words(w, wide), bold: w.verdict === 'certain', tip: () => tip(w) }));
      return cellsOption({ ...map, columns: sizes.map(wide < ROOMY ? powerWords : exactWords), cells }, width);
    },
    table: {
      caption: scanWords(state.problem) + innerWords(state.problem) + '. The winner of each number of rows and n', summary: 'The winners',
      columns: winnerColumns(winners), items: [...winners].sort((a, b) => rowsOf(a.row) - rowsOf(b.row) || a.n - b.n), chosen: w => w.problem === state.problem.index && w.n === state.n,
    },
  };
}
