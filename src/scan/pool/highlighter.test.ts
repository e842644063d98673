import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { builtProgram, parserNodeOptions } from '../../platform/host.ts';
import { type Highlighter, openHighlighter } from './highlighter.ts';

let open: Highlighter | null = null;
afterEach(() => open?.close());

const options = { nodeOptions: parserNodeOptions(), codeFolder: '' };

it('colours texts in another process, in the order of the questions', async () => {
  open = openHighlighter({ ...options, workerModule: builtProgram('scan-worker.js') });
  const [python, plain, script] = await Promise.all([
    open.marksOf('x = 1\n', 'a.py'),
    open.marksOf('words', 'a.unknown'),
    open.marksOf('let a = 12;\n', 'a.ts'),
  ]);
  expect([[...python!], plain, [...script!]]).toEqual([[4, 5, 3], null, [0, 3, 4, 8, 10, 3]]);
});

it('leaves a text plain whose grammar takes its process down, and colours the next one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-highlight-'));
  const workerModule = join(folder, 'worker.mjs');
  writeFileSync(
    workerModule,
    `process.on('message', ({ job }) => {
      if (job.text === 'crash') process.kill(process.pid, 'SIGKILL');
      process.send({ result: { marks: Int32Array.of(0, 1, 1), residentBytes: 1 } });
    });`,
  );
  open = openHighlighter({ ...options, workerModule });
  expect(await open.marksOf('crash', 'a.py')).toBeNull();
  expect([...(await open.marksOf('fine', 'a.py'))!]).toEqual([0, 1, 1]);
  rmSync(folder, { recursive: true });
});

it('says nothing once it is closed', async () => {
  open = openHighlighter({ ...options, workerModule: builtProgram('scan-worker.js') });
  open.close();
  expect(await open.marksOf('x = 1\n', 'a.py')).toBeNull();
});
