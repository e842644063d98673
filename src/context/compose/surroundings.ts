import { CLIENTS } from '../../agents/index.ts';
import type { Convention, ExternalSignature } from '../../model/context-pack.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { redactSecrets } from '../../redact/index.ts';
import type { OpenScan } from '../../scan/index.ts';
import { type CountTokens, cutToTokens, DEFAULT_ENCODING } from '../fit/index.ts';
import type { PackageRequest } from '../pack/index.ts';
import { formatOf } from '../render/index.ts';
import type { PackSetting } from './account.ts';
import type { ChangedFile } from './change.ts';
import type { ComposeContext } from './context.ts';
import { findEnvironment, manifestsOf } from './environment.ts';
import type { SourceReader } from './source.ts';
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
  const { count, budget, sources, allow, render } = context;
  const shares = sharesOf(budget);
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
    environment: await findEnvironment(
      manifestsOf(index.snapshot.files, sources, allow),
      shares.environment,
      count,
    ),
    conventions: findConventions(sources, shares.conventions, count).filter(({ path }) => allow(path)),
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

/** Written for agents: for all of them, then for each client's. */
const FOR_AGENTS: readonly string[] = [
  'AGENTS.md',
  ...CLIENTS.flatMap(({ conventionFiles }) => conventionFiles ?? []),
];
/** Written for people: adds little where there is a file for agents. */
const FOR_PEOPLE: readonly string[] = [
  'CONTRIBUTING.md',
  '.github/CONTRIBUTING.md',
  'docs/CONTRIBUTING.md',
  'CONTRIBUTING.rst',
  'CONTRIBUTING',
];
/** Less than this is a heading and a greeting. */
const MIN_SIZE = 60;
/** What the frame of one costs at most, beside its text. */
const FRAME = 24;
const CUT = '\n[...]';

/** The rules that the repository has for its contributors, as far as there is room. */
function findConventions(sources: SourceReader, room: number, count: CountTokens): Convention[] {
  const found: Convention[] = [];
  const seen = new Set<string>();
  let left = room;
  for (const [at, path] of [...FOR_AGENTS, ...FOR_PEOPLE].entries()) {
    if (found.length > 0 && at >= FOR_AGENTS.length) break;
    if (left - FRAME < MIN_SIZE || sources.fileAt(path)?.segment === undefined) continue;
    const text = sources.read(path)?.text.trim();
    if (text === undefined || text === '' || seen.has(text)) continue;
    seen.add(text);
    const shown = cutToTokens(text, left - FRAME, count, CUT);
    const cut = shown !== text;
    const whole = cut
      ? `${shown.slice(0, shown.lastIndexOf('\n', shown.length - CUT.length - 1))}${CUT}`
      : shown;
    found.push({ path, text: whole, cut });
    left -= count(whole) + FRAME;
  }
  return found;
}

/** How many tokens of a budget each part beside the files may take at most. */
interface Shares {
  readonly conventions: number;
  readonly environment: number;
  readonly externals: number;
  readonly dependencies: number;
  readonly task: number;
  readonly diff: number;
}

const share = (budget: number, part: number, most: number): number =>
  Math.min(most, Math.floor(budget * part));

/** Small where the budget is small: most of it is for the files. */
export function sharesOf(budget: number): Shares {
  return {
    conventions: share(budget, 0.04, 2_000),
    environment: share(budget, 0.02, 300),
    externals: share(budget, 0.04, 1_500),
    dependencies: share(budget, 0.02, 800),
    task: share(budget, 0.2, 8_000),
    diff: share(budget, 0.5, 100_000),
  };
}
