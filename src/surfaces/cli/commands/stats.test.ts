import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { collectStats } from '../../stats/collect.ts';
import {
  answer,
  minutesAgo,
  NOW,
  used,
  writeLog,
  writeLoop,
  writeRun,
} from '../../stats/records.test-kit.ts';
import { readSessions } from '../../stats/sessions.ts';
import { statusLine } from '../../stats/status-line.ts';
import { weeksBack } from '../../stats/totals.ts';
import { callCli } from '../call-cli.test-kit.ts';

let home: string;
let cache: string;
let shop: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'loadout-stats-')));
  cache = join(home, 'cache');
  shop = join(home, 'shop');
  mkdirSync(shop);
  execFileSync('git', ['init', '-q', shop]);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const collect = (values: Partial<Parameters<typeof collectStats>[0]> = {}) =>
  collectStats({
    ...{ cacheDirectory: cache, repositories: null, own: shop, weeks: 8, nowMs: NOW },
    sinceMs: weeksBack(NOW, 8),
    ...values,
  });

describe('what counts as used', () => {
  const useOf = (...uses: readonly unknown[]) => {
    writeLog(cache, shop, [answer(), ...uses]);
    return readSessions(cache, shop)[0]!.answers[0]!.places[0]!.use;
  };

  it.each([
    ['edited', 'lines that overlap were edited', used('edit', 'src/a.ts', [20, 25])],
    ['read', 'lines that overlap were read', used('read', 'src/a.ts', [1, 10])],
    ['read', 'the whole file was read', used('read', 'src/a.ts', null)],
    ['file', 'other lines were read', used('read', 'src/a.ts', [21, 40])],
    ['file', 'the file was edited, and nobody knows where', used('edit', 'src/a.ts', null)],
    ['none', 'only another file was read', used('read', 'src/b.ts', null)],
    ['none', 'another session edited it', used('edit', 'src/a.ts', [10, 20], { session: 's2' })],
  ] as const)('%s: %s', (use, _, record) => {
    expect(useOf(record, used('read', 'src/other.ts', [1, 2]))).toBe(use);
  });

  it('an edit counts more than a read, and nothing is known without any record of a file', () => {
    expect(useOf(used('read', 'src/a.ts', null), used('edit', 'src/a.ts', [12, 12]))).toBe('edited');
    expect(useOf()).toBe('unknown');
  });

  it('a use before the answer does not count, whatever the clock says', () => {
    writeLog(cache, shop, [used('read', 'src/a.ts', null), answer()]);
    expect(readSessions(cache, shop)[0]!.answers[0]!.places[0]!.use).toBe('none');
    // The clock was set back by an hour after the answer.
    expect(useOf(used('edit', 'src/a.ts', [10, 20], { at: minutesAgo(120) }))).toBe('edited');
  });

  it('a file name that ends like a place is a file, where answers tell files', () => {
    writeLog(cache, shop, [
      answer({ form: 'summary', places: ['odd:7'] }),
      used('read', 'odd:7', [900, 901]),
    ]);
    expect(readSessions(cache, shop)[0]!.answers[0]!.places[0]).toMatchObject({
      path: 'odd:7',
      lines: null,
      use: 'read',
    });
  });
});

describe('misses', () => {
  it('are files that no earlier answer named, once each, under the prompt that led to them', () => {
    writeLog(cache, shop, [
      used('read', 'before.ts', null),
      answer(),
      used('read', 'src/a.ts', null),
      used('read', 'src/b.ts', null),
      answer({ characters: 0, verdict: 'silent', places: [], prompt: 'And c' }),
      used('edit', 'src/c.ts', null, { at: minutesAgo(40) }),
      used('edit', 'src/b.ts', null),
    ]);
    const { totals, misses } = collect();
    expect(misses.map(({ path, prompt, how, spoke }) => [path, prompt, how, spoke])).toEqual([
      ['src/c.ts', 'And c', 'edit', false],
      ['src/b.ts', 'Fix a', 'read', true],
    ]);
    expect(totals).toMatchObject({ misses: 1, missesWhenSilent: 1, spoke: 1, answers: 2, hitRate: 1 });
  });

  it('are not counted in sessions without an id, because several are mixed there', () => {
    writeLog(cache, shop, [answer({ session: '' }), used('read', 'x.ts', null, { session: '' })]);
    expect(collect().totals).toMatchObject({ misses: 0, watched: 0, hitRate: null, injected: 1 });
  });
});

describe('the report', () => {
  it('counts records between damaged, huge and hostile ones', () => {
    const hostile = '__proto__\u0000../../etc/passwd<script>\u001b[31m';
    writeLog(cache, shop, [
      '{"kind":"answer"',
      '['.repeat(50_000),
      'x'.repeat(100_000),
      '{"__proto__":{"kind":"answer"}}',
      answer({ at: 'yesterday' }),
      answer({ at: '2026-02-04' }),
      answer({
        reason: hostile,
        verdict: 'silent',
        characters: 0,
        client: hostile,
        session: '__proto__',
        prompt: hostile,
      }),
      answer({ places: Array.from({ length: 500 }, (_, at) => `${hostile}${at}:1-999999999`) }),
      used('read', hostile, [1, Number.MAX_SAFE_INTEGER]),
    ]);
    const { totals, sessions, misses } = collect();
    expect(totals).toMatchObject({ answers: 3, spoke: 2, injected: 501, sessions: 2 });
    expect(totals.silent).toEqual([{ reason: hostile, count: 1 }]);
    expect(sessions.map(({ id }) => id).sort()).toEqual(['__proto__', 's1']);
    expect(misses.map(({ path }) => path)).toEqual([hostile]);
    expect(({} as Record<string, unknown>).kind).toBeUndefined();
  });

  it('counts 100,000 records within four seconds', () => {
    for (let repository = 0; repository < 40; repository++) {
      const records = Array.from({ length: 2_500 }, (_, at) =>
        at % 3 === 0
          ? answer({ session: `s${at % 40}`, places: [`f${at % 90}.ts:1-9`], reason: 'r', prompt: '' })
          : used(at % 2 === 0 ? 'read' : 'edit', `f${at % 97}.ts`, [3, 4], { session: `s${at % 40}` }),
      );
      writeLog(cache, join(home, `r${repository}`), records);
    }
    const started = performance.now();
    const { totals, repositories } = collect();
    const took = performance.now() - started;
    expect([totals.answers, repositories.length]).toEqual([40 * 834, 40]);
    expect(took).toBeLessThan(4_000);
  });

  it('tells repositories apart, and takes the wanted ones', () => {
    const other = join(home, 'other');
    writeLog(cache, shop, [answer(), answer()]);
    writeLog(cache, other, [answer({ tokens: undefined })]);
    const { repositories, totals } = collect();
    expect(repositories.map((one) => [one.repository, one.totals.answers])).toEqual([
      [shop, 2],
      [other, 1],
    ]);
    expect(totals).toMatchObject({ answers: 3, tokens: 200, uncounted: 1 });
    expect(collect({ repositories: [other] }).totals.answers).toBe(1);
  });

  it('finds the log of this repository that an earlier version began, and counts those that it cannot name', () => {
    writeLog(cache, shop, [answer()], true);
    writeLog(cache, join(home, 'lost'), [answer()], true);
    const { totals, notes } = collect();
    expect(totals.answers).toBe(1);
    expect(notes).toEqual([
      '1 logs of an earlier version do not name their repository; name it with --repo to see them',
    ]);
    expect(collect({ repositories: [join(home, 'lost')] }).totals.answers).toBe(1);
  });

  it('puts answers into weeks, and those of a clock that was ahead into the last one', () => {
    writeLog(cache, shop, [
      answer({ at: '2026-01-26T00:00:00.000Z' }),
      answer({ at: '2026-02-01T23:59:59.999Z' }),
      answer({ at: '2027-02-01T00:00:00.000Z' }),
      answer({ at: '2020-01-01T00:00:00.000Z' }),
    ]);
    const { weeks, totals } = collect({ weeks: 2, sinceMs: weeksBack(NOW, 2) });
    expect(weeks.map(({ week, answers }) => [week, answers])).toEqual([
      ['2026-01-26', 2],
      ['2026-02-02', 1],
    ]);
    expect(totals.answers).toBe(3);
  });

  it('sums up runs and loops, without those that are damaged', () => {
    writeRun(shop, '20260204-110000-00000001', [
      { type: 'run-start', role: 'coder', cli: 'claude', task: 't' },
      { type: 'attempt-start', attempt: 1, mode: 'fresh' },
      { type: 'agent-end', costUsd: 0.25 },
      { type: 'gate-end', gate: 'test', passed: false, durationMs: 5 },
      { type: 'attempt-end', attempt: 1, outcome: 'failed' },
      { type: 'attempt-start', attempt: 2, mode: 'resume' },
      { type: 'agent-end', costUsd: -1 },
      { type: 'gate-end', gate: 'test', passed: true, durationMs: 5 },
      { type: 'attempt-end', attempt: 2, outcome: 'passed' },
      { type: 'run-end', outcome: 'passed' },
    ]);
    writeRun(shop, '20260204-110000-00000002', [{ type: 'run-start', role: 7, cli: null, at: 'never' }]);
    writeRun(shop, '20260204-110000-00000003', [{ type: 'run-start', role: 'r', cli: 'codex', task: 't' }]);
    writeLoop(shop, ['failed', 'passed', '', 'decomposed']);
    const { runs, loops, repositories } = collect();
    expect(runs).toMatchObject({
      ...{ runs: 2, passed: 1, unfinished: 1, attempts: 2, costUsd: 0.25, withoutCost: 1 },
      gates: { passed: 1, failed: 1 },
    });
    expect(loops).toEqual({
      ...{ loops: 1, iterations: 3, passed: 1, decomposed: 1, durationMs: 3 * 600_000 },
      leaves: { passed: 1, all: 2 },
    });
    expect(repositories[0]).toMatchObject({
      repository: shop,
      loop: { outcome: 'open', startedAt: minutesAgo(30) },
    });
  });

  it('reads nothing of a folder that has become a link to another one', () => {
    const link = join(home, 'link');
    writeLoop(shop, ['passed']);
    symlinkSync(shop, link);
    writeLog(cache, link, [answer()]);
    expect(collect({ repositories: [link], own: link }).loops.loops).toBe(0);
  });
});

describe('the command', () => {
  const call = (argv: readonly string[], stdin = '', variables: Record<string, string> = {}) =>
    callCli(['stats', ...argv], {
      ...{ cwd: shop, stdin },
      env: {
        HOME: home,
        LOADOUT_CACHE_DIR: cache,
        LOADOUT_CONFIG_DIR: join(home, 'config'),
        PATH: process.env.PATH,
        ...variables,
      },
    });
  const recent = { at: new Date(Date.now() - 60_000).toISOString() };

  it('shows sums, repositories and misses, with marks of terminals made harmless', async () => {
    const path = 'src/\u001b]0;x\u0007b.ts';
    writeLog(cache, shop, [
      answer(recent),
      used('edit', 'src/a.ts', [10, 12], recent),
      used('read', path, null, recent),
    ]);
    const { stdout, exitCode } = await call([]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^spoke +1 of 1 /m);
    expect(stdout).toMatch(/^hit rate +100% .*of 1 places 0 were then read and 1 edited$/m);
    expect(stdout).toContain('Last misses:');
    expect(stdout).not.toContain('\u001b]');
  });

  it('says what to do when there is nothing, or when records are off', async () => {
    expect((await call([])).stdout).toContain('loadout init CLIENT');
    const off = await call([], '', { LOADOUT_HOOK_RECORDS: 'off' });
    expect(off.stdout).toContain('the setting hookRecords is off, so nothing is recorded');
    const line = await call(['--status-line'], JSON.stringify({ cwd: shop }), {
      LOADOUT_HOOK_RECORDS: 'off',
    });
    expect(line.stdout).toBe('loadout: records are off\n');
  });

  it('prints everything as JSON, from the given day on', async () => {
    writeLog(cache, shop, [answer(recent), answer({ at: '2026-01-30T10:00:00.000Z' })]);
    const all = JSON.parse((await call(['--json', '--since', '2026-01-30'])).stdout);
    expect(all).toMatchObject({ since: '2026-01-30T00:00:00.000Z', totals: { answers: 2 } });
    expect(all.sessions[0].answers[0].places[0]).toMatchObject({ path: 'src/a.ts', lines: [10, 20] });
    expect(JSON.parse((await call(['--json', '--weeks', '1'])).stdout).totals.answers).toBe(1);
  });

  it.each([
    [['--since', 'tomorrow'], 'is not a day in the past'],
    [['--since', '2999-01-01'], 'is not a day in the past'],
    [['--since', '2026-01-30', '--weeks', '2'], '--weeks and --since exclude each other'],
    [['--weeks', '0'], '--weeks'],
  ])('refuses %j', async (argv, message) => {
    expect(await call(argv)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) });
  });

  it('prints one line about the session of the status line', async () => {
    writeLog(cache, shop, [
      answer(recent),
      used('read', 'src/a.ts', null, recent),
      used('read', 'b.ts', null, recent),
    ]);
    const line = async (input: unknown) => (await call(['--status-line'], JSON.stringify(input))).stdout;
    expect(await line({ session_id: 's1', cwd: shop })).toBe(
      'loadout: spoke 1 of 1 · 1 told, 1 used · 1 missed · 100 tokens\n',
    );
    expect(await line({ session_id: 'other', cwd: shop })).toBe('loadout: ready\n');
    expect(await line({ session_id: 's1', cwd: home })).toBe('loadout: no repository\n');
  });

  it('prints a line for any input, and never an error', async () => {
    for (const input of [
      '',
      '{',
      'null',
      '[]',
      '{"cwd":7,"session_id":{}}',
      '{"cwd":"/does/not/exist"}',
      '['.repeat(9_999),
    ]) {
      const { stdout, stderr, exitCode } = await call(['--status-line'], input);
      expect([exitCode, stderr, stdout.split('\n').length], input.slice(0, 20)).toEqual([0, '', 2]);
    }
    expect(await statusLine('{}', { HOME: home }, join(home, 'gone'))).toMatch(/^loadout/);
  });
});
