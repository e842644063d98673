#!/usr/bin/env node
// CommonJS (see the package.json beside it): node starts it in a fifth less time than a module.
// Nothing newer than ES2015 in here: an old Node has to read it to say that it is too old.
const first = process.argv[2];

if (first === '--version' || first === '-V') {
  console.log(readVersion());
} else if (isTooOld()) {
  console.error(`loadout: Node ${minimum()} or newer is needed, and this is ${process.versions.node}`);
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

function minimum() {
  return require('../package.json').engines.node.replace(/[^\d.]/g, '');
}

function isTooOld() {
  const have = process.versions.node.split('.').map(Number);
  const need = minimum().split('.').map(Number);
  return have[0] < need[0] || (have[0] === need[0] && have[1] < need[1]);
}
