import type { Diagnostic } from '../model/diagnostic.ts';
import { textOf } from './describe-result.ts';
import { type MentionedResult, readHandleLine } from './handle-line.ts';
import { viewHistory } from './message-shapes.ts';
import type { ContextPolicy } from './policy/context-policy.ts';
import type { WantedResult } from './result-excerpt.ts';
import { queryWords } from './selectors/query-words.ts';
import { parseSelection } from './selectors/selection.ts';
import type { SessionState } from './session-state.ts';
import { SmallCache } from './small-cache.ts';
import type { ToolResultStore } from './tool-result-store.ts';
import { sketchHas, wordSketch } from './word-sketch.ts';

/** Older results take no part in the order by relevance: each of them would have to be read. */
export const RELEVANCE_WINDOW = 64;

export type Sketches = SmallCache<Uint32Array>;
export const createSketches = (): Sketches => new SmallCache(RELEVANCE_WINDOW * 2);

export interface ChosenResults {
  /** The most important first. */
  readonly wanted: readonly WantedResult[];
  readonly notices: readonly Diagnostic[];
}

/** Which results a pack may show: those that were asked for, then the latest or the most relevant. */
export async function chooseResults(
  state: SessionState,
  store: ToolResultStore | null,
  policy: ContextPolicy,
  query: string,
  sketches: Sketches,
): Promise<ChosenResults> {
  const notices: Diagnostic[] = [];
  const chosen = new Map<string, WantedResult>();
  for (const { id, selection } of state.requests ?? []) {
    const known = (await store?.handle(id)) ?? null;
    if (known === null || !policy.isToolAllowed(known.tool)) {
      const why =
        known === null ? 'the store does not have it' : `the tool ${known.tool} is not in allow_tools`;
      notices.push({ code: 'request-refused', severity: 'warning', message: `${id}: ${why}` });
      continue;
    }
    chosen.set(id, {
      result: known,
      selection: typeof selection === 'string' ? parseSelection(selection) : selection,
    });
  }
  const latest = (await candidates(state, store, policy)).filter(({ tool }) => policy.isToolAllowed(tool));
  const ordered = policy.order === 'relevance' ? await byRelevance(latest, store, query, sketches) : latest;
  for (const result of ordered) {
    if (chosen.size >= policy.includeLatestToolPreviewsN) break;
    if (!chosen.has(result.id))
      chosen.set(result.id, { result, selection: policy.selectionFor(result.tool) });
  }
  return { wanted: [...chosen.values()].slice(0, policy.includeLatestToolPreviewsN), notices };
}

/** The latest first, each once. */
async function candidates(
  { results, messages }: SessionState,
  store: ToolResultStore | null,
  policy: ContextPolicy,
): Promise<readonly MentionedResult[]> {
  if (results !== undefined)
    return [...results].sort((one, other) => other.order - one.order || (one.id < other.id ? -1 : 1));
  if (messages === undefined) {
    const most =
      policy.allowTools === null ? Math.max(policy.includeLatestToolPreviewsN, RELEVANCE_WINDOW) : undefined;
    return store === null ? [] : store.list(most);
  }
  const found = new Map<string, MentionedResult>();
  const texts = viewHistory(messages).flatMap((view) => view.texts);
  for (const { text } of texts.reverse()) {
    const mentioned = readHandleLine(text);
    if (mentioned === null || found.has(mentioned.id)) continue;
    // what a message says about a handle may be made up by a tool: the store knows better
    const known = store === null ? mentioned : await store.handle(mentioned.id);
    if (known !== null) found.set(known.id, known);
  }
  return [...found.values()];
}

/** By the words of mission and step that a result holds, rare ones weighing more; equal ones stay the latest first. */
async function byRelevance(
  latest: readonly MentionedResult[],
  store: ToolResultStore | null,
  query: string,
  sketches: Sketches,
): Promise<readonly MentionedResult[]> {
  const words = queryWords(query);
  const near = latest.slice(0, RELEVANCE_WINDOW);
  const known = await Promise.all(near.map((result) => sketchOf(result, store, sketches)));
  const weights = words.map((word) => {
    const holders = known.filter((sketch) => sketchHas(sketch, word)).length;
    return Math.log(1 + near.length / Math.max(1, holders));
  });
  const scored = near.map((result, at) => ({
    result,
    score: words.reduce((sum, word, index) => sum + (sketchHas(known[at]!, word) ? weights[index]! : 0), 0),
  }));
  // sorting is stable
  const best = scored.sort((one, other) => other.score - one.score).map(({ result }) => result);
  return [...best, ...latest.slice(RELEVANCE_WINDOW)];
}

async function sketchOf(
  result: MentionedResult,
  store: ToolResultStore | null,
  sketches: Sketches,
): Promise<Uint32Array> {
  const remembered = sketches.get(result.id);
  if (remembered !== undefined) return remembered;
  const stored = store === null ? null : await store.get(result.id);
  const text = stored === null ? null : textOf(stored.bytes, stored.handle.mime);
  const sketch = wordSketch(`${result.tool}\n${text ?? result.preview}`);
  sketches.set(result.id, sketch);
  return sketch;
}
