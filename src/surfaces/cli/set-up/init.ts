/**
 * `loadout init`: sets up an agent client, or undoes it. It plans all changes, shows them, asks, and only then
 * writes.
 */

import { createInterface } from 'node:readline/promises';
import {
  clientOf,
  INSTALL_CLIENTS,
  installOf,
  type LaunchCommand,
  SCOPES,
  type SetUpExtra,
} from '../../../agents/index.ts';
import { LoadoutError } from '../../../model/loadout-error.ts';
import { configDirectory } from '../../../platform/cache/user-directories.ts';
import type { PlannedFile, SetUpRequest, SharedRequest } from '../../install/index.ts';
import type { CliCommand, CommandCall } from '../command.ts';
import { printable } from '../views/output.ts';

/** The names of the clients that support an optional part. */
const EXTRA_CLIENTS = (extra: SetUpExtra): string =>
  INSTALL_CLIENTS.filter((client) => installOf(client).extras?.includes(extra)).join(', ');

const [FIRST, SECOND, THIRD] = INSTALL_CLIENTS.map(clientOf);

export const init: CliCommand = {
  name: 'init',
  summary:
    'Set up your agents: hooks, MCP server, read-only subagent and skill. Shows the changes and asks first.',
  arguments: [
    {
      syntax: '[CLIENT]',
      help: `One of ${INSTALL_CLIENTS.join(', ')}. (default: all that are on this machine)`,
      values: INSTALL_CLIENTS,
    },
  ],
  settings: [],
  flags: [
    {
      syntax: `--scope <${SCOPES.join('|')}>`,
      help: 'For this repository, or for all your repositories. (default: project)',
    },
    { syntax: '--yes', help: 'Do not ask; required without a terminal.' },
    { syntax: '--dry-run', help: 'Only show the changes.' },
    { syntax: '--remove', help: 'Undo: remove exactly what was written.' },
    {
      syntax: '--status-line',
      help: `Also show a line about the session below the prompt (${EXTRA_CLIENTS('status-line')}).`,
    },
    {
      syntax: '--command <PATH>',
      help: 'The program that clients start. (default: loadout, if it is on the PATH)',
    },
  ],
  examples: [
    { line: 'loadout init', does: 'set up every client of this machine for this repository' },
    { line: `loadout init ${FIRST?.id}`, does: `set up ${FIRST?.name} for this repository` },
    {
      line: `loadout init ${SECOND?.id} --scope user --yes`,
      does: `set up ${SECOND?.name} for every repository, without asking`,
    },
    { line: `loadout init ${THIRD?.id} --dry-run`, does: 'only show what would change' },
    {
      line: `loadout init ${FIRST?.id} --status-line`,
      does: 'also show what Loadout did in the session below the prompt',
    },
    { line: `loadout init ${FIRST?.id} --remove`, does: 'remove the set-up again' },
    { line: 'loadout init --remove', does: 'remove the set-ups of all clients' },
  ],
  run: async (call) => {
    if (call.arguments[0] === undefined) return (await import('./init-all.ts')).initAll(call);
    const { planSetUp, applySetUp } = await import('../../install/plan-set-up.ts');
    const { request, isPortable } = await readRequest(call);
    // A plan writes nothing, so it can be shown and dropped.
    const files = planSetUp(request);
    const changes = files.filter(({ action }) => action !== 'keep');
    if (call.global.json) {
      // A program cannot answer a question, so without --yes it only gets the plan.
      const isDone = call.flags.yes === true && call.flags.dryRun !== true;
      if (isDone) applySetUp(files, request);
      call.output.json(asJson(request, files, isDone));
      return 0;
    }
    const isDry = call.flags.dryRun === true;
    // Quiet leaves only errors, but a user who previews or decides must see the changes.
    const isSilent = call.global.quiet && !isDry;
    if (!(isSilent && call.flags.yes === true)) await show(call, request.place.scope, files);
    if (changes.length === 0) {
      applySetUp(files, request);
      if (!isSilent)
        call.output.line(request.remove ? 'there is nothing to remove' : 'everything is set up already');
      return 0;
    }
    if (isDry) return 0;
    if (!isSilent && !isPortable && !request.remove) sayNotPortable(call, request.launch);
    if (call.flags.yes !== true && !(await confirm(call, changes.length))) {
      if (!isSilent) call.output.line('nothing was written');
      return 1;
    }
    applySetUp(files, request);
    if (isSilent) return 0;
    for (const { action, shown } of changes) call.output.line(`${DONE[action]} ${printable(shown)}`);
    if (!request.remove) for (const line of nextSteps(request)) call.output.line(line);
    return 0;
  },
};

export const DONE = { create: 'created', change: 'changed', delete: 'deleted', keep: 'kept' } as const;

/** The steps that are left to the user. */
export function nextSteps({ client, place: { scope }, tools }: SetUpRequest): readonly string[] {
  const { nextSteps: own, refusesToolsIn } = installOf(client);
  const steps = [...own, 'check it with: loadout doctor'];
  if (tools.length === 0 || refusesToolsIn.length === 0 || refusesToolsIn.includes(scope)) return steps;
  const names = printable(tools.join(', '));
  return [
    `Your guidelines refuse tools (${names}); for ${client} to ask before it uses them: loadout init ${client} --scope user`,
    ...steps,
  ];
}

/** Client, scope and launch command from the flags. The command is portable when it works on other machines too. */
async function readRequest(
  call: CommandCall,
): Promise<{ readonly request: SetUpRequest; readonly isPortable: boolean }> {
  const client = choose('client', INSTALL_CLIENTS, call.arguments[0]);
  const { request, isPortable } = await readShared(call);
  const missing = request.extras?.find((extra) => !installOf(client).extras?.includes(extra));
  if (missing !== undefined)
    throw new LoadoutError('bad-flag', `${clientOf(client).name} cannot be given --${missing}`, {
      subject: `--${missing}`,
      hint: `it is for ${EXTRA_CLIENTS(missing)}; leave the flag out`,
    });
  return { request: { ...request, client }, isPortable };
}

/** The request, without the client. */
export async function readShared(
  call: CommandCall,
): Promise<{ readonly request: SharedRequest; readonly isPortable: boolean }> {
  const { io, flags } = call;
  const scope = flags.scope === undefined ? 'project' : choose('scope', SCOPES, flags.scope);
  const { findLaunchCommand, installPlace } = await import('../../install/plan-set-up.ts');
  const { openSetUpRecords } = await import('../../install/plan-target.ts');
  const found = findLaunchCommand(io.env, call.repository().path);
  const given = typeof flags.command === 'string' ? { program: flags.command, args: [] } : null;
  return {
    isPortable: given !== null || found.isPortable,
    request: {
      place: installPlace(io.env, call.repository().path, scope),
      launch: given ?? found.launch,
      records: openSetUpRecords(configDirectory(io.env)),
      tools: await readTools(call),
      remove: flags.remove === true,
      extras: flags.statusLine === true ? ['status-line'] : [],
    },
  };
}

/** The tools that the user's guidelines refuse: they are passed to clients that can ask before they use a tool. */
async function readTools(call: CommandCall): Promise<readonly string[]> {
  const { loadGuidelines } = await import('../../../context/guidelines/guideline-places.ts');
  const userDirectory = configDirectory(call.io.env);
  const { guidelines, diagnostics } = await loadGuidelines({ repository: null, userDirectory });
  call.output.diagnostics(diagnostics);
  const { restrictedTools } = await import('../../install/plan-set-up.ts');
  return restrictedTools(guidelines);
}

/** One of a few words; anything else is an error that lists them. */
function choose<Word extends string>(what: string, words: readonly Word[], given: unknown): Word {
  const word = words.find((one) => one === given);
  if (word !== undefined) return word;
  const message = `unknown ${what} ${JSON.stringify(given)}; choose ${words.join(', ')}`;
  throw new LoadoutError('bad-flag', message, { subject: what });
}

/** The plan for people: each file with its changed lines. */
export async function show(
  { output }: CommandCall,
  scope: string,
  files: readonly PlannedFile[],
): Promise<void> {
  const { green, red, dim, bold } = output.colors;
  const paint = { '+': green, '-': red, ' ': dim } as const;
  for (const { action, shown, before, after, target, notes } of files) {
    if (action === 'keep' && notes.length === 0) continue;
    output.line(bold(`${action} ${printable(shown)}`) + dim(` (${target.what}, ${scope})`));
    for (const note of notes) output.line(`  ${printable(note)}`);
    if (action === 'keep') continue;
    for (const line of await lineDiff(before ?? '', after ?? ''))
      output.line(`  ${paint[line[0] as keyof typeof paint](printable(line))}`);
  }
}

function asJson(request: SetUpRequest, files: readonly PlannedFile[], done: boolean) {
  const { client, place, remove } = request;
  return {
    client,
    scope: place.scope,
    remove,
    done,
    next: remove ? [] : nextSteps(request),
    files: files.map(({ path, action, target, notes }) => ({ path, action, what: target.what, notes })),
  };
}

/** A full path in a file that is committed breaks on other machines, so the user is told. */
export function sayNotPortable({ io }: CommandCall, { program, args }: LaunchCommand): void {
  const line = printable([program, ...args].join(' '));
  io.stderr.write(
    `note: loadout is not on the PATH, so the files name its full path: ${line}\n` +
      'note: this works only on this machine; put loadout on the PATH (npm link in its folder), or give --command\n',
  );
}

/** Only "y" and "yes" count. Without a terminal nothing is written. */
export async function confirm({ io, signal }: CommandCall, count: number): Promise<boolean> {
  if (!io.isTerminal.stdout || !(io.stdin as { isTTY?: boolean }).isTTY)
    throw new LoadoutError('no-terminal', 'there is no terminal to ask on, and nothing was written', {
      hint: 'give --yes to write, or --dry-run to see the changes',
    });
  const lines = createInterface({ input: io.stdin, output: io.stdout });
  try {
    const question = `Write ${count === 1 ? 'this file' : `these ${count} files`}? [y/N] `;
    return /^y(es)?$/i.test((await lines.question(question, { signal })).trim());
  } finally {
    lines.close();
  }
}

/** Lines of context around a change. */
const CONTEXT = 2;
const GAP = '  ...';

/** The difference of two texts for people: changed lines with their neighbours, `...` where lines are left out. */
async function lineDiff(before: string, after: string): Promise<readonly string[]> {
  const { structuredPatch } = await import('diff');
  const options = { context: CONTEXT, stripTrailingCr: true, ignoreNewlineAtEof: true };
  const { hunks } = structuredPatch('', '', before, after, '', '', options);
  const shown: string[] = [];
  // A hunk that does not begin where the one before it ended follows a gap.
  let next = 1;
  for (const { oldStart, oldLines, lines } of hunks) {
    if (oldStart > next) shown.push(GAP);
    shown.push(
      ...lines.filter((line) => !line.startsWith('\\')).map((line) => `${line[0]} ${line.slice(1)}`),
    );
    next = oldStart + oldLines;
  }
  const isCutShort = hunks.length > 0 && next <= before.replace(/\r?\n$/, '').split('\n').length;
  return isCutShort && before !== '' ? [...shown, GAP] : shown;
}
