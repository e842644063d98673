// Installs the programs that some tests need and npm does not carry. It names the programs that cannot be
// installed, and the tests that need them say so when they are skipped.
import { spawnSync } from 'node:child_process';

/** Program to look for, and the Debian package that has it. */
const TOOLS = [
  ['strace', 'strace'],
  ['zsh', 'zsh'],
  ['fish', 'fish'],
];

const has = (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
const missing = TOOLS.filter(([program]) => !has(program));

if (missing.length > 0) {
  const packages = missing.map(([, name]) => name);
  const canInstall = process.getuid?.() === 0 && has('apt-get');
  const quiet = { stdio: ['ignore', 'ignore', 'inherit'] };
  const installed =
    canInstall &&
    spawnSync('apt-get', ['update', '-qq'], quiet).status === 0 &&
    spawnSync('apt-get', ['install', '-y', '-qq', ...packages], quiet).status === 0;
  const names = packages.join(', ');
  console.log(
    installed ? `installed ${names}` : `not installed: ${names}; tests that need it will be skipped`,
  );
}
