#!/usr/bin/env node
const first = process.argv[2];

if (first === '--version' || first === '-V') {
  console.log(await readVersion());
} else if (first === 'hook' && !process.argv.some((word) => word === '--help' || word === '-h')) {
  // a program of its own: every prompt of an agent waits for it
  await import('../dist/hook.js');
} else {
  await import('../dist/cli.js');
}

async function readVersion() {
  try {
    return (await import('../dist/version.js')).VERSION;
  } catch {
    // Not built yet: the manifest is slower to read, but always there.
    const { readFileSync } = await import('node:fs');
    return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
  }
}
