/**
 * `loadout stats`: what hooks, runs and loops did on this machine, from their records. It reads and counts; nothing is
 * estimated.
 */

import { integerKind } from '../../../config/index.ts';
import { LoadoutError } from '../../../model/loadout-error.ts';
import { wallClockMs } from '../../../platform/clock.ts';
import { type CliCommand, type CommandCall, numberFlag } from '../command.ts';
import { printable } from '../views/output.ts';

const DEFAULT_WEEKS = 8;
const MAX_WEEKS = 53;
const WEEK_MS = 7 * 24 * 3_600_000;

export const stats: CliCommand = {
  name: 'stats',
  summary: 'Show what hooks added on this machine, what agents then read or edited, and how runs ended.',
  arguments: [],
  settings: ['cacheDir'],
  takesSeveralRepositories: true,
  flags: [
    { syntax: '--weeks <N>', help: `Number of weeks, this one included. (default: ${DEFAULT_WEEKS})` },
    { syntax: '--since <DATE>', help: 'From this day on, such as 2026-01-31, instead of --weeks.' },
    {
      syntax: '--status-line',
      help: 'Print one line about a session, for the status line of an agent: JSON on standard input.',
    },
  ],
  examples: [
    { line: 'loadout stats', does: 'all repositories on this machine, the last 8 weeks' },
    { line: 'loadout stats --repo . --weeks 2', does: 'this repository, this week and the last' },
    {
      line: 'loadout stats --json --since 2026-01-31',
      does: 'every session and answer since that day as JSON',
    },
  ],
  run: async (call) => {
    if (call.flags.statusLine === true) return printStatusLine(call);
    const nowMs = wallClockMs();
    const { weeksBack, collectStats } = await import('../../stats/index.ts');
    const weeks = numberFlag(call, 'weeks', integerKind({ min: 1, max: MAX_WEEKS }));
    const since = readSince(call.flags.since, nowMs);
    if (weeks !== undefined && since !== null)
      throw new LoadoutError('bad-flag', '--weeks and --since exclude each other', {
        subject: '--since',
        hint: 'leave one of them out',
      });
    const { settings } = await call.settings();
    const sinceMs = since ?? weeksBack(nowMs, weeks ?? DEFAULT_WEEKS);
    const report = collectStats({
      cacheDirectory: settings.cacheDir,
      repositories: call.global.repos.length === 0 ? null : call.repositories().map(({ path }) => path),
      own: call.repository().path,
      sinceMs,
      weeks: weeks ?? (since === null ? DEFAULT_WEEKS : weeksBetween(since, nowMs)),
      nowMs,
    });
    if (call.global.json) {
      call.output.json(report);
      return 0;
    }
    const { statsLines } = await import('../views/stats-view.ts');
    for (const line of statsLines(report, { colors: call.output.colors, records: settings.hookRecords }))
      call.output.line(line);
    return 0;
  },
};

/** A day in UTC, as milliseconds; null when the flag is absent. */
function readSince(given: unknown, nowMs: number): number | null {
  if (given === undefined) return null;
  const atMs = /^\d{4}-\d\d-\d\d$/.test(String(given)) ? Date.parse(String(given)) : Number.NaN;
  if (atMs <= nowMs) return atMs;
  throw new LoadoutError('bad-flag', `--since: ${JSON.stringify(given)} is not a day in the past`, {
    subject: '--since',
    hint: 'write it as 2026-01-31',
  });
}

const weeksBetween = (sinceMs: number, nowMs: number): number =>
  Math.min(MAX_WEEKS, Math.floor((nowMs - sinceMs) / WEEK_MS) + 2);

/** A client runs this again and again, so it prints a line whatever happens. */
async function printStatusLine({ io, output }: CommandCall): Promise<number> {
  const { statusLine } = await import('../../stats/status-line.ts');
  const chunks: string[] = [];
  let size = 0;
  for await (const chunk of io.stdin) {
    chunks.push(String(chunk));
    size += chunks.at(-1)!.length;
    if (size > 1_000_000) break;
  }
  output.line(printable(await statusLine(chunks.join(''), io.env, io.cwd)));
  return 0;
}
