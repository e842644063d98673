/**
 * The tools of the MCP server: each takes checked arguments and returns text that the client can show in one
 * piece. Files that guidelines kept out of a client's package stay out of its later results.
 */

import type { PackageRequest } from '../../context/pack/index.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import type { RankedFile } from '../../model/ranking.ts';
import { openSafeRoot } from '../../platform/fs/safe-root.ts';
import { inlineName, inlinePath, inlineText, shownName } from '../../redact/index.ts';
import type { ScanStep } from '../../scan/index.ts';
import type { CachedPackage, Connection, McpContext } from './mcp-context.ts';
import { fitParts, fitResult, limitBeside, NO_RESULT_LIMIT, type ResultLimit } from './result-limit.ts';
import { readToolArguments, TOOLS, type ToolArguments, type ToolName } from './tool-list.ts';

/** One call of a tool. */
export interface ToolCall {
  /** Aborted when the client cancels the call. */
  readonly signal: AbortSignal;
  readonly onProgress: (step: ScanStep) => void;
  /** The largest result that the client accepts; no limit when it is missing. */
  readonly limit?: ResultLimit;
  /** The state of the client's connection; without it calls are independent. */
  readonly connection?: Connection;
}

/** The function behind a tool. */
type Tool = (context: McpContext, given: ToolArguments, call: ToolCall) => Promise<string>;

/** Results of a search when the call does not say. */
const USUAL_FILES = 10;
/** Tokens of an expansion when the call does not say. */
const USUAL_EXPANSION = 8_000;
/** Definitions in the line of one file. */
const SHOWN_SYMBOLS = 4;
/** The largest cost of `packageNote`. */
const NOTE_TOKENS = 120;
const NOTE_BYTES = 400;
const NOTE_LINES = 2;

const IMPLEMENTATIONS: Readonly<Record<ToolName, Tool>> = {
  get_context: async (context, given, call) => {
    if (given.budget !== undefined && given.max_tokens !== undefined)
      throw new LoadoutError('bad-arguments', 'max_tokens: cannot be combined with budget', {
        subject: 'max_tokens',
        hint: 'give max_tokens for the short form, or budget for whole files',
      });
    if (given.budget === undefined && context.settings.enabled) {
      const { answerBriefly } = await import('./brief-answer.ts');
      return answerBriefly(context, given, call);
    }
    const { id, text } = await contextFor(context, given, call);
    return `${text}\n${packageNote(id)}`;
  },
  search_code: searchCode,
  expand: async (context, { reference, role, budget }, call) => {
    const { continueBriefly, isHandle } = await import('./brief-answer.ts');
    if (isHandle(String(reference)))
      return continueBriefly(context, String(reference), call, budget === undefined ? null : Number(budget));
    const { expandReference } = await import('./expand-reference.ts');
    const { repo, settings, userDirectory } = context;
    const audience = await audienceOf(context, role, call);
    const request = { repo, settings, userDirectory, ...audience, reference: String(reference), ...call };
    const { text } = await fitResult(Number(budget ?? USUAL_EXPANSION), limitOf(call), async (tokens) => ({
      text: await expandReference({ ...request, budget: tokens }),
    }));
    return text;
  },
  report_gap: reportGap,
};

/** Runs a tool and resolves to the text of its answer. Errors are `LoadoutError`s. */
export async function callTool(
  context: McpContext,
  name: string,
  given: unknown,
  call: ToolCall,
): Promise<string> {
  const declaration = TOOLS.find((one) => one.name === name);
  if (!declaration)
    throw new LoadoutError('unknown-tool', `there is no tool ${JSON.stringify(name)}`, {
      subject: name,
      hint: `use one of ${TOOLS.map((one) => one.name).join(', ')}`,
    });
  const read = readToolArguments(declaration, given);
  // Arguments are checked first: their errors are the caller's to correct.
  context.checkRepository();
  return IMPLEMENTATIONS[declaration.name](context, read, call);
}

/** The reader of a result: the role of this call, or that of the last package, with the task of that package. */
async function audienceOf(
  context: McpContext,
  role: ToolArguments[string] | undefined,
  { connection }: ToolCall,
): Promise<Connection['audience']> {
  const named = typeof role === 'string' ? { role: (await context.readRole(role)).role ?? null } : {};
  return { ...connection?.audience, ...named };
}

/** Unlimited for a client that is not known to cut results. */
export const limitOf = ({ limit = NO_RESULT_LIMIT }: ToolCall): ResultLimit => limit;

/** The last line of a package tells the agent how to get more. */
function packageNote(id: string): string {
  return `Package ${id}. See more with expand (path, path:40-90, path#Name); say what is missing with report_gap.`;
}

/** Builds the package for a task and keeps it for later requests. */
export async function contextFor(
  context: McpContext,
  { task, targets = [], role, budget }: ToolArguments,
  call: ToolCall,
): Promise<CachedPackage> {
  const root = openSafeRoot(context.repo);
  const choices = typeof role === 'string' ? await context.readRole(role) : null;
  // A role may ask for less than usual, never for more.
  const { tokenBudget: roleBudget, ...fromRole } = choices ?? { tokenBudget: null };
  const tokens = Number(budget ?? Math.min(roleBudget ?? context.usualBudget, context.usualBudget));
  const request: Omit<PackageRequest, 'settings'> & { readonly targets: readonly string[] } = {
    ...fromRole,
    repo: context.repo,
    userDirectory: context.userDirectory,
    task: String(task),
    targets: (targets as readonly string[]).map((path) => root.contain(path, root.path)),
    onlyListedTargets: true,
    signal: call.signal,
    onProgress: call.onProgress,
  };
  const { pack, text, analysis } = await fitResult(
    tokens,
    limitBeside(limitOf(call), NOTE_BYTES, NOTE_LINES),
    (most) => {
      const tokenBudget = Math.max(1, most - NOTE_TOKENS);
      return context.buildPackage({ ...request, settings: { ...context.settings, tokenBudget } });
    },
  );
  if (call.connection)
    call.connection.audience = {
      role: request.role ?? null,
      analysis: analysis ?? null,
      targets: request.targets,
    };
  if (pack.items.length === 0 && context.settings.enabled) throw nothingRelevant();
  const cached = { id: pack.id, task: pack.task, text };
  context.packages.put(cached);
  return cached;
}

/** No file is better than any other, so none is shown. */
export function nothingRelevant(): LoadoutError {
  return new LoadoutError('nothing-relevant', 'no file of this repository seems relevant to this task', {
    hint: 'say more in the task, name targets, or give a larger budget',
  });
}

/** Lists files with the lines to look at. It returns no content. */
async function searchCode(context: McpContext, given: ToolArguments, call: ToolCall): Promise<string> {
  const [{ rankRepository }, { guardFiles }] = await Promise.all([
    import('../../context/rank.ts'),
    import('../../context/guidelines/guard-files.ts'),
  ]);
  const { repo, settings, userDirectory } = context;
  const audience = await audienceOf(context, given.role, call);
  // The ranking applies the guidelines for this query; those of the last package are applied here.
  const { allow } = await guardFiles({ ...audience, root: openSafeRoot(repo), userDirectory });
  const { files } = await rankRepository({
    repo,
    settings,
    userDirectory,
    role: audience.role ?? null,
    allow,
    task: String(given.query),
    limit: Number(given.limit ?? USUAL_FILES),
    signal: call.signal,
    onProgress: call.onProgress,
  });
  if (files.length === 0) return 'Nothing in this repository seems to be about that.';
  return fitParts(files.map(describeFile), limitOf(call));
}

/** `src/a.ts  0.93  Foo.bar:10-42` and, one line below, why. */
function describeFile({ path, combinedScore, symbols, spans, reasons }: RankedFile): string {
  const lines = (span: { readonly startLine: number; readonly endLine: number }) =>
    `${span.startLine}-${span.endLine}`;
  const named = symbols.slice(0, SHOWN_SYMBOLS).map((one) => `${inlineName(one.name)}:${lines(one)}`);
  const places = named.length > 0 ? named : spans.slice(0, SHOWN_SYMBOLS).map(lines);
  const why = reasons.length > 0 ? `\n  ${inlineText(reasons.join('; '))}` : '';
  return `${[inlinePath(shownName(path)), combinedScore.toFixed(2), ...places].join('  ')}${why}`;
}

/** Keeps a gap. The answer tells whether later packages can use it. */
async function reportGap(context: McpContext, given: ToolArguments): Promise<string> {
  const id = String(given.package).toLowerCase();
  if (!context.recordGap) return 'Gaps are not stored here; nothing was written.';
  const task = await context.recordGap(id, String(given.missing), context.packages.get(id)?.task ?? '');
  return task === ''
    ? `Kept for people to read. No package ${inlineText(id)} was built here, so later packages cannot use it: give the id that get_context returned.`
    : 'Kept. Packages for similar tasks will take it into account.';
}
