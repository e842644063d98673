/**
 * `loadout loop`: works through a task tree, one node in each iteration. This file reads the flags of its five
 * actions; the loop itself is in `workers/loop`.
 */

import { readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { WORKER_NAMES } from '../../../agents/index.ts';
import { durationKind, integerKind } from '../../../config/index.ts';
import { LoadoutError } from '../../../model/loadout-error.ts';
import { decodeText } from '../../../platform/fs/decode-text.ts';
import { type CliCommand, type CommandCall, choiceFlag, numberFlag, unknownAction } from '../command.ts';
import { createLoopView, formatIteration, formatLoop, formatStep, watchLoop } from '../views/loop-view.ts';
import { printable } from '../views/output.ts';

const ACTIONS = ['start', 'step', 'run', 'status', 'show'] as const;
type Action = (typeof ACTIONS)[number];
/** From the least to the most that an agent may do. */
const PERMISSIONS = ['read-only', 'edit', 'full'] as const;
/** A limit against typing errors; each attempt is a paid call of an agent. */
const MAX_ATTEMPTS = 1_000;

export const loop: CliCommand = {
  name: 'loop',
  summary:
    'Work through a task tree, one node in each iteration, until it passes. The exit code is 1 when it is stuck, or when "run" ends before it passes.',
  arguments: [
    { syntax: '<ACTION>', help: `One of ${ACTIONS.join(', ')}.`, values: ACTIONS },
    { syntax: '[ITER]', help: 'show: an iteration, such as 3 or RUN/3.' },
  ],
  groups: [
    { title: 'Start', flags: ['--goal', '--branch', '--attempts', '--replace', '--dir'] },
    { title: 'Worker', flags: ['--role', '--cli', '--model', '--permissions', '--timeout'] },
    { title: 'Iterations', flags: ['--guard', '--max'] },
  ],
  settings: [
    'loopGuard',
    'loopPromptBytes',
    'include',
    'exclude',
    'historyLimit',
    'maxTokenBudget',
    'cacheDir',
  ],
  flags: [
    {
      syntax: '--dir <DIR>',
      help: 'Folder of the loop. (default: .loadout/loop, or .runner if it exists)',
    },
    { syntax: '--goal <FILE|TEXT>', help: 'start: the goal in words, or a task tree in JSON.' },
    {
      syntax: '--branch <NAME>',
      help: 'start: create this branch and work on it. (default: loadout/loop-TITLE when on the main branch)',
    },
    { syntax: '--attempts <N>', help: 'start: number of attempts before the goal is stuck. (default: 3)' },
    { syntax: '--replace', help: 'start: replace the existing tree.' },
    {
      syntax: '--role <ROLE>',
      help: 'step, run: role for nodes without one. (default: implementer)',
      values: 'roles',
    },
    {
      syntax: '--cli <NAME>',
      help: `step, run: use this agent instead of the role's: ${WORKER_NAMES.join(', ')}.`,
      values: WORKER_NAMES,
    },
    { syntax: '--model <NAME>', help: "step, run: use this model instead of the role's." },
    {
      syntax: '--permissions <LEVEL>',
      help: `step, run: permissions of the agent: ${PERMISSIONS.join(', ')}.`,
      values: PERMISSIONS,
    },
    {
      syntax: '--timeout <DURATION>',
      help: 'step, run: time limit of a worker, and of the guard. (default: 30m)',
    },
    { syntax: '--max <N>', help: 'run: maximum number of iterations.' },
  ],
  examples: [
    { line: 'loadout loop start --goal goal.md', does: 'start with a goal, on its own branch' },
    { line: 'loadout loop run --guard "npm test"', does: 'continue until the tree passes or is stuck' },
    { line: `loadout loop step --cli ${WORKER_NAMES[1]}`, does: 'run one iteration' },
    { line: 'loadout loop status', does: 'the tree with marks; on a terminal it follows a running loop' },
    { line: 'loadout loop show 3', does: 'what happened in an iteration' },
  ],
  run: async (call) => {
    const [action, iteration] = call.arguments;
    switch (action as Action) {
      case 'start':
        return start(call);
      case 'step':
        return drive(call, 1);
      case 'run':
        return drive(call, numberFlag(call, 'max', integerKind({ min: 1, max: 1_000_000 })));
      case 'status':
        return status(call);
      case 'show':
        return show(call, iteration);
    }
    throw unknownAction(call, ACTIONS);
  },
};

/** The folder of `--dir`; undefined means the default of the loop. */
const folderOf = ({ flags }: CommandCall): string | undefined =>
  typeof flags.dir === 'string' ? flags.dir : undefined;

/** Writes the state of a new loop. It starts no worker. */
async function start(call: CommandCall): Promise<number> {
  const { settings } = await call.settings();
  const { startLoop } = await import('../../../workers/loop/index.ts');
  const { wallClockMs } = await import('../../../platform/clock.ts');
  const started = await startLoop(
    {
      repository: call.repository().path,
      folder: folderOf(call),
      ...readGoal(call),
      maxAttempts: numberFlag(call, 'attempts', integerKind({ min: 1, max: MAX_ATTEMPTS })),
      branch: typeof call.flags.branch === 'string' ? call.flags.branch : undefined,
      promptBytes: settings.loopPromptBytes,
      replace: call.flags.replace === true,
    },
    wallClockMs,
  );
  if (call.global.json) call.output.json(started);
  else {
    call.output.line(`started a loop in ${started.folder}: ${printable(started.tree.title)}`);
    if (started.isNewBranch) call.output.line(`on the new branch ${printable(started.branch)}`);
    call.output.line(call.output.colors.dim('continue with: loadout loop run --guard "npm test"'));
  }
  return 0;
}

/** Runs iterations until the tree passes, is stuck, or `most` are done. */
async function drive(call: CommandCall, most: number | undefined): Promise<number> {
  const { flags, signal } = call;
  // Wrong flags must fail before a worker is started.
  const cli = choiceFlag(call, 'cli', WORKER_NAMES);
  const permissions = choiceFlag(call, 'permissions', PERMISSIONS);
  const timeoutMs = numberFlag(call, 'timeout', durationKind({ min: 1000 }));
  const { settings } = await call.settings();
  const { createRunEnvironment } = await import('../../library/run.ts');
  const { runTaskTree } = await import('../../../workers/loop/index.ts');
  const view = createLoopView(call);
  const result = await runTaskTree(
    {
      ...{ repository: call.repository().path, folder: folderOf(call), settings, signal, most },
      role: typeof flags.role === 'string' ? flags.role : 'implementer',
      ...(cli === undefined ? {} : { cli }),
      ...(permissions === undefined ? {} : { permissions }),
      ...(typeof flags.model === 'string' ? { model: flags.model } : {}),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      onDiagnostics: call.output.diagnostics,
      onStep: view.step,
      onReport: (report) => {
        view.clear();
        if (!call.global.json)
          for (const line of formatStep(report, call.output.colors)) call.output.line(line);
      },
    },
    createRunEnvironment({ env: call.io.env, settings }),
  ).finally(view.clear);
  if (call.global.json) call.output.json(result);
  // One step that was asked for and done is done, however far the tree is.
  const isDone = result.outcome === 'passed' || (call.arguments[0] === 'step' && result.outcome === 'open');
  return isDone ? 0 : 1;
}

/** The tree with marks. On a terminal it is redrawn while a loop is working. */
async function status(call: CommandCall): Promise<number> {
  const { loopStatus } = await import('../../../workers/loop/index.ts');
  const read = () => loopStatus(call.repository().path, folderOf(call));
  const now = read();
  if (call.global.json) {
    const { lines: _, ...report } = now;
    call.output.json(report);
  } else if (now.isRunning && call.io.isTerminal.stdout) await watchLoop(call, read);
  else for (const line of formatLoop(now, call.output.colors)) call.output.line(line);
  return read().outcome === 'stuck' ? 1 : 0;
}

/** One iteration: its prompt, its log and how it ended. */
async function show(call: CommandCall, iteration: string | undefined): Promise<number> {
  if (iteration === undefined) {
    throw new LoadoutError('missing-iteration', '"loadout loop show" needs an iteration', {
      hint: 'such as: loadout loop show 3',
    });
  }
  const { showIteration } = await import('../../../workers/loop/index.ts');
  const shown = showIteration(call.repository().path, folderOf(call), iteration);
  if (call.global.json) call.output.json(shown);
  else for (const line of formatIteration(shown, call.output.colors)) call.output.line(line);
  return 0;
}

/** Enough for a tree of a thousand nodes. */
const MAX_BYTES = 256 * 1024;
/** A goal of one word with such an ending is a mistyped file name. */
const LOOKS_LIKE_A_FILE = /^[^\s]+\.(md|txt|json)$/i;

/** The goal of `start`. */
interface Goal {
  /** Null when `--goal` is absent. */
  readonly goal: string | null;
  /** The file it was read from, if that is in the repository. */
  readonly goalFile?: string;
}

/** The text of `--goal`: the content of a file of that name, otherwise the words themselves. */
export function readGoal({ flags, io, repository }: CommandCall): Goal {
  if (typeof flags.goal !== 'string') return { goal: null };
  const { goal } = flags;
  const path = resolve(io.cwd, goal);
  const stats = statOrNull(path);
  if (stats?.isFile()) {
    if (stats.size > MAX_BYTES)
      throw badGoal(`${goal} has ${stats.size} bytes; at most ${MAX_BYTES} are read`);
    const decoded = decodeText(readFileSync(path));
    if (decoded.kind !== 'text') throw badGoal(`${goal} is not a text file`);
    const inside = relative(repository().path, `${realpathSync(dirname(path))}/${basename(path)}`);
    return { goal: decoded.text, ...(inside.startsWith('..') ? {} : { goalFile: inside }) };
  }
  if (LOOKS_LIKE_A_FILE.test(goal)) throw badGoal(`the file ${goal} does not exist`);
  return { goal };
}

function badGoal(message: string): LoadoutError {
  return new LoadoutError('bad-goal', `--goal: ${message}`, {
    subject: '--goal',
    hint: 'give a text file, a tree in JSON, or the goal in words',
  });
}

/** Words can be too long or too odd for a file name; then there is no such file. */
function statOrNull(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
