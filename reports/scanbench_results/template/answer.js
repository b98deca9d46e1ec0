// answer.js - the answer in words, the ranking at one size, and the winner at every size

// The problems of the report: one winner for each file, place and size, where `view` says which time competes.
// Devices come before the processor.
const RESIDENT = 'resident', FROM_HOST = 'from host';
function winnersOf(problem, view) {
  return data.winners.filter(w => w.problem === problem.index && w.view === view)
    .sort((a, b) => a.n - b.n || a.file - b.file || (a.place === PROCESSOR) - (b.place === PROCESSOR));
}

const PROCESSOR = 'processor';
const placeWords = place => place.startsWith(PROCESSOR) ? 'the ' + place : place;
const manyPlaces = winners => new Set(winners.map(w => w.place)).size > 1;

const plugin = row => '<b>' + escaped(shortName(cell.series(row))) + '</b>';
const timeOf = row => escaped(timeWords(cell.median_ns(row)));

function settingNote(row) {
  const words = shortSetting(row);
  return words ? ' <span class="setting">' + escaped(words) + '</span>' : '';
}

// How sure it is that the winner is faster than the next: {words, sentence}.
function certainty(w) {
  switch (w.verdict) {
    case 'certain': return { words: 'certain', means: 'the 95 % interval of the ratio to the next excludes 1', sentence: 'That is <b>certain</b>: the 95 % interval is ' + ratioWords(w.lo) + ' to ' + ratioWords(w.hi) + '.' };
    case 'tied': return { words: 'tied', means: 'the interval of a ratio holds 1, so nobody can tell them apart', sentence: 'the measurement cannot tell them apart.' };
    case 'alone': return { words: 'no other', means: 'no other plugin was measured there', sentence: 'No other plugin was measured there.' };
    default: return { words: 'not known', means: 'there is no interval, or the rounds are too noisy', sentence: 'Whether it is the fastest is <b>not known</b>: ' + (escaped(w.doubt) || 'the rounds are too few or too noisy') + '.' };
  }
}

const tag = w => '<span class="tag ' + w.verdict + '">' + certainty(w).words + '</span>';

// The sentence that answers the question at one size and place.
function winnerSentence(w, where) {
  const at = 'At n = ' + wholeWords(w.n) + shapeWords(w.row) + where + ' ';
  if (w.tied.length) {
    const most = w.tied.length > 4 ? 3 : 4;
    const others = listWords(w.tied.slice(0, most).map(plugin).concat(w.tied.length > most ? [plural(w.tied.length - most, 'more', 'more')] : []));
    return at + plugin(w.row) + ' has the shortest time, <b>' + timeOf(w.row) + '</b>, but is <b>tied</b> with ' + others + ': ' + certainty(w).sentence +
      (w.next === null ? '' : ' The next, ' + escaped(shortName(cell.series(w.next))) + ', takes ' + ratioWords(w.ratio) + ' as long.');
  }
  if (w.next === null) return at + plugin(w.row) + ' takes <b>' + timeOf(w.row) + '</b>. ' + certainty(w).sentence;
  const next = escaped(shortName(cell.series(w.next)));
  if (w.verdict !== 'certain') return at + plugin(w.row) + ' has the shortest median time, <b>' + timeOf(w.row) + '</b>; the next, ' + next + ', takes ' + timeOf(w.next) + '. ' + certainty(w).sentence;
  return at + plugin(w.row) + ' is fastest: <b>' + timeOf(w.row) + '</b>, <b>' + ratioWords(w.ratio) + '</b> as fast as the next, ' + next + ' (' + timeOf(w.next) + '). ' + certainty(w).sentence + roundsNote(w);
}

// A ratio within rounds need not be that of the medians.
function roundsNote(w) {
  const apart = Math.abs(Math.log(w.ratio * cell.median_ns(w.row) / cell.median_ns(w.next)));
  return apart > 0.03 ? ' (The ratio is made within rounds, where what disturbs both cancels; that of the medians is ' + ratioWords(cell.median_ns(w.next) / cell.median_ns(w.row)) + '.)' : '';
}

function ceilingSentence(w) {
  if (w.copy === null) return 'What would be best possible there is not known: no copy was measured.';
  const own = cell.pct_copy(w.row), isOwn = own !== null && copyOf(w.row) === w.copy;
  const ratio = isOwn ? 100 / own : cell.median_ns(w.row) / cell.median_ns(w.copy), note = own === null || isOwn ? '' : otherCopyNote(w.row, own);
  const start = 'Best possible: the copy of the same bytes, ' + escaped(shortName(cell.series(w.copy))) + ', takes <b>' + timeOf(w.copy) + '</b>. ';
  if (ratio < 1) return start + plugin(w.row) + ' is faster than that: its data comes from a nearer cache, or it has more threads.' + note;
  return start + plugin(w.row) + ' takes ' + ratioWords(ratio) + ' as long, so it has ' + percentWords(100 / ratio) + ' of its bandwidth.' + note;
}

// The share that plots and tables show, where it is that of another copy: of which.
const otherCopyNote = (row, own) => ' (Plots and tables say ' + percentWords(own) + ': of ' + (copyOf(row) === null ? 'a copy of its own backend' : copyName(copyOf(row))) + ', which has at most as many threads.)';

function copiesSentence(w) {
  const next = w.tied.length ? ', tied with ' + listWords(w.tied.slice(0, 3).map(plugin).concat(w.tied.length > 3 ? [plural(w.tied.length - 3, 'more', 'more')] : []))
    : w.next === null ? '' : ', ' + ratioWords(w.ratio) + ' as fast as ' + escaped(shortName(cell.series(w.next))) + (w.verdict === 'certain' ? '; certain' : '');
  return 'With the data in host memory, copies to a device and back included: ' + plugin(w.row) + ', <b>' + timeOf(w.row) + '</b>' + next + '.';
}

// Which plugin is fastest, or tied with the fastest, over which stretches of sizes: the fewest that there are.
function stretches(winners) {
  const found = [];
  const contenders = w => new Set([w.row, ...w.tied].map(row => cell.series(row)));
  let at = 0;
  while (at < winners.length) {
    let left = contenders(winners[at]), end = at + 1;
    for (; end < winners.length; end++) {
      const both = new Set([...left].filter(s => contenders(winners[end]).has(s)));
      if (!both.size) break;
      left = both;
    }
    const wins = s => winners.slice(at, end).filter(w => cell.series(w.row) === s).length;
    const series = [...left].sort((a, b) => wins(b) - wins(a))[0];
    found.push({ series, from: winners[at].n, to: winners[end - 1].n, alone: wins(series) === end - at && winners.slice(at, end).every(w => !w.tied.length) });
    at = end;
  }
  return found;
}

function stretchesSentence(winners) {
  const parts = stretches(winners);
  if (winners.length < 2 || parts.length > 5 || winners.every(w => w.verdict === 'alone')) return '';
  const name = p => '<b>' + escaped(shortName(p.series)) + '</b>';
  const tied = (parts.some(p => !p.alone) ? ', or tied with the fastest' : '') + (winners.some(w => w.verdict === 'unknown') ? ', by its median where nobody can say more' : '');
  if (parts.length === 1) return (winners.length === 2 ? 'At both sizes ' : 'At all ' + winners.length + ' sizes ') + name(parts[0]) + ' is fastest' + tied + '.';
  return 'Over all sizes ' + listWords(parts.map((p, i) => {
    const range = p.from === p.to ? 'at ' + wholeWords(p.from) : i === 0 ? 'up to ' + wholeWords(p.to) : i === parts.length - 1 ? 'from ' + wholeWords(p.from) + ' on' : 'from ' + wholeWords(p.from) + ' to ' + wholeWords(p.to);
    return name(p) + ' ' + range;
  })) + ' is fastest' + tied + '.';
}

function showAnswer() {
  const place = byId('answer-words'), winners = winnersOf(state.problem, RESIDENT), copied = winnersOf(state.problem, FROM_HOST);
  place.replaceChildren();
  if (!winners.length) place.append(element('p', { class: 'says' }, emptyWords()));
  answerFiles(place, winners, copied);
  showRanking();
  const contested = winners.filter(w => w.verdict !== 'alone');
  showWinners('winners', contested.length ? contested : winners, 'The winners at each size, each in its fastest setting', true);
  showWinners('winners-copies', copied.length && copied.some(w => accelerated(w)) ? copied : [], 'The winners at each size, each in its fastest setting, copies included', false);
}

const accelerated = w => [w.row, ...w.tied, w.next].some(row => row !== null && phaseOf(row) === 'e2e');

function emptyWords() {
  if (rowCount === 0) return 'The file has no rows.';
  if (data.outcomes.every(o => o.use !== 'shown')) return 'Nothing was measured: all that was asked for was skipped, is not there, or failed. The reasons are below.';
  return 'No scan was measured here, only copies.';
}

const MOST_ANSWERS = 3, MOST_WINNERS = 12; // that are not folded

// The answers of the files; of many only that in which the most plugins compete at the chosen size is not folded.
function answerFiles(place, winners, copied) {
  const files = [...new Set(winners.map(w => w.file))].sort(ascending);
  const competitors = file => rankedRows().filter(row => fileOf(row) === file).length;
  const first = files.length > MOST_ANSWERS ? files.reduce((best, file) => competitors(file) > competitors(best) ? file : best) : null;
  const answer = (to, file) => answerFile(to, file, winners.filter(w => w.file === file), copied.filter(w => w.file === file));
  const others = element('details', {}, element('summary', {}, 'What the other ' + plural(files.length - 1, 'file') + ' say'));
  for (const file of files) answer(first === null || file === first ? place : others, file);
  if (first !== null) place.append(others);
}

// The answer of one file at the chosen size.
function answerFile(place, number, winners, copied) {
  const file = data.files[number];
  const add = (className, html) => {
    if (!html) return;
    const p = element('p', { class: className });
    p.innerHTML = html;
    place.append(p);
  };
  if (!winners.length) return;
  if (manyFiles) place.append(element('p', { class: 'file-name' }, file.label + (machineOf(number) ? ' · ' + machineOf(number) : '')));
  const there = sizeIn(state.problem, number, state.n), n = there ?? nearest([...answered(state.problem, number)], state.n);
  const now = winners.filter(w => w.n === n);
  if (there === null) add('also', 'Nothing was measured at n = ' + wholeWords(state.n) + ' there; the nearest size is ' + wholeWords(n) + '.');
  const parts = there !== null && n !== state.n ? ' (' + wholeWords(state.n) + ' in each of ' + wholeWords(n / state.n) + ' parts)' : '';
  for (const w of now) {
    const where = parts + (manyPlaces(winners) ? ' on ' + escaped(placeWords(w.place)) : ''), beside = w.verdict === 'alone' && now.length > 1;
    add(beside ? 'also' : 'says', winnerSentence(w, where));
    if (w === now[0]) add('also disturbed', disturbedSentence(number, now));
    if (!beside || w.copy !== null) add('also', ceilingSentence(w));
    add('also', stretchesSentence(winners.filter(v => v.place === w.place)));
  }
  const from = copied.find(w => w.n === n);
  if (from && accelerated(from)) add('also', copiesSentence(from));
}

const nearest = (sizes, n) => sizes.reduce((best, size) => Math.abs(Math.log(size / n)) < Math.abs(Math.log(best / n)) ? size : best, sizes[0]);

// What disturbed the run of a file, beside how sure its answer is: flags, how many configurations have them, and the load.
function disturbedSentence(number, winners) {
  const rows = noiseRows(state.problem).filter(row => fileOf(row) === number), found = new Map(); // flag -> how many
  for (const row of rows) for (const flag of disturbances(row)) found.set(flag, (found.get(flag) || 0) + 1);
  if (!found.size) return '';
  const many = count => count === rows.length ? 'all ' + plural(count, 'configuration') : wholeWords(count) + ' of ' + plural(rows.length, 'configuration');
  const said = [...found].sort((a, b) => b[1] - a[1]).map(([flag, count]) => escaped(data.flag_words[flag].means) + ' (<code class="whole">' + escaped(flag) + '</code>, ' + many(count) + ')');
  const loads = rows.map(cell.load).filter(load => load !== null), units = (data.files[number].info.topology || '').match(/(\d+) processing units/);
  if (loads.length && found.has('busy')) said.push('the load was ' + loadWords(extremes(loads)) + (units ? ' on ' + plural(Number(units[1]), 'processing unit') : ''));
  const named = [...new Set(winners.flatMap(w => [w.row, ...w.tied.slice(0, 3), w.next]))].filter(row => row !== null && disturbances(row).length);
  return '<b>What disturbed the run:</b> ' + said.join('; ') + '. ' + (named.length ? 'Of the plugins named here it touched ' + listWords(named.map(plugin)) + '. ' : '') + '<a href="#noise">More</a>';
}

const loadWords = ([lo, hi]) => digits(lo, 3) === digits(hi, 3) ? digits(hi, 3) : digits(lo, 3) + ' to ' + digits(hi, 3);

function html(words) {
  const span = element('span');
  span.innerHTML = words;
  return span;
}

// The winner, and below it what is tied with it.
function winnerCell(words, tied) {
  const made = html(words);
  if (tied.length) made.append(element('br'), 'tied with ', foldedNames(tied));
  return made;
}

// What tables say of winners, as far as it says something.
function winnerColumns(winners) {
  const breaks = row => plugin(row).replaceAll('_', '_<wbr>');
  return [
    { name: 'n', number: true, words: w => wholeWords(w.n) },
    ...[rowColumns.rows, rowColumns.inner].map(c => ({ ...c, words: w => c.words(w.row) })),
    { name: 'file', words: w => manyFiles ? data.files[w.file].label : '' },
    { name: 'on', words: w => manyPlaces(winners) ? placeWords(w.place) : '' },
    { name: 'fastest', words: w => winnerCell(breaks(w.row) + settingNote(w.row) + (w.verdict === 'unknown' ? ' <span class="setting">by its median</span>' : ''), w.tied.map(row => shortName(cell.series(row)))) },
    { name: 'time', number: true, words: w => timeWords(cell.median_ns(w.row)) },
    { name: 'GB/s', number: true, wide: true, words: w => bytesPerSecond(w.row) === null ? '' : digits(bytesPerSecond(w.row) / 1e9, 3) },
    { name: 'fastest copy', wide: true, words: w => w.copy === null ? '' : html(breaks(w.copy).replaceAll(/<\/?b>/g, '') + ', ' + timeOf(w.copy)) },
    { name: 'the next', words: w => w.next === null ? '' : html(breaks(w.next).replaceAll(/<\/?b>/g, '') + ' takes ' + ratioWords(w.ratio) + ' as long') },
    { name: 'how sure', words: w => html(tag(w)) },
  ].filter(c => c.name === 'fastest' || winners.some(w => c.words(w) !== ''));
}

function showWinners(id, winners, caption, open) {
  if (winners.length < 2) { // the sentence has said it
    showFigure(id, null);
    return;
  }
  const tags = ['certain', 'tied', 'unknown', 'alone'].map(verdict => winners.find(w => w.verdict === verdict)).filter(Boolean);
  byId(id).querySelector('.tags').innerHTML = tags.map(w => tag(w) + ' ' + certainty(w).means).join('; ') + '.';
  showFigure(id, {
    open: open && winners.length <= MOST_WINNERS, table: { caption: problemWords(state.problem) + '. ' + caption, columns: winnerColumns(winners), items: winners, chosen: w => w.n === state.n, summary: 'The winner at every size' },
  });
}

// ---- the ranking ------------------------------------------------------------------------------------

const MOST_RANKED = 40;

function rankedRows() {
  return curves(state.problem, state.clock).flatMap(c => c.points.filter(p => p.n === sizeOfSeries(state.problem, c.series, state.n)).map(p => p.row))
    .sort((a, b) => cell.median_ns(a) - cell.median_ns(b));
}

function showRanking() {
  const all = rankedRows(), rows = all.slice(0, MOST_RANKED);
  if (!rows.length) {
    showFigure('ranking', null);
    return;
  }
  byId('ranking-copies').hidden = !rows.some(row => isCeiling(cell.series(row)));
  const values = rows.flatMap(row => [cell.median_ns(row), cell.ci_lo_ns(row) ?? cell.median_ns(row), cell.ci_hi_ns(row) ?? cell.median_ns(row)]);
  // What is in place is told apart by its name, and is not what the others are held against.
  const scans = rows.filter(row => !isCeiling(cell.series(row)));
  const fastestScan = scans.find(row => !data.series[cell.series(row)].inPlace) ?? scans[0] ?? rows[0];
  const note = all.length > rows.length ? element('p', { class: 'note' }, 'The fastest ' + rows.length + ' of ' + all.length + '; the table has all.') : null;
  showFigure('ranking', {
    height: () => rows.length * 25 + 56,
    label: 'Times of ' + plural(rows.length, 'plugin') + ' at ' + chosenWords() + ', fastest first: ' +
      rows.slice(0, 5).map(row => nameOf(cell.series(row)) + ' ' + timeWords(cell.median_ns(row))).join(', ') + (rows.length > 5 ? ' and more.' : '.'),
    points: rows.length, note,
    option: width => rankingOption(rows, fastestScan, values, width),
    table: {
      caption: 'All plugins at ' + chosenWords() + ', ' + problemWords(state.problem),
      columns: [rowColumns.plugin, rowColumns.setting, rowColumns.time, rowColumns.interval, rowColumns.bandwidth, rowColumns.copy, rowColumns.copyOf, rowColumns.speedup, rowColumns.flags]
        .filter(c => c.name === 'plugin' || all.some(row => c.words(row) !== '')),
      items: all,
    },
  });
}

function rankingOption(rows, fastestScan, values, width) {
  const slim = narrow(width);
  const looks = rows.map(row => lookOf(cell.series(row)));
  const x = logScale(values, axisTime, { most: slim ? 4 : 8 });
  const names = Math.min(longest(looks.map(l => l.name)) + 16, slim ? 130 : 320);
  const ratio = row => cell.median_ns(row) / cell.median_ns(fastestScan);
  const right = row => timeWords(cell.median_ns(row)) + (slim || row === fastestScan ? '' : '   ' + ratioWords(ratio(row)));
  const grid = { left: names, right: longest(rows.map(right)) + 18, top: 6, bottom: 34, containLabel: false };
  const category = (words, more) => ({
    type: 'category', inverse: true, data: rows.map(String), axisTick: { show: false }, axisLine: { show: false },
    axisLabel: { interval: 0, fontSize: 12, formatter: (value, i) => words(i), ...more },
  });
  return {
    grid,
    xAxis: axisOf(x),
    yAxis: [
      { ...category(i => looks[i].name, { width: names - 12, overflow: 'truncate', color: (value, i) => looks[i].ceiling ? colour('quiet') : colour('ink') }), splitLine: { show: true, lineStyle: { color: colour('rule'), type: [1, 4] } } },
      { ...category(i => right(rows[i]), { color: (value, i) => looks[i].ceiling ? colour('quiet') : colour('ink') }), position: 'right' },
    ],
    series: [
      {
        type: 'custom', silent: true, z: 3, clip: true,
        data: rows.map((row, i) => [i, x.to(cell.ci_lo_ns(row) ?? cell.median_ns(row)), x.to(cell.ci_hi_ns(row) ?? cell.median_ns(row))]),
        encode: { y: 0, x: [1, 2] },
        renderItem: (params, api) => {
          const from = api.coord([api.value(1), api.value(0)]), to = api.coord([api.value(2), api.value(0)]);
          return { type: 'line', shape: { x1: from[0], y1: from[1], x2: to[0], y2: to[1] }, style: { stroke: looks[params.dataIndex].colour, lineWidth: 6, opacity: 0.35 } };
        },
      },
      {
        type: 'scatter', z: 4,
        data: rows.map((row, i) => ({ value: [x.to(cell.median_ns(row)), i], symbol: 'path://' + looks[i].marker, symbolSize: 10, symbolKeepAspect: true, itemStyle: { color: looks[i].colour } })),
      },
    ],
    tooltip: tooltip({ trigger: 'axis', axisPointer: { type: 'shadow', axis: 'y', shadowStyle: { opacity: 0.06 } }, formatter: at => rowTip(rows[at[0].dataIndex]) }),
  };
}

const axisTime = ns => {
  if (ns === 0) return '0';
  const units = [['ns', 1], ['µs', 1e3], ['ms', 1e6], ['s', 1e9]];
  let unit = units[0];
  for (const u of units) if (ns >= u[1] * 0.9999) unit = u;
  return axisNumber(ns / unit[1]) + '\u00a0' + unit[0];
};

// What is known of a row, for a tooltip.
function rowTip(row) {
  const lines = [['time', timeWords(cell.median_ns(row), 4)]];
  if (cell.ci_lo_ns(row) !== null) lines.push(['95 % interval', timeWords(cell.ci_lo_ns(row), 4) + ' to ' + timeWords(cell.ci_hi_ns(row), 4)]);
  if (bytesPerSecond(row) !== null) lines.push(['bandwidth', gigaWords(bytesPerSecond(row))]);
  if (cell.pct_copy(row) !== null) lines.push(['of copy', percentWords(cell.pct_copy(row)) + (copyOf(row) === null ? '' : ', ' + copyName(copyOf(row)))]);
  if (cell.speedup(row) !== null) lines.push(['speedup', ratioWords(cell.speedup(row))]);
  if (cell.max_ulps(row) > 0) lines.push(['largest error', digits(cell.max_ulps(row), 3) + ' ulps']);
  if (toldSetting(row)) lines.push(['setting', toldSetting(row)]);
  if (flagsOf(row)) lines.push(['flags', flagsOf(row).replaceAll(';', ', ')]);
  return '<b>' + escaped(nameOf(cell.series(row))) + '</b>, n = ' + wholeWords(sizeOf(row)) + shapeWords(row) + '<table>' +
    lines.map(([name, value]) => '<tr><td>' + name + '</td><td>' + escaped(value) + '</td></tr>').join('') + '</table>';
}
