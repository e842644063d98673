// Records of hooks and loops for tests, written as hooks and loops of this and of earlier versions write them.

import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AnswerRecord, FileRecord } from '../hook/index.ts';

export const NOW = Date.parse('2026-02-04T12:00:00.000Z');
export const minutesAgo = (minutes: number): string => new Date(NOW - minutes * 60_000).toISOString();

const ABOUT = { client: 'claude', session: 's1', agent: null };

export function answer(values: Partial<AnswerRecord> = {}): AnswerRecord {
  return {
    ...{ ...ABOUT, kind: 'answer', at: minutesAgo(60), event: 'user-prompt-submit', form: 'brief' },
    ...{ verdict: 'full', confidence: 0.8, reason: 'named in the task', characters: 400, tokens: 100 },
    ...{ milliseconds: 20, places: ['src/a.ts:10-20'], locations: [], prompt: 'Fix a', package: 'p1' },
    ...values,
  };
}

export function used(
  how: FileRecord['how'],
  path: string,
  lines: FileRecord['lines'],
  more: Partial<FileRecord> = {},
): FileRecord {
  return {
    ...ABOUT,
    kind: 'file',
    at: minutesAgo(50),
    event: 'post-tool-use',
    how,
    path,
    lines,
    call: '',
    ...more,
  };
}

/** Writes the log of a repository. An earlier version began it without naming the repository. */
export function writeLog(
  cache: string,
  repository: string,
  records: readonly unknown[],
  isEarlier = false,
): void {
  const name = createHash('sha256').update(repository).digest('hex').slice(0, 32);
  const path = join(cache, 'hook/records', name);
  mkdirSync(dirname(path), { recursive: true });
  const first = isEarlier ? [] : [{ kind: 'repository', path: repository }];
  const lines = [...first, ...records].map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
  writeFileSync(path, `${lines.join('\n')}\n`);
}

/** Writes a loop with one iteration for each outcome. */
export function writeLoop(repository: string, outcomes: readonly string[]): void {
  const put = (path: string, value: unknown) => {
    const file = join(repository, '.loadout/loop', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  };
  const leaf = (id: string, passes: boolean) => ({
    ...{ id, order: 0, title: `Title of ${id}`, goal: 'g', acceptance: ['it works'], passes },
    ...{ attempts: 0, max_attempts: 3, children: [] },
  });
  put('state/tree.json', { ...leaf('root', false), children: [leaf('one', true), leaf('two', false)] });
  put('state/run_state.json', {
    ...{
      run_id: 'r1',
      next_iter: outcomes.length + 1,
      last_status: null,
      last_summary: null,
      last_guard: null,
    },
  });
  for (const [at, outcome] of outcomes.entries())
    put(
      `iterations/r1/${at + 1}/meta.json`,
      outcome === ''
        ? '{'
        : {
            ...{ node: 'one', outcome, status: 'done', guard: 'pass', summary: `Did ${at + 1}` },
            ...{ started_at: minutesAgo(30), ended_at: minutesAgo(20) },
          },
    );
}

/** Writes the events of a run. */
export function writeRun(
  repository: string,
  run: string,
  events: readonly Readonly<Record<string, unknown>>[],
): void {
  const folder = join(repository, '.loadout/runs', run);
  mkdirSync(folder, { recursive: true });
  const lines = events.map((event, at) =>
    JSON.stringify({ run, seq: at + 1, at: minutesAgo(40 - at), ...event }),
  );
  writeFileSync(join(folder, 'events.jsonl'), `${lines.join('\n')}\n`);
}
