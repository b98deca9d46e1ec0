// machine.js - where, with what and how it was measured, from the metadata beside each CSV

const MACHINE = [
  ['host', 'host'], ['cpu', 'processor'], ['topology', 'topology'], ['memory_available', 'memory available'], ['system', 'system'],
  ['governor', 'frequency governor'], ['turbo', 'turbo'], ['smt', 'SMT'], ['aslr', 'address randomisation'],
  ['scanbench', 'scanbench'], ['git_revision', 'git revision'], ['compiler', 'compiler'], ['run_id', 'run'],
];

// Those that are many are folded.
function warningsOf(warnings) {
  const list = element('ul', { class: 'note' }, ...warnings.map(w => element('li', {}, w)));
  if (warnings.length <= MOST_NAMES) return element('div', {}, element('p', { class: 'note' }, 'Warnings of the run:'), list);
  return element('details', {}, element('summary', {}, 'Warnings of the run (' + warnings.length + ')'), list);
}

const hostOf = file => data.files[file].host || data.files[file].info.host || '';
// Not told again where the page has the name of its machine.
const machineOf = file => byId('title').dataset.name ? '' : data.files[file].machine || (hostOf(file) && 'host ' + hostOf(file));

function showMachine() {
  const place = byId('machine-files');
  place.replaceChildren();
  data.files.forEach((file, number) => {
    const info = file.info;
    const rows = plural(file.count, 'row');
    place.append(element('h3', {}, manyFiles ? file.label + ' · ' + file.path : file.path), element('p', { class: 'note' }, rows + (info.known ? '' : '; there is no ' + file.path + '-metadata.json, so the machine is known from the rows only')));
    const known = MACHINE.filter(([key]) => info[key]).map(([key, name]) => [name, info[key]]);
    const devices = [...new Set(data.series.filter(s => s.file === number && s.device).map(s => s.backend + ': ' + s.device + (s.driver ? ', ' + s.driver : '')))];
    if (devices.length) known.push([devices.length > 1 ? 'devices' : 'device', devices.join('; ')]);
    if (!info.host && hostOf(number)) known.unshift(['host', hostOf(number)]);
    if (file.machine) known.unshift(['machine', file.machine]);
    if (known.length) place.append(element('dl', {}, ...known.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)])));
    if (info.command) place.append(element('p', { class: 'note' }, 'The command:'), element('pre', {}, info.command));
    if (info.warnings.length) place.append(warningsOf(info.warnings));
    if (info.plugins.length) {
      place.append(foldedTable({
        caption: 'The plugins', items: info.plugins,
        columns: [
          { name: 'plugin', words: p => p.id || '' }, { name: 'version', words: p => p.version || '' }, { name: 'file', words: p => p.file || '' },
          { name: 'hash', words: p => p.hash || '' }, { name: 'reference', words: p => p.reference || '' },
        ].filter(c => info.plugins.some(p => c.words(p) !== '')),
      }));
      place.lastChild.querySelector('summary').textContent = 'The plugins (' + info.plugins.length + ')';
    }
  });
  byId('made').textContent = 'Made by scanbench ' + data.program + (data.revision ? ' (' + data.revision + ')' : '') + (data.made ? ', ' + data.made : '') + '.';
}
