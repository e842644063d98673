/** The data of the view Package: the package for a task with a person's changes, and one file of it. */

import { createSourceReader } from '../../context/compose/index.ts';
import type { BuiltPackage } from '../../context/pack/index.ts';
import { buildPackage } from '../../context/pack.ts';
import type { ContextItem, ItemForm } from '../../model/context-pack.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { monotonicMs } from '../../platform/clock.ts';
import { integer, isJsonObject, list, text } from '../../schema/schema.ts';
import { valueOrUndefined } from '../../schema/value-issues.ts';
import type { DataRoute, InspectContext } from './context.ts';

/** What a person chose in the page. */
export interface PackageQuery {
  readonly task: string;
  /** 0 takes the setting. */
  readonly budget: number;
  /** Files that come first, and whole if they fit. */
  readonly pinned: readonly string[];
  /** Files that stay out. */
  readonly excluded: readonly string[];
}

/** A row of the table. */
export interface PackageFile {
  readonly path: string;
  /** Null for a file that is left out. */
  readonly form: ItemForm | null;
  /** Lines of the file that are shown. */
  readonly lines: number;
  /** What it costs, or would cost. */
  readonly tokens: number;
  readonly score: number;
  readonly why: string;
}

/** The answer of the route `package`. */
export interface PackageAnswer {
  readonly task: string;
  readonly budget: number;
  readonly tokens: number;
  readonly milliseconds: number;
  readonly files: readonly PackageFile[];
  /** What is not a file: the frame, conventions, signatures of what is used. */
  readonly parts: readonly { readonly name: string; readonly tokens: number }[];
  readonly notes: readonly string[];
  /** The package as an agent gets it. */
  readonly text: string;
  /** The same package on the command line. */
  readonly command: string;
}

/** One line of the file view. */
interface FileLine {
  readonly number: number;
  readonly text: string;
  readonly isKept: boolean;
}

/** The answer of the route `file`. */
export interface FileAnswer {
  readonly path: string;
  readonly form: ItemForm | null;
  readonly lines: readonly FileLine[];
}

const MAX_PATHS = 1_000;
const MIN_BUDGET = 500;
const MAX_BUDGET = 2_000_000;
/** Packages that stay for the file view. */
const MAX_KEPT = 8;

export const packageRoute: DataRoute = {
  path: 'package',
  async answer(context, given): Promise<PackageAnswer> {
    const query = readQuery(given);
    const started = monotonicMs();
    const { pack, text: content } = await packageFor(context, query);
    return {
      task: query.task,
      budget: pack.tokenBudget,
      tokens: pack.tokenCount,
      milliseconds: Math.round(monotonicMs() - started),
      files: [
        ...pack.items.map((item) => ({
          path: item.path,
          form: item.form,
          lines: shownLines(item),
          tokens: item.tokens,
          score: item.combinedScore,
          why: item.reason,
        })),
        ...pack.omitted.map(({ path, cost, combinedScore, reason }) => {
          return { path, form: null, lines: 0, tokens: cost?.tokens ?? 0, score: combinedScore, why: reason };
        }),
      ],
      parts: pack.receipts
        .filter(({ part }) => part !== 'file')
        .map(({ part, path, tokens }) => ({ name: path === '' ? part : `${part} ${path}`, tokens })),
      notes: pack.diagnostics.map(({ message }) => message),
      text: content,
      command: commandLine(query),
    };
  },
};

export const fileRoute: DataRoute = {
  path: 'file',
  async answer(context, given): Promise<FileAnswer> {
    const path = isJsonObject(given) ? (valueOrUndefined(text(), given.path) ?? '') : '';
    const { pack } = await packageFor(context, readQuery(given));
    const item = pack.items.find((one) => one.path === path);
    // Both lists have passed the guidelines, so this shows no file that an agent may not see.
    if (!item && !pack.omitted.some((one) => one.path === path))
      throw new LoadoutError('not-in-package', `${path} is not among the files of this package`, {
        hint: 'the view Why says where it ranks',
      });
    const source = await context.session.use(({ index, repository }) => {
      const options = { root: repository.root, redact: true, maxBytes: context.settings.maxFileBytes };
      return createSourceReader({ index, ...options }).read(path);
    });
    const kept = keptLines(item);
    return {
      path,
      form: item?.form ?? null,
      lines: (source?.lines ?? []).map((line, at) => {
        return { number: at + 1, text: line, isKept: kept.has(at + 1) };
      }),
    };
  },
};

/** Builds the package, or takes it from the last ones while the index is the same. */
async function packageFor(context: InspectContext, query: PackageQuery): Promise<BuiltPackage> {
  const snapshot = await context.session.use(({ index }) => index.snapshot.id);
  const key = JSON.stringify([snapshot, query]);
  const known = context.packages.get(key);
  if (known) return known;
  const { settings, repo, userDirectory, signal } = context;
  const excluded = new Set(query.excluded);
  const built = await buildPackage(
    {
      repo,
      settings: { ...settings, ...(query.budget > 0 ? { tokenBudget: query.budget } : {}) },
      task: query.task,
      targets: query.pinned.filter((path) => !excluded.has(path)),
      onlyListedTargets: true,
      allow: (path) => !excluded.has(path),
      userDirectory,
      signal,
    },
    context.session,
  );
  context.packages.set(key, built);
  if (context.packages.size > MAX_KEPT) context.packages.delete(context.packages.keys().next().value!);
  return built;
}

function readQuery(given: unknown): PackageQuery {
  const query = isJsonObject(given) ? given : {};
  const paths = (value: unknown) =>
    [...new Set(valueOrUndefined(list(text(), 'a list of paths'), value) ?? [])].slice(0, MAX_PATHS);
  const budget = valueOrUndefined(integer({ min: MIN_BUDGET, max: MAX_BUDGET }), query.budget) ?? 0;
  const task = valueOrUndefined(text(), query.task) ?? '';
  return { task, budget, pinned: paths(query.pinned), excluded: paths(query.excluded) };
}

function shownLines({ lineRuns }: ContextItem): number {
  return lineRuns.reduce((sum, { startLine, count }) => sum + (startLine === null ? 0 : count), 0);
}

function keptLines(item: ContextItem | undefined): ReadonlySet<number> {
  const kept = new Set<number>();
  for (const { startLine, count } of item?.lineRuns ?? [])
    if (startLine !== null) for (let at = 0; at < count; at++) kept.add(startLine + at);
  return kept;
}

/** The same choice as a line for a shell. */
function commandLine({ task, budget, pinned, excluded }: PackageQuery): string {
  const words = ['loadout', 'pack', quoted(task)];
  if (budget > 0) words.push('--budget', String(budget));
  if (pinned.length > 0) words.push('--target', ...pinned.map(quoted));
  if (excluded.length > 0) words.push('--exclude', ...excluded.map(quoted));
  return words.join(' ');
}

const quoted = (word: string): string =>
  /^[\w./@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
