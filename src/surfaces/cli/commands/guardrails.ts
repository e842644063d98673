/**
 * `loadout guardrails`: lists the guidelines, explains which of them apply to a situation, and writes the
 * built-in set to a folder where it can be edited.
 */

import { join } from 'node:path';
import { HOOK_EVENTS } from '../../../agents/index.ts';
import {
  BUILT_IN_GUIDELINES,
  type Judgement,
  type LoadedGuideline,
  type LoadedGuidelines,
  REPOSITORY_GUIDELINES,
  type Situation,
  USER_GUIDELINES,
} from '../../../context/guidelines/index.ts';
import type { TaskAnalysis } from '../../../model/task-analysis.ts';
import { configDirectory } from '../../../platform/cache/user-directories.ts';
import { writeFileAtomic } from '../../../platform/fs/atomic-file.ts';
import { createFolders } from '../../../platform/fs/make-folder.ts';
import { readRegularFile } from '../../../platform/fs/read-file.ts';
import { MAX_DOCUMENT_BYTES } from '../../../schema/parsed-document.ts';
import { type CliCommand, type CommandCall, unknownAction } from '../command.ts';
import { containPaths, writeNewFile } from '../named-files.ts';
import { align, printable } from '../views/output.ts';

const ACTIONS = ['list', 'check', 'bootstrap'] as const;
type Action = (typeof ACTIONS)[number];

/** The command `guardrails`. The rules themselves are called guidelines. */
export const guardrails: CliCommand = {
  name: 'guardrails',
  summary: 'List guidelines, check which apply and why, or start your own set.',
  arguments: [
    { syntax: '<ACTION>', help: `One of ${ACTIONS.join(', ')}.`, values: ACTIONS },
    { syntax: '[TASK]', help: 'check: a task in words; its action, domains and files are read from it.' },
  ],
  groups: [
    { title: 'Check', flags: ['--agent', '--action', '--domain', '--path', '--event', '--tool'] },
    { title: 'Bootstrap', flags: ['--user'] },
  ],
  settings: ['include', 'exclude', 'cacheDir'],
  flags: [
    { syntax: '--agent <NAME>', help: 'check: the role or kind of the agent.' },
    { syntax: '--action <NAME>', help: 'check: the action of the task, such as implement.' },
    { syntax: '--domain <NAME...>', help: 'check: domains of the task.', values: 'domains' },
    { syntax: '--path <PATH...>', help: 'check: files that the task is about.' },
    {
      syntax: '--event <EVENT>',
      help: 'check: a hook event, such as pre-tool-use.',
      values: HOOK_EVENTS,
    },
    { syntax: '--tool <NAME>', help: 'check: whether this tool would be refused.' },
    {
      syntax: '--user',
      help: 'bootstrap: write to your config directory, where tool restrictions are enforced.',
    },
  ],
  examples: [
    { line: 'loadout guardrails list', does: 'every guideline, where it comes from and what it does' },
    {
      line: 'loadout guardrails check --agent backend --action implement --path src/x.ts',
      does: 'show which guidelines apply, and why the others do not',
    },
    {
      line: 'loadout guardrails check "Fix the token refresh race" --agent backend',
      does: 'the same for a task, and show how it is read',
    },
    { line: 'loadout guardrails bootstrap', does: 'copy the built-in set to .loadout/guidelines, to edit' },
  ],
  run: async (call) => {
    const [action] = call.arguments;
    switch (action as Action) {
      case 'list':
        return list(call, await load(call));
      case 'check':
        return check(call, await load(call));
      case 'bootstrap':
        return bootstrap(call);
    }
    throw unknownAction(call, ACTIONS);
  },
};

/** The guidelines of Loadout, of the repository and of the user, in order of priority. */
async function load(call: CommandCall): Promise<LoadedGuidelines> {
  const { loadGuidelines } = await import('../../../context/guidelines/guideline-places.ts');
  const loaded = await loadGuidelines({
    repository: call.repository(),
    userDirectory: configDirectory(call.io.env),
  });
  call.output.diagnostics(loaded.diagnostics);
  return loaded;
}

/** One row for each guideline, whether it is on or off. */
function list(call: CommandCall, { guidelines, diagnostics }: LoadedGuidelines): number {
  if (call.global.json) {
    call.output.json({ guidelines: guidelines.map(asJson), diagnostics });
    return 0;
  }
  const rows = guidelines.map(({ guideline, place }) => [
    String(guideline.priority),
    guideline.id,
    place,
    guideline.enabled ? guideline.action.type : 'off',
    printable(guideline.name),
  ]);
  for (const line of align(rows)) call.output.line(line);
  return 0;
}

/** Evaluates every guideline, and says for each why it applies or why not. */
async function check(call: CommandCall, { guidelines, diagnostics }: LoadedGuidelines): Promise<number> {
  const { evaluateGuidelines } = await import('../../../context/guidelines/evaluate-guidelines.ts');
  const { toolDenial } = await import('../../../context/guidelines/evaluate-guidelines.ts');
  const situation = await readSituation(call);
  const judgements = evaluateGuidelines(guidelines, situation);
  // Restrictions on tools depend on the guidelines that apply, so they come last.
  const tool = textFlag(call, 'tool');
  const denial = tool === null ? null : toolDenial(judgements, tool);
  if (call.global.json) {
    call.output.json({ situation, guidelines: judgements.map(judgementJson), denial, diagnostics });
    return 0;
  }
  const { green, dim } = call.output.colors;
  if (call.arguments[1] !== undefined) call.output.line(printable(howRead(situation)));
  for (const judgement of judgements) {
    const { guideline, applies, why, place } = judgement;
    const state = applies ? green('applies') : dim('does not');
    call.output.line(`${state}  ${guideline.id} (${place}): ${printable(why.join('; '))}`);
    if (applies && guideline.action.instruction !== '')
      call.output.line(dim(`          ${printable(guideline.action.instruction)}`));
  }
  if (tool !== null)
    call.output.line(
      denial ? `${printable(tool)} is refused by ${denial.id}` : `no guideline refuses ${printable(tool)}`,
    );
  return 0;
}

/** Reads the situation from the flags, and the rest of it from the task. */
async function readSituation(call: CommandCall): Promise<Situation> {
  const { domain, path } = call.flags;
  const root = call.repository();
  const several = (given: unknown): readonly string[] => (Array.isArray(given) ? given.map(String) : []);
  const analysis = await readAnalysis(call);
  const named = analysis?.paths.map((one) => one.path).filter((one) => root.stat(one)?.type === 'file');
  return {
    agent: textFlag(call, 'agent'),
    action: textFlag(call, 'action') ?? analysis?.action ?? null,
    domains: [...new Set([...several(domain), ...(analysis?.domains ?? [])])],
    paths: [...new Set([...containPaths(root, several(path), call.io.cwd), ...(named ?? [])])],
    event: textFlag(call, 'event'),
  };
}

/** The domains of a task depend on the folders of the repository, so this needs the index. */
async function readAnalysis(call: CommandCall): Promise<TaskAnalysis | null> {
  const [, task] = call.arguments;
  if (task === undefined) return null;
  const { settings } = await call.settings();
  const { analyzeFor } = await import('../../../context/rank.ts');
  const { useIndex } = await import('../../../scan/index-session.ts');
  const request = { repo: call.repository().path, mode: settings.scanMode, settings, signal: call.signal };
  return useIndex(request, (scan) => analyzeFor(scan, task, settings));
}

/** The action, domains and paths that were read from the task. */
function howRead({ action, domains, paths }: Situation): string {
  const listed = (names: readonly string[]) => (names.length === 0 ? 'none' : names.join(', '));
  return `the task: action ${action ?? 'unknown'}, domains ${listed(domains)}, paths ${listed(paths)}`;
}

/** Null for a flag that is absent. */
function textFlag(call: CommandCall, name: string): string | null {
  const given = call.flags[name];
  return typeof given === 'string' ? given : null;
}

/** Writes the built-in guidelines as files. A file that was edited is never replaced. */
async function bootstrap(call: CommandCall): Promise<number> {
  const { planBootstrap } = await import('../../../context/guidelines/built-in-guidelines.ts');
  const folder = openGuidelineFolder(call, call.flags.user === true);
  const steps = planBootstrap(folder.read);
  for (const { file, text, state } of steps) if (state === 'write') folder.write(file, text);
  if (call.global.json) {
    const guidelines = steps.map(({ id, file, state }) => ({ id, file: `${folder.label}/${file}`, state }));
    call.output.json({ folder: folder.label, guidelines });
    return 0;
  }
  const words = { write: 'wrote', current: 'is current:', kept: 'kept as it is:' };
  for (const { file, state } of steps) call.output.line(`${words[state]} ${folder.label}/${file}`);
  call.output.line(`${BUILT_IN_GUIDELINES.length} guidelines; "loadout guardrails list" shows them all`);
  return 0;
}

const asJson = ({ guideline, place, file }: LoadedGuideline) => ({ ...guideline, place, file });

/** A guideline with the reason why it applies or does not. */
function judgementJson({ guideline, place, file, applies, why }: Judgement) {
  const { id, name, priority, action } = guideline;
  return { id, name, priority, place, file, applies, why, action };
}

/** The folder that a bootstrap reads and writes. */
interface GuidelineFolder {
  /** The folder as messages show it. */
  readonly label: string;
  /** Null when there is no such file. A file that cannot be read counts as edited. */
  read(file: string): string | null;
  write(file: string, text: string): void;
}

/** The folder of the repository, or with `--user` that of the user, which alone can restrict tools. */
function openGuidelineFolder(call: CommandCall, isUser: boolean): GuidelineFolder {
  return isUser ? userFolder(join(configDirectory(call.io.env), USER_GUIDELINES)) : repositoryFolder(call);
}

/** Reads and writes inside the repository's root only. */
function repositoryFolder(call: CommandCall): GuidelineFolder {
  const root = call.repository();
  const at = (file: string) => `${REPOSITORY_GUIDELINES}/${file}`;
  return {
    label: REPOSITORY_GUIDELINES,
    read: (file) => {
      if (root.stat(at(file)) === null) return null;
      const outcome = root.read(at(file), MAX_DOCUMENT_BYTES);
      return outcome.kind === 'content' ? outcome.bytes.toString('utf8') : '';
    },
    write: (file, text) => writeNewFile(root, at(file), text),
  };
}

/** The folder is readable by its owner only. */
function userFolder(folder: string): GuidelineFolder {
  return {
    label: folder,
    read: (file) => {
      try {
        return readRegularFile(join(folder, file), MAX_DOCUMENT_BYTES).toString();
      } catch (error) {
        return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : '';
      }
    },
    write: (file, text) => {
      createFolders(folder, 0o700);
      writeFileAtomic(join(folder, file), text);
    },
  };
}
