// Installs the frameworks of package.json next to it, as package-lock.json pins them; does nothing when they are there.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const stamp = `${folder}node_modules/.installed`;
const hash = createHash('sha256').update(readFileSync(`${folder}package.json`));
const wanted = hash.update(readFileSync(`${folder}package-lock.json`)).digest('hex');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  const started = performance.now();
  // optional are programs of 300 MB for each platform, and the AI SDK asks for a newer Node than it needs
  const flags = ['--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const [command, ...before] = npm?.endsWith('js') ? [process.execPath, npm] : ['npm'];
  const { status } = spawnSync(command, [...before, 'ci', ...flags], { cwd: folder, stdio: 'inherit' });
  if (status !== 0) {
    console.error('the frameworks could not be installed');
    process.exit(status ?? 1);
  }
  writeFileSync(stamp, wanted);
  console.log(`frameworks installed in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}
