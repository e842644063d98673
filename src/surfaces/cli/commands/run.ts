/**
 * `loadout run`: runs an agent on a task, or on each task of a list, in a work tree of its own. The work is
 * done in `workers`; this file reads flags and shows events.
 */

import { WORKER_NAMES } from '../../../agents/index.ts';
import { durationKind, integerKind } from '../../../config/index.ts';
import { LoadoutError } from '../../../model/loadout-error.ts';
import { safeJson } from '../../../redact/index.ts';
import type { RunRequest, StoredEvent } from '../../../workers/index.ts';
import { type CliCommand, type CommandCall, choiceFlag, numberFlag } from '../command.ts';
import { containPaths } from '../named-files.ts';
import { readChangeFlags } from '../pack-flags.ts';
import {
  DOMAIN_FLAG,
  EXTRA_FLAG,
  readExtra,
  readTask,
  readTaskList,
  TASK_ARGUMENT,
  TASK_FILE_FLAG,
} from '../read-task.ts';
import { formatRefusal, formatRun } from '../views/format-run.ts';
import { createRunView } from '../views/run-view.ts';

/** From the least to the most that an agent may do. */
const PERMISSIONS = ['read-only', 'edit', 'full'] as const;
/** Each run is a process of an agent with a work tree of its own. */
const MAX_PARALLEL = 64;

/** `loadout run`: flags to requests, events to the view, results to the output. */
export const run: CliCommand = {
  name: 'run',
  summary:
    'Run an agent on a task in its own work tree, and check its work. The exit code is 1 if the run does not pass or the agent answers no.',
  arguments: [TASK_ARGUMENT],
  groups: [
    {
      title: 'What to run',
      flags: [
        '--task-file',
        '--tasks',
        '--target',
        '--domain',
        '--extra',
        '--diff',
        '--staged',
        '--no-staged',
      ],
    },
    { title: 'With which agent', flags: ['--role', '--cli', '--model', '--permissions'] },
    { title: 'Gates', flags: ['--gate', '--gate-env'] },
    { title: 'Limits', flags: ['--timeout', '--deadline', '--retries', '--parallel'] },
    { title: 'Output', flags: ['--apply', '--branch', '--keep'] },
  ],
  settings: ['include', 'exclude', 'historyLimit', 'maxTokenBudget', 'packer', 'cacheDir'],
  flags: [
    TASK_FILE_FLAG,
    DOMAIN_FLAG,
    {
      syntax: '--role <ROLE>',
      help: 'The role; "loadout roles list" shows them. (default: implementer)',
      values: 'roles',
    },
    { syntax: '--target <FILE...>', help: 'Files that the task is about.' },
    EXTRA_FLAG,
    {
      syntax: '--diff [BASE]',
      help: 'Start from your files as they are on disk, and show the agent the changes since BASE. (default: HEAD)',
    },
    {
      syntax: '--cli <NAME>',
      help: `The agent to use instead of the role's: ${WORKER_NAMES.join(', ')}.`,
      values: WORKER_NAMES,
    },
    { syntax: '--model <NAME>', help: "The model to use instead of the role's." },
    {
      syntax: '--permissions <LEVEL>',
      help: `What the agent may do: ${PERMISSIONS.join(', ')}. (default: read-only for planners and reviewers, else edit)`,
      values: PERMISSIONS,
    },
    { syntax: '--gate <COMMAND...>', help: 'Shell commands that must pass in the work tree.' },
    {
      syntax: '--gate-env <NAME...>',
      help: 'Environment variables that gates may read, besides PATH, HOME and the like.',
    },
    {
      syntax: '--timeout <DURATION>',
      help: "Time limit for each attempt and for each gate. (default: the role's, else 10m)",
    },
    { syntax: '--deadline <DURATION>', help: 'Time limit for all attempts together. (default: 1h)' },
    {
      syntax: '--retries <N>',
      help: "Number of attempts after the first one fails. (default: the role's, else 2)",
    },
    {
      syntax: '--staged',
      help: 'Start from the last commit and the staged changes. (default for roles that see staged changes)',
    },
    { syntax: '--no-staged', help: 'Start from the last commit, without the staged changes.' },
    { syntax: '--keep', help: 'Keep the work tree after the run.' },
    { syntax: '--branch', help: 'Create the branch loadout/RUN with the result.' },
    { syntax: '--apply', help: 'Apply the result to your files if it applies cleanly.' },
    {
      syntax: '--tasks <FILE>',
      help: 'Run every task in a file: one task per line, or a JSON list; - reads standard input.',
    },
    { syntax: '--parallel <N>', help: 'Number of tasks to run at the same time. (default: 1)' },
  ],
  examples: [
    {
      line: 'loadout run "Fix the token refresh race" --gate "npm test"',
      does: 'run an implementer; the tests must pass',
    },
    {
      line: `loadout run "Plan the move to ESM" --role planner --cli ${WORKER_NAMES[1]} --json`,
      does: 'run a planner; print events and result as JSON lines',
    },
    {
      line: 'loadout run "Is this ready to merge?" --role reviewer',
      does: 'review the staged changes',
    },
    { line: 'loadout run "Review this branch" --role reviewer --diff main', does: 'review a branch' },
    {
      line: 'loadout run --tasks tasks.txt --parallel 4 --branch',
      does: 'run four tasks at a time, each on its own branch',
    },
  ],
  run: async (call) => {
    const requests = await readRequests(call);
    const { settings } = await call.settings();
    const { createRunEnvironment } = await import('../../../workers/run-environment.ts');
    const { runMany } = await import('../../../workers/run-role.ts');
    const environment = createRunEnvironment({ env: call.io.env, settings });
    const view = createRunView(call, requests.length);
    const parallel = numberFlag(call, 'parallel', integerKind({ min: 1, max: MAX_PARALLEL })) ?? 1;
    // Warnings that the view has shown already are not printed again with the result.
    const said = new Set<string>();
    const onEvent = (event: StoredEvent): void => {
      if (event.type === 'diagnostic') said.add(`${event.run} ${event.message}`);
      view.event(event);
    };
    const results = await runMany(requests, environment, { parallel, onEvent });
    view.close();
    const [first] = results;
    // One run that could not begin is an error like any other. Of several, the other results still count.
    if (results.length === 1 && first && 'error' in first) throw first.error;
    for (const result of results) {
      if (call.global.json) call.io.stdout.write(`${safeJson(jsonOf(result))}\n`);
      else if ('error' in result)
        for (const line of formatRefusal(result, call.output.colors)) call.output.line(line);
      else {
        call.output.diagnostics(
          result.diagnostics.filter(({ message }) => !said.has(`${result.run} ${message}`)),
        );
        for (const line of formatRun(result, call.output.colors, call.repository().path))
          call.output.line(line);
      }
    }
    const wantsApply = call.flags.apply === true;
    // With --apply, a result that could not be applied is a failure for the caller.
    const isGood = results.every(
      (one) =>
        !('error' in one) &&
        one.outcome === 'passed' &&
        (!wantsApply || one.applied || one.changedFiles.length === 0),
    );
    return isGood ? 0 : 1;
  },
};

/** The last line of `--json` for a run: its result, or why it could not begin. */
function jsonOf(result: object): object {
  if (!('error' in result)) return { type: 'result', ...result };
  const { error, ...rest } = result as { error: LoadoutError };
  const { code, message, hint } = error;
  return { type: 'refused', ...rest, error: { code, message, hint } };
}

/** One request for the task, or one for each task of the list. */
async function readRequests(call: CommandCall): Promise<readonly RunRequest[]> {
  const { flags } = call;
  const repository = call.repository();
  const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
  const timeoutMs = numberFlag(call, 'timeout', durationKind({ min: 1000 }));
  const deadlineMs = numberFlag(call, 'deadline', durationKind({ min: 1000 }));
  const maxRetries = numberFlag(call, 'retries', integerKind({ min: 0, max: 10 }));
  const change = flags.diff === undefined ? undefined : readChangeFlags(call);
  const cli = choiceFlag(call, 'cli', WORKER_NAMES);
  const permissions = choiceFlag(call, 'permissions', PERMISSIONS);
  // The same for every task of a list; a list may override role and targets.
  const common = {
    repository: repository.path,
    role: typeof flags.role === 'string' ? flags.role : 'implementer',
    targets: containPaths(repository, texts(flags.target), call.io.cwd),
    ...(flags.extra === undefined ? {} : { extra: await readExtra(call, flags.extra) }),
    ...(change === undefined ? {} : { change }),
    ...(typeof flags.domain === 'string' ? { domain: flags.domain } : {}),
    gates: texts(flags.gate),
    gateVariables: texts(flags.gateEnv),
    keep: flags.keep === true,
    branch: flags.branch === true,
    apply: flags.apply === true,
    signal: call.signal,
    ...(typeof flags.staged === 'boolean' ? { staged: flags.staged } : {}),
    ...(cli === undefined ? {} : { cli }),
    ...(permissions === undefined ? {} : { permissions }),
    ...(typeof flags.model === 'string' ? { model: flags.model } : {}),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
    ...(maxRetries === undefined ? {} : { maxRetries }),
  };
  if (flags.tasks === undefined) return [{ ...common, task: await readTask(call) }];
  if (call.arguments[0] !== undefined || flags.taskFile !== undefined)
    throw new LoadoutError('two-tasks', 'a task is given besides --tasks', { hint: 'give one of them' });
  const tasks = await readTaskList(call, String(flags.tasks));
  return tasks.map((task) => ({ ...common, ...task }));
}
