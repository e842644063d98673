/**
 * `loadout runs`: lists, shows and follows the runs of workers in this repository, and removes work trees that
 * were kept. It reads the logs of runs and starts nothing.
 */

import { LoadoutError } from '../../../model/loadout-error.ts';
import { safeJson } from '../../../redact/index.ts';
import type { StoredEvent } from '../../../workers/index.ts';
import { type CliCommand, type CommandCall, unknownAction } from '../command.ts';
import { createEventFilter, formatEvent, formatRun, formatRunList } from '../views/format-run.ts';
import { printable } from '../views/output.ts';

const ACTIONS = ['list', 'show', 'tail', 'drop'] as const;
type Action = (typeof ACTIONS)[number];
/** Time between looks at the log of a run. */
const LOOK_EVERY_MS = 200;
/** After this many checks without a new event, check that the run is still alive. */
const PATIENT_LOOKS = 15;
/** A run has no work tree while it builds its prompt. */
const LOOKS_WITHOUT_TREE = 300;

export const runs: CliCommand = {
  name: 'runs',
  summary: 'List and show the runs of workers in this repository.',
  arguments: [
    { syntax: '<ACTION>', help: `One of ${ACTIONS.join(', ')}.`, values: ACTIONS },
    {
      syntax: '[RUN]',
      help: 'The name of a run, or a part of it. (default: the newest run)',
      values: 'runs',
    },
  ],
  settings: ['cacheDir'],
  flags: [
    { syntax: '--patch', help: 'show: print only the patch.' },
    { syntax: '--limit <N>', help: 'list: maximum number of runs. (default: 20)' },
  ],
  examples: [
    { line: 'loadout runs list', does: 'the newest runs, and how they ended' },
    { line: 'loadout runs show', does: 'the attempts, result and cost of the newest run' },
    { line: 'loadout runs show 9f86d081 --patch | git apply', does: 'apply the changes of a worker' },
    { line: 'loadout runs tail', does: 'follow the newest run to its end' },
    { line: 'loadout runs drop 9f86d081', does: 'remove the work tree that a run left behind' },
  ],
  run: async (call) => {
    const [action, name] = call.arguments;
    switch (action as Action) {
      case 'list':
        return list(call);
      case 'show':
        return show(call, name);
      case 'tail':
        return tail(call, name);
      case 'drop':
        return drop(call, name);
    }
    throw unknownAction(call, ACTIONS);
  },
};

/** The newest runs, and below them the work trees that were kept. */
async function list(call: CommandCall): Promise<number> {
  const { listRuns } = await import('../../../workers/run-log.ts');
  const { limit = 20 } = call.flags;
  const found = listRuns(call.repository()).slice(0, Number(limit) || 20);
  const { listKeptTrees } = await import('../../../workers/worktrees/tree-place.ts');
  const { settings } = await call.settings();
  const kept = await listKeptTrees(call.repository().path, settings.cacheDir);
  if (call.global.json) call.output.json({ runs: found, keptTrees: kept });
  else {
    for (const line of formatRunList(found, call.output.colors)) call.output.line(line);
    for (const { path, why } of kept) call.output.line(printable(`work tree kept (${why}): ${path}`));
    if (found.length === 0) call.output.line('no runs yet; start one with: loadout run TASK');
  }
  return 0;
}

/** The events and the result of one run, or with `--patch` only its changes. */
async function show(call: CommandCall, name: string | undefined): Promise<number> {
  const { findRun, readRun } = await import('../../../workers/run-log.ts');
  const { RUNS_FOLDER } = await import('../../../workers/run-log.ts');
  const root = call.repository();
  const run = findRun(root, name);
  if (call.flags.patch === true) {
    const patch = root.read(`${RUNS_FOLDER}/${run}/patch.diff`, 256_000_000);
    if (patch.kind !== 'content')
      throw new LoadoutError('no-patch', `the run ${run} has no patch`, { subject: run });
    call.io.stdout.write(patch.bytes);
    return 0;
  }
  const { events, record } = readRun(root, run);
  if (call.global.json) {
    call.output.json({ run, record, events });
    return 0;
  }
  // Without a record the run was killed, and its last events are all there is.
  const filter = record === null ? (event: StoredEvent) => [event] : createEventFilter();
  for (const event of events.flatMap(filter)) {
    const line = formatEvent(event, call.output.colors);
    if (line !== null) call.output.line(`${call.output.colors.dim(event.at.slice(11, 19))} ${line}`);
  }
  if (record) for (const line of formatRun(record, call.output.colors, root.path)) call.output.line(line);
  return 0;
}

/** Prints the events so far and new events, until the run has ended. */
async function tail(call: CommandCall, name: string | undefined): Promise<number> {
  const { findRun, readEvents } = await import('../../../workers/run-log.ts');
  const { pause } = await import('../../../platform/clock.ts');
  const { endDeadRuns } = await import('../../../workers/worktrees/run-tree.ts');
  const { settings } = await call.settings();
  const root = call.repository();
  const run = findRun(root, name);
  let quiet = 0;
  for (let seen = 0; !call.signal.aborted; quiet++) {
    // The log only grows, so the number of the last event tells what is new.
    for (const event of readEvents(root, run).filter(({ seq }) => seq > seen)) {
      const line = call.global.json ? null : formatEvent(event, call.output.colors);
      if (call.global.json) call.output.document(safeJson(event));
      if (line !== null) call.output.line(line);
      seen = event.seq;
      quiet = 0;
      if (event.type === 'run-end') return event.outcome === 'passed' ? 0 : 1;
    }
    if (quiet % PATIENT_LOOKS === PATIENT_LOOKS - 1) {
      const alive = await endDeadRuns(root.path, settings.cacheDir);
      // A run without a process and without a work tree was killed before it had anything to clean up.
      if (
        quiet > LOOKS_WITHOUT_TREE &&
        !alive.has(run) &&
        !readEvents(root, run).some(({ type }) => type === 'run-end')
      ) {
        call.io.stderr.write(`loadout: the run ${run} did not finish, and its process is gone\n`);
        return 1;
      }
    }
    await pause(LOOK_EVERY_MS, call.signal);
  }
  return 1;
}

/** Removes a work tree that was kept. The record of the run stays. */
async function drop(call: CommandCall, name: string | undefined): Promise<number> {
  const { findRun } = await import('../../../workers/run-log.ts');
  const { dropRunTree } = await import('../../../workers/worktrees/tree-place.ts');
  if (name === undefined)
    throw new LoadoutError('missing-name', '"loadout runs drop" needs the name of a run', {
      hint: 'see: loadout runs list',
    });
  const { settings } = await call.settings();
  const root = call.repository();
  const kept = await dropRunTree(root.path, settings.cacheDir, findRun(root, name));
  if (call.global.json) call.output.json({ dropped: kept });
  else call.output.line(printable(`removed ${kept.path}`));
  return 0;
}
