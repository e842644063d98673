#!/usr/bin/env node
// CommonJS (see the package.json beside it): node starts it in a fifth less time than a module.
// Nothing newer than ES2015 in here: an old Node has to read it to say that it is too old.
const first = process.argv[2];

if (first === '--version' || first === '-V') {
  console.log(readVersion());
} else if (!isSupported()) {
  console.error(`loadout: Node ${needed()} is needed, and this is ${process.versions.node}`);
  // an agent that asks goes on without context
  if (first === 'hook') console.log('{}');
  else process.exitCode = 2;
} else if (first === 'hook' && !process.argv.some((word) => word === '--help' || word === '-h')) {
  // a program of its own: every prompt of an agent waits for it
  start('hook.cjs');
} else {
  start('cli.cjs');
}

function start(program) {
  try {
    require(`../dist/${program}`);
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND' || require('node:fs').existsSync(`${__dirname}/../dist`))
      throw error;
    console.error(
      'loadout: this is a copy of the sources that was not built: run "npm ci" and "npm run build" first',
    );
    process.exitCode = 2;
  }
}

function readVersion() {
  try {
    return require('../dist/version.cjs').VERSION;
  } catch (_notBuilt) {
    // the manifest is slower to read, but always there
    return require('../package.json').version;
  }
}

/** The oldest version of each line in `engines`, such as `^20.19.0 || >=22.12.0`; `^` means this major alone. */
function lines() {
  return require('../package.json')
    .engines.node.split('||')
    .map((range) => {
      const parts = range.replace(/[^\d.]/g, '').split('.');
      return { major: Number(parts[0]), minor: Number(parts[1]), isAlone: range.indexOf('^') >= 0 };
    });
}

function needed() {
  return lines()
    .map((line) => `${line.major}.${line.minor}+`)
    .join(' or ');
}

function isSupported() {
  const have = process.versions.node.split('.').map(Number);
  return lines().some(
    (line) => (have[0] === line.major && have[1] >= line.minor) || (have[0] > line.major && !line.isAlone),
  );
}
