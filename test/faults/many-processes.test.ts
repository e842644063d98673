import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { answersOf, PATIENT, SCALE, scanInProcess } from '../support/scan-kit.ts';
import { temporaryRepository } from '../support/temporary-repository.ts';

const DURATION_MS = 2_500 * SCALE;
const WRITERS = 3;
const READERS = 6;
const FILES = Array.from({ length: 12 }, (_, at) => `src/f${at}.py`);

/** Each state of a file defines one name that says which state it is, and as many parameters. */
const contentOf = (path: string, state: number) =>
  `def ${path.slice(4, -3)}_state_${state}(x):\n    return ${state}\n`;

describe('many processes at one index', PATIENT, () => {
  it('3 writers and 6 readers while the repository is edited: no error, and only states that were', {
    timeout: DURATION_MS + 60_000,
  }, async () => {
    const repository = temporaryRepository(
      Object.fromEntries(FILES.map((path) => [path, contentOf(path, 0)])),
    );
    await scanInProcess(repository);
    const states = new Map(FILES.map((path) => [path, 0]));
    const end = performance.now() + DURATION_MS;
    let answers = 0;

    async function edit(): Promise<void> {
      for (let state = 1; performance.now() < end; state++) {
        const path = FILES[state % FILES.length]!;
        states.set(path, state);
        writeFileSync(join(repository.home, 'next'), contentOf(path, state));
        renameSync(join(repository.home, 'next'), join(repository.path, path));
        await delay(25);
      }
    }

    async function ask(args: readonly string[]): Promise<void> {
      while (performance.now() < end) {
        const before = new Map(states);
        const run = await runCli(args, { cwd: repository.path, cache: repository.cache });
        const after = new Map(states);
        expect(run).toMatchObject({ exitCode: 0, stderr: '' });
        answers++;
        if (args[0] === 'map') expectCommitted(run.stdout, before, after);
        else expect(JSON.parse(run.stdout)).toMatchObject({ filesScanned: 12, symbolsIndexed: 12 });
      }
    }

    await Promise.all([
      edit(),
      ...Array.from({ length: WRITERS }, (_, at) =>
        ask(['scan', '--json', '--mode', at === 0 ? 'full' : 'incremental', '--workers', '1']),
      ),
      ...Array.from({ length: READERS }, (_, at) =>
        ask(at % 2 ? ['map', '--budget', '2000'] : ['scan', '--json', '--workers', '1']),
      ),
    ]);
    expect(answers).toBeGreaterThanOrEqual(WRITERS + READERS);
    const fresh = { path: repository.path, cache: join(repository.home, 'fresh') };
    expect(answersOf(await scanInProcess(repository))).toEqual(answersOf(await scanInProcess(fresh)));
  });
});

/** Each name that is shown was in its file at some moment between question and answer. */
function expectCommitted(map: string, before: Map<string, number>, after: Map<string, number>): void {
  const shown = [...map.matchAll(/def (f\d+)_state_(\d+)\(/g)];
  for (const [, name, state] of shown) {
    const path = `src/${name}.py`;
    expect(Number(state)).toBeGreaterThanOrEqual(before.get(path)!);
    expect(Number(state)).toBeLessThanOrEqual(after.get(path)!);
  }
  expect(new Set(shown.map(([, name]) => name)).size).toBe(shown.length);
}
