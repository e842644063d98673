/** Reads the flags that `pack`, `pack --all`, `prompt` and `run` share, and checks them before any work starts. */

import { resolve } from 'node:path';
import { tokensKind } from '../../config/setting-kinds.ts';
import type { Settings } from '../../config/settings.ts';
import type { ChangeSelection } from '../../context/compose/index.ts';
import { type Model, parseBudget, resolveModel } from '../../context/fit/index.ts';
import { PACK_STRATEGIES, type PackageRequest, type PackStrategy } from '../../context/pack/index.ts';
import { PACK_FORMATS } from '../../context/render/index.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { configDirectory } from '../../platform/cache/user-directories.ts';
import type { CommandCall } from './command.ts';
import { containPaths } from './named-files.ts';
import { openRoles } from './read-task.ts';

/** `summary` is a short text with a limit of its own, the setting summaryMaxTokens. */
export const FORMATS = [...PACK_FORMATS, 'summary'] as const;
export type ShownFormat = (typeof FORMATS)[number];

/** A flag that takes one of a few words. */
function choose<Word extends string>(
  flag: string,
  words: readonly Word[],
  given: unknown,
  usual: Word,
): Word {
  if (given === undefined) return usual;
  const word = words.find((one) => one === given);
  if (word !== undefined) return word;
  const message = `${flag}: ${JSON.stringify(given)} is not known; allowed is ${words.join(', ')}`;
  throw new LoadoutError('bad-flag', message, { subject: flag });
}

/** The format that the budget counts. `--json` prints the same package as data. */
export function readFormat({ flags }: CommandCall): ShownFormat {
  return choose('--format', FORMATS, flags.format, 'markdown');
}

/** The form of the files with `--all`. */
export function readForm({ flags }: CommandCall): 'full' | 'signatures' {
  return choose('--form', ['full', 'signatures'], flags.form, 'full');
}

/** The token limit of a part, when the text is split. */
export function readSplit({ flags, global }: CommandCall, format: ShownFormat): number | undefined {
  if (flags.split === undefined) return undefined;
  if (global.json || format === 'json' || format === 'summary')
    throw new LoadoutError('bad-flag', '--split writes markdown or xml', { subject: '--split' });
  if (typeof flags.output !== 'string')
    throw new LoadoutError('bad-flag', '--split needs --output FILE: its parts are FILE with a number', {
      subject: '--split',
      hint: 'such as: --split 100k --output pack.md, which writes pack.1.md, pack.2.md and so on',
    });
  const { fromText, allowed } = tokensKind({ min: 200 });
  const tokens = fromText(String(flags.split));
  if (tokens !== undefined) return tokens;
  const message = `--split: ${JSON.stringify(flags.split)} is not a size; allowed is ${allowed}`;
  throw new LoadoutError('bad-flag', message, { subject: '--split' });
}

/** The change under review that the flags ask for. */
export function readChangeFlags({ flags }: CommandCall): ChangeSelection | undefined {
  const given = [flags.diff, flags.staged, flags.since].filter((flag) => flag !== undefined);
  if (given.length > 1) {
    const message = 'only one of --diff, --staged and --since can be given';
    throw new LoadoutError('bad-flag', message, { subject: '--diff' });
  }
  if (flags.staged === true) return { base: 'HEAD', staged: true };
  if (typeof flags.since === 'string') return { base: 'HEAD', since: flags.since };
  return flags.diff === undefined
    ? undefined
    : { base: typeof flags.diff === 'string' ? flags.diff : 'HEAD' };
}

/** The parts of a request that flags and a role decide: all but task, repository and format. */
export type PackChoices = Pick<
  PackageRequest,
  | 'settings'
  | 'role'
  | 'domain'
  | 'userDirectory'
  | 'targets'
  | 'allow'
  | 'select'
  | 'model'
  | 'lineNumbers'
  | 'redact'
  | 'strategy'
>;

/** Reads model, budget, role and targets of a package. A role decides only what the flags leave open. */
export async function readPackFlags(call: CommandCall, settings: Settings): Promise<PackChoices> {
  const { flags } = call;
  const model = typeof flags.model === 'string' ? resolveModel(flags.model) : undefined;
  const strategy: PackStrategy = choose('--strategy', PACK_STRATEGIES, flags.strategy, 'value');
  const named = Array.isArray(flags.target) ? flags.target.map(String) : [];
  // With several repositories targets are assigned later, see `targetsByRepository`.
  const roots = call.repositories();
  const role = typeof flags.role === 'string' ? await readRole(call, settings, flags.role) : null;
  const listed = typeof flags.filesFrom === 'string' ? await readListedFiles(call, flags.filesFrom) : null;
  const budget = readBudget(flags.budget, model, role?.tokenBudget ?? settings.tokenBudget);
  return {
    settings: { ...settings, tokenBudget: budget },
    role: role?.name ?? null,
    userDirectory: configDirectory(call.io.env),
    targets: roots.length > 1 ? [] : containPaths(roots[0]!, named, call.io.cwd),
    lineNumbers: flags.lineNumbers === true,
    redact: flags.redact !== false,
    strategy,
    ...(typeof flags.domain === 'string' ? { domain: flags.domain } : {}),
    ...(listed ? { allow: listed } : {}),
    ...(role ? { select: listed ? within(role.select, listed) : role.select } : {}),
    ...(model ? { model } : {}),
  };
}

type Allow = NonNullable<PackageRequest['allow']>;
type Select = NonNullable<PackageRequest['select']>;

/** The files of `--files-from`. */
async function readListedFiles(call: CommandCall, file: string): Promise<Allow> {
  const { readFilesFrom } = await import('./files-from.ts');
  const { allow, diagnostics } = await readFilesFrom(call, file);
  call.output.diagnostics(diagnostics);
  return allow;
}

/** What a role selects, as far as a list has it. */
function within(select: Select, listed: Allow): Select {
  return async (scan, targets) => {
    const selection = await select(scan, targets);
    return { ...selection, allow: (path) => listed(path) && selection.allow(path) };
  };
}

/** Which of several repositories each target belongs to: the one whose folder holds it. */
export function targetsByRepository(call: CommandCall): { path: string; targets: string[] }[] {
  const named = Array.isArray(call.flags.target) ? call.flags.target.map(String) : [];
  const places = call.repositories().map((root) => ({ root, path: root.path, targets: [] as string[] }));
  for (const target of named) {
    const absolute = resolve(call.io.cwd, target);
    const place = places.find(({ path }) => absolute.startsWith(`${path}/`));
    if (place === undefined)
      throw new LoadoutError('outside-root', `${target} is in none of the repositories`, {
        subject: target,
        hint: `give a path inside one of ${places.map(({ path }) => path).join(', ')}`,
      });
    place.targets.push(place.root.contain(absolute, call.io.cwd));
  }
  return places.map(({ path, targets }) => ({ path, targets }));
}

/** A default budget shrinks to a small window; a budget from the flags does not. */
function readBudget(given: unknown, model: Model | undefined, usual: number): number {
  if (typeof given === 'string') return parseBudget(given, model);
  return model ? Math.min(usual, model.window) : usual;
}

/** Diagnostics about system prompts, which a package does not contain. */
const ABOUT_PROMPTS: ReadonlySet<string> = new Set(['role-prompt-withheld', 'role-not-trusted']);

/** The files, restrictions and budget of a role. */
async function readRole(call: CommandCall, settings: Settings, name: string) {
  const { roleForPackage } = await import('../../context/prompt/role-for-package.ts');
  const loader = await openRoles(call, settings);
  const { role, diagnostics } = await loader.load(name);
  // A package holds no system prompt.
  const aboutFiles = diagnostics.filter(({ code }) => !ABOUT_PROMPTS.has(code));
  call.output.diagnostics(aboutFiles);
  return roleForPackage(role);
}
