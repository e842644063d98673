import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryRepository } from '../support/temporary-repository.ts';
import { processesOf, STUBBORN, waitUntil } from './fixtures/run-runner.ts';

const CLI = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));

describe.skipIf(process.platform !== 'linux')('loadout run', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('ends everything at %s and keeps what was done', { timeout: 60_000 }, async (signal, code) => {
    const { path, home, cache, git } = temporaryRepository({ 'a.txt': 'a\n' });
    mkdirSync(join(home, 'bin'));
    writeFileSync(
      join(home, 'bin/claude'),
      `#!/bin/sh\n[ "$1" = --version ] && exit 1\ncat > /dev/null\n${STUBBORN}`,
    );
    chmodSync(join(home, 'bin/claude'), 0o755);
    const env = {
      PATH: `${join(home, 'bin')}:${process.env.PATH}`,
      HOME: home,
      LOADOUT_CACHE_DIR: cache,
      LOADOUT_WARM_SERVER: 'running',
    };
    const child = spawn(process.execPath, [CLI, '--json', 'run', 'Change a.txt'], {
      ...{ cwd: path, env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    await waitUntil(() => output.includes('"agent-start"'), 30_000);
    const run = /"run":"([^"]+)"/.exec(output)![1]!;
    await waitUntil(() => processesOf(run, cache).length >= 6, 10_000);
    expect(processesOf(run, cache).length).toBeGreaterThanOrEqual(6);
    child.kill(signal);
    expect(await waitUntil(() => processesOf(run, cache).length === 0, 5000)).toBeLessThan(2000);
    expect(await ended).toBe(code);
    // On a machine that is too busy it is ended before it has written that down, and the next start does it.
    spawnSync(process.execPath, [CLI, 'runs', 'tail', run], { cwd: path, env });
    const events = readFileSync(join(path, '.loadout/runs', run, 'events.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const ends = events.filter(({ type }) => /^(attempt|run)-end$/.test(type));
    expect(ends.map(({ type }) => type)).toEqual(['attempt-end', 'run-end']);
    expect(['cancelled', 'crashed']).toContain(ends[1].outcome);
    const kept = events.find(({ type }) => type === 'tree-kept');
    expect(readFileSync(join(kept.path, 'a.txt'), 'utf8')).toBe('half\n');
    expect(git('status', '--porcelain', '--untracked-files=no')).toBe('');
  });
});
