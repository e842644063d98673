#!/usr/bin/env node
// CommonJS (see the package.json beside it): node starts it in a third less time than a module
const first = process.argv[2];

if (first === '--version' || first === '-V') {
  console.log(readVersion());
} else if (first === 'hook' && !process.argv.some((word) => word === '--help' || word === '-h')) {
  // a program of its own: every prompt of an agent waits for it
  require('../dist/hook.cjs');
} else {
  require('../dist/cli.cjs');
}

function readVersion() {
  try {
    return require('../dist/version.cjs').VERSION;
  } catch {
    // Not built yet: the manifest is slower to read, but always there.
    return require('../package.json').version;
  }
}
