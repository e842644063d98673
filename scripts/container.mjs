// Builds the container image, starts "loadout serve" in it with a read-only root, and waits until it is healthy. Says so
// where no container tool works; with --required that is an error.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const IMAGE = 'loadout-check';
const MAX_WAIT_S = 60;

/** A client whose service does not run is not usable. */
const tool = ['docker', 'podman'].find((name) => spawnSync(name, ['info'], { timeout: 20_000 }).status === 0);
if (tool === undefined) {
  console.log('container: neither docker nor podman works here; the image was not built');
  process.exit(process.argv.includes('--required') ? 1 : 0);
}

function run(...args) {
  const { status, stdout, stderr } = spawnSync(tool, args, { cwd: root, encoding: 'utf8' });
  if (status === 0) return stdout.trim();
  throw new Error(`${tool} ${args.join(' ')} failed:\n${stderr}`);
}

// Podman leaves the health check out of images in its own format.
run('build', ...(tool === 'podman' ? ['--format', 'docker'] : []), '--tag', IMAGE, '.');
const apart = ['--read-only', '--tmpfs', '/tmp', '--tmpfs', '/cache:mode=1777', '--network', 'none'];
console.log(`container: loadout ${run('run', '--rm', ...apart, IMAGE, '--version')}`);
const id = run('run', '--detach', ...apart, '--health-interval', '1s', IMAGE, 'serve', '--idle', '0');
try {
  let state = '';
  for (let waited = 0; waited < MAX_WAIT_S && state !== 'healthy'; waited += 1) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
    state = run('inspect', '--format', '{{.State.Health.Status}}', id);
  }
  if (state !== 'healthy')
    throw new Error(`the server is ${state} after ${MAX_WAIT_S} s:\n${run('logs', id)}`);
  const user = run('exec', id, 'id', '-u');
  if (user === '0') throw new Error('the server runs as root');
  console.log(`container: healthy, as user ${user}`);
} finally {
  run('rm', '--force', id);
}
