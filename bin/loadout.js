#!/usr/bin/env node
// CommonJS (see the package.json beside it): node starts it in a fifth less time than a module
const first = process.argv[2];

if (first === '--version' || first === '-V') {
  console.log(readVersion());
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
  } catch {
    // Not built yet: the manifest is slower to read, but always there.
    return require('../package.json').version;
  }
}
