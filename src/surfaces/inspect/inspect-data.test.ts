import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scanInProcess, settingsFor } from '../../../test/support/scan-kit.ts';
import { temporaryRepository } from '../../../test/support/temporary-repository.ts';
import { openSafeRoot } from '../../platform/fs/safe-root.ts';
import { commit, historyIn } from '../../scan/history/history.test-kit.ts';
import type { IndexSession } from '../../scan/index-session.ts';
import { openRepository } from '../../scan/repository.ts';
import { answer, minutesAgo, NOW, used, writeLog, writeLoop, writeRun } from '../stats/records.test-kit.ts';
import { repositoryData, repositoryRoute } from './repository-data.ts';
import { runDetail, runsData, runsRoute } from './runs-data.ts';
import { sessionsData, sessionsRoute } from './sessions-data.ts';

const HOSTILE = '<img src=x onerror=alert(1)>"\'`\u202e';
const SECRET = `ghp_${'a1B2c3D4e5F6g7H8i9'.repeat(2)}`;

describe('the data of the view Repository', () => {
  it('has languages, hot spots, imports, skipped files and the state of the index', async () => {
    const repository = temporaryRepository({
      'src/a.ts': "import { b } from './b.ts';\nexport const a = b;\n".repeat(10),
      'src/b.ts': 'export const b = 1;\n',
      'src/quiet.py': 'import os\n\n\ndef f():\n    return 1\n',
      'dist/bundle.min.js': 'x',
      'logo.png': Buffer.from([0, 1, 2, 3]),
      [`odd/${HOSTILE.replaceAll('/', '')}.ts`]: 'export {};\n',
    });
    commit(repository, 'one');
    for (const change of ['two', 'three']) {
      writeFileSync(
        join(repository.path, 'src/a.ts'),
        `// ${change}\nimport { b } from './b.ts';\nexport const a = b;\n`,
      );
      commit(repository, change);
    }
    const { index, result } = await scanInProcess(repository);
    const data = repositoryData(index, result, await historyIn(repository.path, repository.cache));
    expect(data.languages.find(({ language }) => language === 'typescript')).toMatchObject({ files: 3 });
    expect(data.totals.files).toBe(data.languages.reduce((sum, { files }) => sum + files, 0));
    expect(data.roles.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(data.totals.bytes);
    expect(data.hotSpots[0]).toMatchObject({ path: 'src/a.ts', changes: 3, lines: 3 });
    expect(data.hotSpots.some(({ path }) => path.startsWith('dist/'))).toBe(false);
    expect(data.commits).toBe(4);
    expect(data.imports.find(({ language }) => language === 'typescript')).toMatchObject({
      resolved: 1,
      share: 1,
    });
    expect(data.skipped).toEqual([
      { reason: 'binary', sentence: 'it is not a text file', count: 1, paths: ['logo.png'] },
    ]);
    expect(data.index).toMatchObject({ state: 'ok', edges: 1 });
    expect(JSON.parse(JSON.stringify(data))).toEqual(data);
  });

  it('is whole for an empty folder without commits', async () => {
    const repository = temporaryRepository({});
    const { index, result } = await scanInProcess(repository);
    const data = repositoryData(index, result, await historyIn(repository.path, repository.cache));
    expect([data.totals.files, data.hotSpots, data.skipped]).toEqual([0, [], []]);
  });
});

describe('the data of the view Sessions', () => {
  const place = () => temporaryRepository({});
  const dataOf = (repository: { cache: string; path: string }) =>
    sessionsData({
      ...{ cacheDirectory: repository.cache, repository: repository.path, isRecording: true },
      sinceMs: NOW - 90 * 24 * 3_600_000,
    });

  it('says what a hook added, why it was silent, and what the agent then did', () => {
    const repository = place();
    writeLog(repository.cache, repository.path, [
      answer({ locations: ['src/b.ts:1-2'], names: ['parse', 'next'] }),
      used('edit', 'src/a.ts', [12, 12]),
      answer({
        at: minutesAgo(30),
        characters: 0,
        verdict: 'silent',
        reason: HOSTILE,
        places: [],
        prompt: SECRET,
      }),
      used('read', 'src/c.ts', null),
    ]);
    const [session] = dataOf(repository).sessions;
    expect(session!.answers.map(({ spoke, reason, tokens }) => [spoke, reason, tokens])).toEqual([
      [true, 'named in the task', 100],
      [false, HOSTILE, 100],
    ]);
    expect(session!.answers[0]!.places.map(({ name, use }) => [name, use])).toEqual([
      ['parse', 'edited'],
      ['next', 'none'],
    ]);
    expect(session!.answers[1]!.misses).toMatchObject([{ path: 'src/c.ts', how: 'read' }]);
    expect(session!.files).toEqual([
      { path: 'src/a.ts', reads: 0, edits: 1, wasTold: true },
      { path: 'src/c.ts', reads: 1, edits: 0, wasTold: false },
    ]);
    expect(JSON.stringify(session)).not.toContain(SECRET);
  });

  it('cuts lists and not sums, newest first', () => {
    const repository = place();
    writeLog(repository.cache, repository.path, [
      ...Array.from({ length: 300 }, () => answer({ prompt: '' })),
      ...Array.from({ length: 150 }, (_, at) =>
        answer({ session: `x${at}`, at: minutesAgo(10), prompt: '' }),
      ),
    ]);
    const data = dataOf(repository);
    expect([data.sessions.length, data.sessionsLeftOut, data.totals.answers]).toEqual([100, 51, 450]);
    expect(data.sessions.every(({ id }) => id.startsWith('x'))).toBe(true);
  });
});

describe('the data of the view Runs', () => {
  const RUN = '20260204-110000-00000001';
  const START = { type: 'run-start', role: 'coder', cli: 'claude', task: HOSTILE };

  it('gives the events as they come, and the patch when the run has ended', () => {
    const repository = temporaryRepository({});
    const root = openSafeRoot(repository.path);
    const events = [START, { type: 'attempt-start', attempt: 1, mode: 'fresh' }];
    writeRun(repository.path, RUN, events);
    const first = runDetail(root, RUN, 0);
    expect(first).toMatchObject({ next: 2, isEnded: false, patch: null, facts: { outcome: 'unfinished' } });
    writeRun(repository.path, RUN, [
      ...events,
      { type: 'gate-end', gate: 'npm test', passed: true, durationMs: 9, output: SECRET },
      { type: 'attempt-end', attempt: 1, outcome: 'passed' },
      { type: 'run-end', outcome: 'passed', message: 'done' },
    ]);
    const folder = join(repository.path, '.loadout/runs', RUN);
    writeFileSync(join(folder, 'patch.diff'), `+key = ${SECRET}\n`.repeat(10_000));
    writeFileSync(join(folder, 'record.json'), JSON.stringify({ changedFiles: ['a.ts', 7, null] }));
    const rest = runDetail(root, RUN, first.next);
    expect(rest.events.map(({ type }) => type)).toEqual(['gate-end', 'attempt-end', 'run-end']);
    expect(rest).toMatchObject({ next: 5, isEnded: true, message: 'done', changedFiles: ['a.ts'] });
    expect(rest.patch!.content).toMatch(/^(\+key = \[redacted: [^\]]+\]\n)+$/);
    expect(rest.patch!.bytesLeftOut).toBeGreaterThan(40_000);
    expect(rest.files).toContain('patch.diff');
    expect(JSON.stringify(rest)).not.toContain(SECRET);
    expect(runDetail(root, RUN, 5)).toMatchObject({ events: [], next: 5, isEnded: true });
  });

  it.each(['../../etc', '', '20260204-110000-0000000', `${RUN}/../${RUN}`])('refuses the run %j', (run) => {
    const repository = temporaryRepository({});
    writeRun(repository.path, RUN, [START]);
    expect(() => runDetail(openSafeRoot(repository.path), run, 0)).toThrow('there is no run');
  });

  it('does not follow a patch that is a link out of the repository', () => {
    const repository = temporaryRepository({});
    writeRun(repository.path, RUN, [START, { type: 'run-end', outcome: 'passed', message: '' }]);
    symlinkSync('/etc/hostname', join(repository.path, '.loadout/runs', RUN, 'patch.diff'));
    expect(runDetail(openSafeRoot(repository.path), RUN, 0).patch).toBeNull();
  });

  it('has runs, the task tree with states, and iterations with their files', () => {
    const repository = temporaryRepository({});
    writeRun(repository.path, RUN, [START]);
    writeLoop(repository.path, ['failed', 'passed', '']);
    const { runs, loop, totals } = runsData(openSafeRoot(repository.path));
    expect([runs.length, runs[0]!.task, totals.unfinished]).toEqual([1, HOSTILE, 1]);
    expect(loop).toMatchObject({ outcome: 'open', activity: 'idle', leaves: { passed: 1, all: 2 } });
    const { nodes, iterations } = loop as Extract<typeof loop, { nodes: unknown }>;
    expect(nodes.map(({ id, depth, state }) => [id, depth, state])).toEqual([
      ['root', 0, 'open'],
      ['one', 1, 'passed'],
      ['two', 1, 'selected'],
    ]);
    expect(iterations.map(({ iteration, outcome, files }) => [iteration, outcome, files])).toEqual([
      ['3', '', ['meta.json']],
      ['2', 'passed', ['meta.json']],
      ['1', 'failed', ['meta.json']],
    ]);
  });

  it('says that a loop cannot be read, and nothing where there is none', () => {
    const repository = temporaryRepository({});
    const root = openSafeRoot(repository.path);
    expect(runsData(root)).toMatchObject({ runs: [], loop: null });
    mkdirSync(join(repository.path, '.loadout/loop/state'), { recursive: true });
    writeFileSync(join(repository.path, '.loadout/loop/state/tree.json'), '{');
    writeFileSync(join(repository.path, '.loadout/loop/state/run_state.json'), '{}');
    expect(runsData(root).loop).toMatchObject({ problem: expect.stringContaining('tree.json') });
  });
});

describe('the routes of the page', () => {
  it('answer from an open index and from records', async () => {
    const repository = temporaryRepository({ 'a.ts': 'export const a = 1;\n' });
    const settings = settingsFor(repository.cache);
    const scan = await scanInProcess(repository);
    const opened = await openRepository(repository.path, repository.cache);
    const use: IndexSession['use'] = async (work) => work({ ...scan, repository: opened });
    const { signal } = new AbortController();
    expect(await repositoryRoute.answer({ session: { use }, settings, signal })).toMatchObject({
      totals: { files: 1 },
    });
    const at = new Date().toISOString();
    writeLog(repository.cache, repository.path, [answer({ at })]);
    const context = { repo: repository.path, settings };
    expect(sessionsRoute.answer(context, { weeks: 1 })).toMatchObject({
      isRecording: true,
      totals: { answers: 1 },
    });
    writeRun(repository.path, '20260204-110000-00000001', [{ type: 'run-start' }]);
    const root = openSafeRoot(repository.path);
    expect(runsRoute.answer({ root }, undefined)).toMatchObject({ totals: { runs: 1 } });
    expect(runsRoute.answer({ root }, { run: '20260204-110000-00000001' })).toMatchObject({ next: 1 });
  });

  it.each([[[]], ['x'], [7], [{ weeks: 0 }], [{ weeks: 'all' }], [{ run: 7 }], [{ after: -1 }]])(
    'refuse a question that is not theirs: %j',
    (query) => {
      const repository = temporaryRepository({});
      const context = { repo: repository.path, settings: settingsFor(repository.cache) };
      const root = openSafeRoot(repository.path);
      const isAboutRuns = typeof query === 'object' && ('run' in query || 'after' in query);
      const isAboutSessions = typeof query === 'object' && 'weeks' in query;
      if (!isAboutRuns) expect(() => sessionsRoute.answer(context, query)).toThrow('weeks must be');
      if (!isAboutSessions) expect(() => runsRoute.answer({ root }, query)).toThrow('run must be');
    },
  );
});
