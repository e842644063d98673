import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runProcess } from '../../src/platform/process/process-runner.ts';
import { bundleScript } from '../security/support/bundle-script.ts';
import { temporaryDirectory } from '../security/support/temporary-directory.ts';

/** Two more levels of itself, all deaf to SIGTERM, all writing without end. */
const STUBBORN = `
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => {});
  const level = Number(process.argv[2]);
  if (level > 0) require('node:child_process').spawn(process.execPath, ['-e', process.env.SCRIPT, process.argv[1], String(level - 1)], { stdio: 'inherit' });
  setInterval(() => { try { process.stdout.write('x'.repeat(65536)); } catch {} }, 5);
  process.stdout.on('error', () => {});
`;

/** Living processes that carry this word in their arguments. */
function alive(word: string): number {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0').includes(word);
      } catch {
        return false;
      }
    }).length;
}

async function until(condition: () => boolean, limitMs: number): Promise<number> {
  const started = performance.now();
  while (!condition() && performance.now() - started < limitMs)
    await new Promise((resolve) => setTimeout(resolve, 20));
  return performance.now() - started;
}

describe.skipIf(process.platform !== 'linux')('children that do not want to end', () => {
  const env = { ...process.env, SCRIPT: STUBBORN } as Record<string, string>;
  const args = (word: string): string[] => ['-e', STUBBORN, word, '2'];

  it.each([
    ['a timeout', 'timed-out', { timeoutMs: 900, maxOutputBytes: 1e9 }],
    ['an output limit', 'output-limit', { maxOutputBytes: 1_000_000 }],
    ['an abort', 'aborted', { maxOutputBytes: 1e9 }],
  ] as const)('are all gone 2 s after %s', async (_, outcome, options) => {
    const word = `stubborn-${outcome}`;
    const controller = new AbortController();
    const running = runProcess(process.execPath, args(word), { ...options, env, signal: controller.signal });
    if (outcome === 'aborted') {
      await until(() => alive(word) === 3, 5000);
      expect(alive(word)).toBe(3);
      controller.abort();
    }
    const result = await running;
    expect(result.outcome).toBe(outcome);
    if (outcome === 'output-limit') expect(result.stdout.length).toBe(1_000_000);
    expect(await until(() => alive(word) === 0, 2000)).toBeLessThan(2000);
  });

  it('are gone when the leader itself ends well', async () => {
    const word = 'stubborn-left-behind';
    const leader = `
      require('node:child_process').spawn(process.execPath, ['-e', process.env.SCRIPT, '${word}', '1'], { stdio: 'ignore' }).unref();
      setTimeout(() => process.exit(4), 500);
    `;
    const result = await runProcess(process.execPath, ['-e', leader], { env });
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 4 });
    expect(await until(() => alive(word) === 0, 2000)).toBeLessThan(2000);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'exit'] as const)(
    'are gone when this side ends by %s',
    async (ending) => {
      const word = `stubborn-${ending}`;
      const work = temporaryDirectory();
      const script = `
      import { runProcess } from './process/process-runner.ts';
      void runProcess(process.execPath, ['-e', process.env['SCRIPT']!, '${word}', '2'], { maxOutputBytes: 1e9 });
      if ('${ending}' === 'exit') setTimeout(() => process.exit(0), 1500);
    `;
      const runner = spawn(process.execPath, [await bundleScript(script, join(work, 'runner.mjs'))], {
        env,
        stdio: 'inherit',
      });
      const exit = new Promise((resolve) => runner.once('exit', (code, signal) => resolve(signal ?? code)));
      await until(() => alive(word) === 3, 5000);
      expect(alive(word)).toBe(3);
      if (ending !== 'exit') runner.kill(ending);
      expect(await exit).toBe(ending === 'exit' ? 0 : ending);
      expect(await until(() => alive(word) === 0, 2000)).toBeLessThan(2000);
    },
  );
});
