/**
 * The short form of `get_context`: a brief with the code that the task is about, and a handle for the next page. A page
 * never shows code again that an earlier one has shown.
 */

import { createHash } from 'node:crypto';
import { type Brief, briefScan } from '../../context/brief.ts';
import { loadTokenCounter } from '../../context/fit/index.ts';
import { guardFiles } from '../../context/guidelines/index.ts';
import { checkListed } from '../../context/pack/index.ts';
import { analyzeFor } from '../../context/rank.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import type { TaskAnalysis } from '../../model/task-analysis.ts';
import { openSafeRoot } from '../../platform/fs/safe-root.ts';
import { inlineName, inlinePath, shownName } from '../../redact/index.ts';
import type { OpenScan } from '../../scan/index.ts';
import { limitOf, nothingRelevant, type ToolCall } from './call-tool.ts';
import type { Continuation, McpContext } from './mcp-context.ts';
import { fill } from './result-limit.ts';
import type { ToolArguments } from './tool-list.ts';

/** Tokens of an answer when the call does not say. */
const USUAL_TOKENS = 2_000;
/** The argument with which `expand` shows the next page. */
const HANDLE = /^more:[0-9a-f]{8}$/;
/** A low estimate for code with line numbers, so that the first attempt nearly always fits. */
const CHARACTERS_PER_TOKEN = 3;
const MAX_ATTEMPTS = 4;

/** One page, and how to make the next one; null when nothing is left. */
interface Page {
  readonly id: string;
  readonly text: string;
  readonly next: Continuation | null;
}

/** Whether a reference asks for the next page of an answer. */
export const isHandle = (reference: string): boolean => HANDLE.test(reference.trim());

/** Answers `get_context` in the short form. */
export async function answerBriefly(
  context: McpContext,
  { task, targets = [], role, max_tokens: given }: ToolArguments,
  call: ToolCall,
): Promise<string> {
  const root = openSafeRoot(context.repo);
  const choices = typeof role === 'string' ? await context.readRole(role) : null;
  const named = (targets as readonly string[]).map((path) => root.contain(path, root.path));
  const least = Math.min(USUAL_TOKENS, choices?.tokenBudget ?? USUAL_TOKENS, context.usualBudget);
  const start = {
    task: String(task),
    targets: named,
    role: choices?.role ?? null,
    maxTokens: Number(given ?? least),
    seen: [],
  };
  return context.withIndex(indexRequest(context, call), async (scan) => {
    checkListed(scan.index.snapshot.files, named);
    const analysis = analyze(scan, context, start);
    const selected = await choices?.select?.(scan, named);
    const first = { ...start, snapshot: scan.index.snapshot.id };
    const page = await makePage(context, scan, first, { call, analysis, allow: selected?.allow ?? all });
    if (call.connection) call.connection.audience = { role: start.role, analysis, targets: named };
    if (page === null) throw nothingRelevant();
    context.packages.put({ id: page.id, task: start.task, text: page.text });
    return withNote(context, page);
  });
}

/** Answers `expand` for a handle: the next page. */
export async function continueBriefly(
  context: McpContext,
  reference: string,
  call: ToolCall,
  maxTokens: number | null,
): Promise<string> {
  const handle = reference.trim();
  const known = context.continuations.get(handle);
  if (!known) throw staleHandle(`there is no ${handle} here`, handle);
  const { repo, userDirectory } = context;
  return context.withIndex(indexRequest(context, call), async (scan) => {
    if (scan.index.snapshot.id !== known.snapshot)
      throw staleHandle(`the repository has changed since ${handle} was given`, handle);
    // Guidelines that apply to this connection by now count as well.
    const held = await guardFiles({ ...call.connection?.audience, root: openSafeRoot(repo), userDirectory });
    const analysis = analyze(scan, context, known);
    const choices = known.role === null ? null : await context.readRole(known.role);
    const selected = await choices?.select?.(scan, known.targets);
    const allow = (path: string) => held.allow(path) && selected?.allow(path) !== false;
    const start = { ...known, maxTokens: maxTokens ?? known.maxTokens };
    const page = await makePage(context, scan, start, { call, analysis, allow });
    return page === null
      ? 'No other code is likely to matter for this task; use search_code to look further.'
      : withNote(context, page);
  });
}

const all = (): boolean => true;

function indexRequest({ repo, settings }: McpContext, { signal, onProgress }: ToolCall) {
  return { repo, settings, mode: settings.scanMode, isAwaited: true, signal, onProgress };
}

/** Targets count as files that the task names. */
function analyze(
  scan: OpenScan,
  { settings }: McpContext,
  { task, targets }: Pick<Continuation, 'task' | 'targets'>,
): TaskAnalysis {
  return analyzeFor(scan, [task, ...targets.map((path) => `\`${path}\``)].join('\n'), settings);
}

function staleHandle(message: string, handle: string): LoadoutError {
  return new LoadoutError('stale-handle', message, {
    subject: handle,
    hint: 'call get_context again with the task; handles end when the repository changes or the server restarts',
  });
}

interface PageOptions {
  readonly call: ToolCall;
  readonly analysis: TaskAnalysis;
  readonly allow: (path: string) => boolean;
}

/** Makes a page inside the tokens and the client's limit; null when there is nothing new to show. */
async function makePage(
  context: McpContext,
  scan: OpenScan,
  start: Continuation,
  { call, analysis, allow }: PageOptions,
): Promise<Page | null> {
  const count = await loadTokenCounter();
  const { settings, userDirectory } = context;
  const { task, role, maxTokens } = start;
  const limit = limitOf(call);
  const request = { settings, userDirectory, task, role, analysis, allow, signal: call.signal };
  const guard = await guardFiles({ ...request, root: scan.repository.root, targets: start.targets });
  const targets =
    start.seen.length === 0 ? targetLines(scan, start, (path) => guard.allow(path) && allow(path)) : [];
  let maxChars = Math.floor(Math.min(maxTokens * CHARACTERS_PER_TOKEN, limit.bytes));
  for (let attempt = 1; ; attempt++) {
    const brief = await briefScan(scan, { ...request, maxChars, after: start.seen });
    const page = pageOf(brief, start, targets);
    if (page === null) return null;
    const whole = `${page.text}\n${noteOf(page)}`;
    const filled = Math.max(count(whole) / maxTokens, fill(whole, limit));
    if (filled <= 1) return page;
    if (attempt === MAX_ATTEMPTS) throw tooSmall(maxTokens);
    maxChars = Math.floor((Math.min(maxChars, page.text.length) / filled) * 0.9);
  }
}

function tooSmall(maxTokens: number): LoadoutError {
  return new LoadoutError('budget-too-small', `max_tokens: ${maxTokens} have no room for an answer`, {
    subject: 'max_tokens',
    hint: `leave max_tokens out (${USUAL_TOKENS}), or name a file with expand`,
  });
}

/** A definition of a target. */
interface TargetLine {
  readonly path: string;
  readonly line: string;
}

/** Definitions in the line of each target; more are a matter of `expand`. */
const DEFINITIONS_OF_A_TARGET = 6;
/** Targets are named in a part of the answer. */
const TOKENS_PER_LINE = 60;

/** The outer definitions of the targets, for those of which the brief shows nothing. */
function targetLines(
  { index }: OpenScan,
  { targets, maxTokens }: Continuation,
  allow: (path: string) => boolean,
): TargetLine[] {
  const wanted = new Set(targets.filter(allow));
  const lines = index.snapshot.files
    .filter(({ path }) => wanted.has(path))
    .flatMap((file): TargetLine[] => {
      const { path } = file;
      const shown = inlinePath(shownName(path));
      const symbols = file.segment < 0 ? [] : index.segmentOf(file).symbols(file.document);
      const outer = symbols.filter(({ container }) => container < 0).slice(0, DEFINITIONS_OF_A_TARGET);
      if (outer.length === 0) return [{ path, line: shown }];
      return outer.map(({ name, startLine, endLine }) => {
        return { path, line: `${shown}:${startLine}-${endLine} ${inlineName(shownName(name))}` };
      });
    });
  return lines.slice(0, Math.floor(maxTokens / TOKENS_PER_LINE));
}

/** A brief as a page, and whether another one is worth asking for. */
function pageOf(brief: Brief, start: Continuation, targets: readonly TargetLine[]): Page | null {
  const bodies = brief.places.filter(({ form }) => form === 'body');
  const shown = new Set(brief.places.map(({ path }) => path));
  const named = targets.filter(({ path }) => !shown.has(path)).map(({ line }) => line);
  const isFirst = start.seen.length === 0;
  if ((brief.text === '' && named.length === 0) || (!isFirst && bodies.length === 0)) return null;
  const text = [brief.text.trimEnd(), ...(named.length > 0 ? ['', 'Targets:', ...named] : [])]
    .join('\n')
    .trim();
  const isMore = bodies.length > 0 && bodies.length < brief.places.length;
  const seen = [
    ...start.seen,
    ...bodies.map(({ path, startLine, endLine }) => ({ path, startLine, endLine })),
  ];
  return { id: brief.id, text: `${text}\n`, next: isMore ? { ...start, seen } : null };
}

/** The same answer has the same handle. */
function handleOf(id: string, { snapshot, seen }: Continuation): string {
  const hash = createHash('sha256').update(JSON.stringify([id, snapshot, seen]));
  return `more:${hash.digest('hex').slice(0, 8)}`;
}

/** The last line of a page tells the agent how to get more. */
function noteOf({ id, next }: Page): string {
  const more = next ? `the next places with expand ${handleOf(id, next)}; ` : '';
  return `Package ${id}. See more with expand (path, path:40-90, path#Name); ${more}say what is missing with report_gap.`;
}

function withNote(context: McpContext, page: Page): string {
  if (page.next) context.continuations.put(handleOf(page.id, page.next), page.next);
  return `${page.text}\n${noteOf(page)}`;
}
