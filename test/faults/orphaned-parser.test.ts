import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { bundleScript } from '../security/support/bundle-script.ts';
import { processesWith } from '../support/process-tree.ts';
import { temporaryFolder } from '../support/temporary-repository.ts';

async function until(condition: () => boolean, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (!condition() && performance.now() < deadline) await delay(50);
  return condition();
}

it.skipIf(process.platform !== 'linux')(
  'a parser that loops for ever ends when its parent is killed',
  async () => {
    const { path, home, cache } = temporaryFolder({ 'hang-here.py': 'x = 1\n' });
    const worker = join(import.meta.dirname, 'fixtures/misbehaving-worker.js');
    const job = {
      ...{ root: path, folder: cache, name: 'x.segment', maxFileBytes: 1000, parseLimitMs: 1000 },
      files: [{ path: 'hang-here.py', plain: false, light: false }],
    };
    const script = await bundleScript(
      `import { WorkerProcess } from './process/worker-process.ts';
       const worker = new WorkerProcess(${JSON.stringify(worker)}, [], ${JSON.stringify(join(home, 'code'))});
       const watch = setInterval(() => {
         if (worker.started > 0) process.stdout.write('hangs');
       }, 20);
       void worker.run(${JSON.stringify(job)}, () => 1e9);`,
      join(home, 'parent.mjs'),
    );
    const parent = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((resolve) => parent.stdout.once('data', resolve));
    const children = () => processesWith(join(home, 'code')).filter((pid) => pid !== parent.pid);
    expect(children()).toHaveLength(1);
    parent.kill('SIGKILL');
    expect(await until(() => children().length === 0, 5000)).toBe(true);
  },
  30_000,
);

it('a parser that finishes a job after its parent has gone says nothing on standard error', async () => {
  const { home } = temporaryFolder();
  const worker = await bundleScript(
    `import { serveJobs } from './process/worker-process.ts';
     serveJobs(async (job, begun) => {
       begun();
       const parent = process.ppid;
       while (process.ppid === parent);
       return { files: [] };
     }, () => false);`,
    join(home, 'worker.mjs'),
  );
  const script = await bundleScript(
    `import { WorkerProcess } from './process/worker-process.ts';
     const worker = new WorkerProcess(${JSON.stringify(worker)}, []);
     void worker.run({}, () => 1e9);
     setInterval(() => {
       if (worker.started > 0) process.exit(0);
     }, 20);`,
    join(home, 'parent.mjs'),
  );
  const parent = spawn(process.execPath, [script], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  parent.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  // only when the parser has ended as well
  await new Promise((resolve) => parent.on('close', resolve));
  expect(said).toBe('');
}, 30_000);
