/** `--name value` and, for the names in `switches`, `--name`; anything else ends the program with the usage. */
export function parseFlags(usage, { values, switches = [], positional = false }) {
  const flags = {};
  const rest = [];
  const given = process.argv.slice(2);
  for (let at = 0; at < given.length; at++) {
    const name = given[at].replace(/^--/, '');
    if (!given[at].startsWith('--') && positional) rest.push(given[at]);
    else if (switches.includes(name)) flags[name] = true;
    else if (values.includes(name) && at + 1 < given.length) flags[name] = given[++at];
    else {
      console.error(`${given[at]} is not understood\nusage: ${usage}`);
      process.exit(2);
    }
  }
  return { ...flags, rest };
}
