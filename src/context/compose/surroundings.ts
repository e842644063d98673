import type { ExternalSignature } from '../../model/context-pack.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { redactSecrets } from '../../redact/index.ts';
import type { OpenScan } from '../../scan/index.ts';
import { cutToTokens, DEFAULT_ENCODING } from '../fit/index.ts';
import type { PackageRequest } from '../pack/index.ts';
import { formatOf } from '../render/index.ts';
import type { PackSetting } from './account.ts';
import type { ChangedFile } from './change.ts';
import type { ComposeContext } from './context.ts';
import { findConventions } from './conventions.ts';
import { findEnvironment, manifestsOf } from './environment.ts';
import { createDependencyFinder, createExternalsFinder } from './uses.ts';

const CUT_DIFF = '\n[the rest of the change is left out]';
const CUT_TASK = '\n[the rest of the task is left out]';
/** Where the text lists the files that are left out, every entry costs. */
const TOKENS_PER_OMITTED = 500;

/** Describes everything that does not depend on the chosen files: the task, the conventions, how to build and test. */
export async function describeSurroundings(
  context: ComposeContext,
  request: PackageRequest,
  { index, result }: OpenScan,
  change: readonly ChangedFile[],
  diagnostics: readonly Diagnostic[],
): Promise<Omit<PackSetting, 'kept'>> {
  const { count, budget, sources, allow, render, fill } = context;
  const shares = fill ? sharesOf(budget) : sharesOfNeed(budget);
  const task = cutToTokens(request.task, shares.task, count, CUT_TASK);
  const wholeDiff = diffText(change, context);
  const diff = cutToTokens(wholeDiff, shares.diff, count, CUT_DIFF);
  const numbers = new Map(index.snapshot.files.map(({ path }, number) => [path, number]));
  const encoding = request.model?.encoding ?? DEFAULT_ENCODING;
  return {
    task,
    role: request.role ?? null,
    targets: context.targets,
    tokenBudget: budget,
    encoding,
    fill,
    ...instructionsPart(request, budget, count),
    ...(fill || request.settings.packOrder === 'stable' ? {} : { order: 'relevance' as const }),
    environment: await findEnvironment(
      manifestsOf(index.snapshot.files, sources, allow),
      shares.environment,
      count,
    ),
    conventions: findConventions(sources, allow, conventionsRoom(budget, request), count),
    diff,
    diagnostics: [...result.diagnostics, ...diagnostics, ...remarks(request, task, diff !== wholeDiff)],
    findDependencies: createDependencyFinder(index, numbers, shares.dependencies, ({ from, to }) =>
      count(`- ${from} -> ${to}\n`),
    ),
    findExternals: createExternalsFinder({
      index,
      numbers,
      sources,
      allow,
      room: shares.externals,
      price: ({ path, line, signature }: ExternalSignature) => count(`${path}:${line}: ${signature}\n`),
    }),
    mostOmitted: formatOf(render).showsAccounts
      ? Math.floor(budget / TOKENS_PER_OMITTED)
      : Number.POSITIVE_INFINITY,
  };
}

/** Instructions may take this share of a budget. */
const MAX_INSTRUCTIONS = 0.5;

/** The user's text as it is put into a package. Half of it would say something else, so it is whole or refused. */
export function instructionsPart(
  { instructions = '', redact = true }: Pick<PackageRequest, 'instructions' | 'redact'>,
  budget: number,
  count: (text: string) => number,
): { readonly instructions?: string } {
  const given = instructions.replace(/\r\n?/g, '\n').trim();
  if (given === '') return {};
  const text = redact ? redactSecrets(given, '').text : given;
  const [tokens, room] = [count(text), Math.floor(budget * MAX_INSTRUCTIONS)];
  if (tokens <= room) return { instructions: text };
  throw new LoadoutError(
    'instructions-too-long',
    `the instructions have ${tokens} tokens, and a budget of ${budget} has room for ${room} of them`,
    { hint: 'give a larger budget, or shorter instructions' },
  );
}

/** Of files that may be shown, without secrets. */
function diffText(change: readonly ChangedFile[], { allow, redact }: ComposeContext): string {
  const shown = change.filter(({ path }) => allow(path));
  return shown.map(({ path, text }) => (redact ? redactSecrets(text, path).text : text)).join('');
}

function remarks({ task: whole, model }: PackageRequest, shown: string, isDiffCut: boolean): Diagnostic[] {
  const found: Diagnostic[] = [];
  if (isDiffCut)
    found.push({
      code: 'diff-cut',
      severity: 'warning',
      message: 'the change is large for this budget: only its beginning is in the package',
    });
  if (shown !== whole)
    found.push({
      code: 'task-cut',
      severity: 'info',
      message: 'the task is long for this budget: only its beginning is in the package',
    });
  if (model && !model.exact)
    found.push({
      code: 'tokens-estimated',
      severity: 'info',
      message: `the tokenizer of ${model.name} is not public: its tokens are estimated, rather too high than too low`,
    });
  return found;
}

/** How many tokens of a budget each part beside the files may take at most. */
interface Shares {
  readonly environment: number;
  readonly externals: number;
  readonly dependencies: number;
  readonly task: number;
  readonly diff: number;
}

const share = (budget: number, part: number, most: number): number =>
  Math.min(most, Math.floor(budget * part));

/** Conventions are a reminder; most of the budget is for the files. */
function conventionsRoom(budget: number, { settings }: PackageRequest): number {
  return share(budget, 0.1, settings.conventionsMaxTokens);
}

/** Small where the budget is small: most of it is for the files. */
export function sharesOf(budget: number): Shares {
  return {
    environment: share(budget, 0.02, 300),
    externals: share(budget, 0.04, 1_500),
    dependencies: share(budget, 0.02, 800),
    task: share(budget, 0.2, 8_000),
    diff: share(budget, 0.5, 100_000),
  };
}

/** The usual size of a package. The parts beside the files are sized for this budget. */
const USUAL_SIZE = 15_000;

/** The same for a package that holds what the task needs. The task and the change are always included. */
function sharesOfNeed(budget: number): Shares {
  const { task, diff } = sharesOf(budget);
  return { ...sharesOf(Math.min(budget, USUAL_SIZE)), task, diff };
}
