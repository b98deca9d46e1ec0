// claims.js - what the recipes of --claims expect, and whether it holds

const VERDICT_TAGS = { holds: 'certain', 'does not hold here': 'tied', 'cannot be told': 'unknown' };

const verdictTag = (verdict, medians) => html('<span class="tag ' + (VERDICT_TAGS[verdict] || 'unknown') + '">' + escaped(verdict) + '</span>' +
  (medians ? ' <span class="setting">by medians it ' + medians + '</span>' : ''));

function showClaims() {
  byId('claims').hidden = !data.claims.length;
  byId('claims-list').replaceChildren(...data.claims.map(claimElement));
}

function claimElement(claim) {
  const place = element('div', { class: 'claim' },
    element('h3', {}, claim.text), element('p', { class: 'note' }, verdictTag(claim.verdict, claim.medians),
      [manyFiles ? data.files[claim.file].label : '', claim.title, claim.source].filter(Boolean).map(w => ' · ' + w).join('')));
  for (const e of claim.expectations) {
    place.append(element('p', { class: 'note' }, element('code', {}, e.formula)));
    if (e.problem) place.append(element('p', { class: 'note' }, e.problem));
    if (e.left_out && !e.problem) place.append(element('p', { class: 'note' }, plural(e.left_out, 'value') + ' of the loop left out: not all times were measured there.'));
    if (e.values.length) place.append(e.values.length > 6 ? foldedTable(claimTable(e)) : tableOf(claimTable(e)));
  }
  return place;
}

function claimTable(expectation) {
  const value = v => expectation.time ? timeWords(v) : digits(v, 3);
  const rowWords = (v, i) => nameOf(cell.series(v.rows[i])) + ' ' + timeWords(cell.median_ns(v.rows[i])) +
    (v.tied[i] ? ' (' + [shortSetting(v.rows[i]), v.tied[i] + ' tied'].filter(Boolean).join(', ') + ')' : '');
  const columns = [
    { name: 'at', words: v => v.at || 'all' },
    { name: 'value', number: true, words: v => v.value === null ? '' : value(v.value) },
    { name: '95 % interval', number: true, words: v => v.lo === null ? '' : value(v.lo) + ' to ' + value(v.hi) },
    { name: 'verdict', words: v => verdictTag(v.verdict, v.medians) },
    { name: 'times', words: v => breakable(v.rows.map((_, i) => rowWords(v, i)).join('; ')) },
    { name: 'why', words: v => v.doubt },
  ];
  return { caption: 'The formula at each value', items: expectation.values, columns: columns.filter((c, i) => i === 0 || expectation.values.some(v => c.words(v) !== '')) };
}
