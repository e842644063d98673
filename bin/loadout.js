#!/usr/bin/env node
const first = process.argv[2];

if (first === '--version' || first === '-V') {
  console.log(await readVersion());
} else {
  const { main, processIo } = await import('../dist/cli.js');
  process.exitCode = await main(process.argv.slice(2), processIo());
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
