/** The data of the view Package: the package for a task with a person's changes. */

import type { BuiltPackage } from '../../context/pack/index.ts';
import { buildPackage } from '../../context/pack.ts';
import { rankScan } from '../../context/rank.ts';
import { type ContextItem, ITEM_FORMS, type ItemForm } from '../../model/context-pack.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { monotonicMs } from '../../platform/clock.ts';
import type { OpenScan } from '../../scan/index.ts';
import { integer, isJsonObject, list, text } from '../../schema/schema.ts';
import { valueOrUndefined } from '../../schema/value-issues.ts';
import { packCommand } from './command-line.ts';
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
  /** Files by the form that they must have. */
  readonly forms: Readonly<Record<string, ItemForm>>;
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
  /** The forms that were asked for and that their files do not have. */
  readonly impossible: readonly string[];
  /** The package as an agent gets it. */
  readonly text: string;
  /** The same package on the command line. */
  readonly command: string;
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
      impossible: pack.diagnostics.flatMap(({ code, path }) =>
        code === 'form-not-possible' && path ? path : [],
      ),
      text: content,
      command: packCommand(query, context.flags),
    };
  },
};

/** Builds the package, or takes it from the last ones while the index is the same. */
export async function packageFor(context: InspectContext, query: PackageQuery): Promise<BuiltPackage> {
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
      forms: query.forms,
      allow: (path) => !excluded.has(path),
      rank: rememberRanking(context, query),
      userDirectory,
      signal,
    },
    context.session,
  );
  context.packages.set(key, built);
  if (context.packages.size > MAX_KEPT) context.packages.delete(context.packages.keys().next().value!);
  return built;
}

function readForms(given: unknown): PackageQuery['forms'] {
  const forms = Object.entries(isJsonObject(given) ? given : {}).slice(0, MAX_PATHS);
  return Object.fromEntries(
    forms.map(([path, form]) => {
      const known = ITEM_FORMS.find((one) => one === form);
      if (known !== undefined) return [path, known];
      const message = `the form ${JSON.stringify(form)} of ${path} is not known`;
      throw new LoadoutError('bad-form', message, { hint: `a form is one of ${ITEM_FORMS.join(', ')}` });
    }),
  );
}

/**
 * Ranks as `rankScan` does. A choice of the person changes nothing about the ranking, which is half of the work, so the
 * last ones are kept: by everything that they depend on. Files that are excluded are taken out afterwards.
 */
function rememberRanking({ rankings }: InspectContext, { excluded }: PackageQuery): typeof rankScan {
  return async (scan: OpenScan, request) => {
    const { snapshot } = scan.index;
    const { task, limit, guard } = request;
    const key = JSON.stringify([snapshot.id, scan.result.gitSha, task, limit, guard?.key]);
    const ranking = rankings.get(key) ?? rankScan(scan, { ...request, allow: () => true });
    rankings.delete(key);
    rankings.set(key, ranking);
    ranking.catch(() => rankings.delete(key));
    if (rankings.size > MAX_KEPT) rankings.delete(rankings.keys().next().value!);
    const ranked = await ranking;
    return { ...ranked, files: ranked.files.filter(({ path }) => !excluded.includes(path)) };
  };
}

export function readQuery(given: unknown): PackageQuery {
  const query = isJsonObject(given) ? given : {};
  const paths = (value: unknown) =>
    [...new Set(valueOrUndefined(list(text(), 'a list of paths'), value) ?? [])].slice(0, MAX_PATHS);
  const budget = valueOrUndefined(integer({ min: MIN_BUDGET, max: MAX_BUDGET }), query.budget) ?? 0;
  const task = valueOrUndefined(text(), query.task) ?? '';
  return {
    task,
    budget,
    pinned: paths(query.pinned),
    excluded: paths(query.excluded),
    forms: readForms(query.forms),
  };
}

function shownLines({ lineRuns, content }: ContextItem): number {
  // Signatures are lines of our own, made from those of the file.
  if (lineRuns.length === 0) return content === '' ? 0 : content.trimEnd().split('\n').length;
  return lineRuns.reduce((sum, { startLine, count }) => sum + (startLine === null ? 0 : count), 0);
}
