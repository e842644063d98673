// The heart of `loadout/session`: builds the recall block before a model call. It chooses results, takes
// excerpts of them and fits everything into the caps of the policy.

import type { CountTokens, FitReceipt } from '../context/fit/index.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { wordParts } from '../model/word-parts.ts';
import { type ArgumentKinds, checkArguments, FUNCTION } from '../schema/check-arguments.ts';
import { estimateTokens, type MentionedResult, readHandleLine, textOf } from './describe-result.ts';
import { viewHistory } from './message-shapes.ts';
import { ContextPolicy, POLICY } from './policy/context-policy.ts';
import {
  excerptSnippet,
  fitSnippets,
  plainSnippet,
  type RecallSnippet,
  type SessionState,
  STATE_KINDS,
} from './recall-block.ts';
import { type TakenExcerpt, takeExcerpt, type WantedResult } from './result-excerpt.ts';
import { SafeTexts, SmallCache } from './safe-texts.ts';
import { queryWords } from './selectors/apply-selector.ts';
import { parseSelection, showSelection } from './selectors/selection.ts';
import { STORE, type ToolResultStore } from './tool-result-store.ts';

/** Everything may be left out. */
export interface BuilderOptions {
  /** The conservative default when it is missing. */
  readonly policy?: ContextPolicy;
  /** Without one, results are shown by the previews in the messages. */
  readonly store?: ToolResultStore;
  /** For `max_total_tokens`; a token for four characters when it is missing. */
  readonly countTokens?: CountTokens;
}

/** The block that goes into the next model call, with an account of its content. */
export interface RecallBlock {
  /** Empty when there is nothing to show. */
  readonly text: string;
  /** One for every snippet: mission, facts, plan and results, by id. */
  readonly receipts: readonly FitReceipt[];
  /** Adjusted caps, refused requests, results that are gone or left out. */
  readonly notices: readonly Diagnostic[];
}

const BUILDER_KINDS: ArgumentKinds<BuilderOptions> = {
  policy: POLICY,
  store: STORE,
  countTokens: FUNCTION,
};

/** Excerpts that are kept between calls. */
const REMEMBERED = 64;

/**
 * Builds the recall block before a model call: mission, facts, plan and excerpts of tool results, inside the caps
 * of the policy. Asks no model; the same state, policy and store give the same bytes.
 *
 * @example
 * const builder = new ContextBuilder({ policy: ContextPolicy.fromDict({ max_total_chars: 4000 }), store });
 * const { text } = await builder.build({ mission: 'Fix the login', messages });
 */
export class ContextBuilder {
  readonly policy: ContextPolicy;
  readonly #store: ToolResultStore | null;
  readonly #texts: SafeTexts | null;
  readonly #count: CountTokens;
  readonly #sketches = createSketches();
  /** The excerpt of a stored result never changes for a selection, because its id is a hash of its content. */
  readonly #excerpts = new SmallCache<TakenExcerpt>(REMEMBERED);

  constructor(options: BuilderOptions = {}) {
    checkArguments('ContextBuilder', options, BUILDER_KINDS);
    const { policy, store, countTokens } = options;
    this.policy = policy ?? ContextPolicy.conservativeDefault();
    this.#store = store ?? null;
    this.#texts = store === undefined ? null : new SafeTexts(store);
    this.#count = countTokens ?? estimateTokens;
  }

  /** Builds the block for the present state. Throws a `LoadoutError` for a state or a message of a wrong shape. */
  async build(state: SessionState): Promise<RecallBlock> {
    checkArguments('build', state, STATE_KINDS, 'kept');
    const { policy } = this;
    const query = [state.plan?.current ?? '', state.mission ?? ''].join('\n');
    const { wanted, notices } = await chooseResults(state, this.#store, policy, query, this.#sketches);
    const snippets = ownSnippets(state);
    const all: Diagnostic[] = [...policy.notices, ...notices];
    for (const one of wanted) {
      const { excerpt, notices: said } = await this.#excerptOf(one, query);
      if (excerpt !== null) snippets.push(excerptSnippet(excerpt));
      all.push(...said);
    }
    const { text, receipts } = fitSnippets(snippets, policy, this.#count);
    const results = new Set(snippets.flatMap(({ id, isResult }) => (isResult ? [id] : [])));
    const isShown = receipts.some(({ id, outcome }) => outcome === 'in' && results.has(id));
    if (results.size > 0 && !isShown) all.push(nothingFits(results.size, policy));
    return { text, receipts, notices: all };
  }

  async #excerptOf(wanted: WantedResult, query: string): Promise<TakenExcerpt> {
    const { result, selection } = wanted;
    const asked = selection.selector === 'relevant' && selection.argument === '' ? query : '';
    const key = `${result.id} ${showSelection(selection)}\n${asked}`;
    const remembered = this.#excerpts.get(key);
    // a result that the store has dropped must not come back from here
    if (remembered !== undefined && (await this.#store?.handle(result.id))) return remembered;
    const taken = await takeExcerpt(wanted, this.#texts, this.policy, asked);
    if (this.#store !== null && (await this.#store.handle(result.id)) !== null)
      this.#excerpts.set(key, taken);
    return taken;
  }
}

/** A recall block without a single result is most likely a mistake in the policy. */
function nothingFits(
  count: number,
  { maxCharsPerItem, maxTotalChars, maxTotalTokens }: ContextPolicy,
): Diagnostic {
  const caps = [
    `max_chars_per_item ${maxCharsPerItem}`,
    ...(maxTotalChars === null ? [] : [`max_total_chars ${maxTotalChars}`]),
    ...(maxTotalTokens === null ? [] : [`max_total_tokens ${maxTotalTokens}`]),
  ];
  const which = count === 1 ? 'the tool result is' : `all ${count} tool results are`;
  const message = `${which} left out: the caps have no room for one (${caps.join(', ')})`;
  return { code: 'results-left-out', severity: 'warning', message };
}

/** The most stable parts come first, so that providers can cache them. */
function ownSnippets({ mission = '', facts = {}, plan = {} }: SessionState): RecallSnippet[] {
  const lines = Object.entries(facts)
    .filter(([, value]) => value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `- ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const list = (name: string, steps: readonly string[] = []) =>
    steps.length === 0 ? [] : [`${name}:`, ...steps.map((step) => `- ${step}`)];
  const steps = [
    ...(plan.current === undefined || plan.current === '' ? [] : [`Now: ${plan.current}`]),
    ...list('Open', plan.open),
    ...list('Done', plan.done),
  ];
  return [
    ...(mission.trim() === '' ? [] : [plainSnippet('mission', 'Mission', mission)]),
    ...(lines.length === 0 ? [] : [plainSnippet('facts', 'Session state', lines.join('\n'))]),
    ...(steps.length === 0 ? [] : [plainSnippet('plan', 'Plan', steps.join('\n'))]),
  ];
}

/** Older results take no part in the order by relevance: each of them would have to be read. */
const RELEVANCE_WINDOW = 64;

/** Words of results by id, so that a result is read once and not for every order. */
type Sketches = SmallCache<Uint32Array>;
const createSketches = (): Sketches => new SmallCache(RELEVANCE_WINDOW * 2);

interface ChosenResults {
  /** The most important first. */
  readonly wanted: readonly WantedResult[];
  readonly notices: readonly Diagnostic[];
}

/** The results that a block may show: those that were asked for, then the latest or the most relevant. */
async function chooseResults(
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
    // a tool may have made up the handle in a message, so the store decides
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

/** The sketch of a result that the store does not have is that of its preview. */
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

/** Of one sketch. */
const MAX_WORDS = 4_096;
/** Of one result; words after them are not looked at. */
const MAX_CHARACTERS = 200_000;
/** The constants of FNV-1a, 32 bits. */
const HASH_START = 0x811c9dc5 | 0;
const HASH_STEP = 0x01000193;
const WORD = /[\p{L}\p{N}_]{2,64}/gu;

/** Places for words met lately; a power of two. */
const RECENT = 8_192;

/** The words of a text as sorted numbers: 16 KB at most stand for a result of any size. */
export function wordSketch(text: string): Uint32Array {
  const words = new Set<number>();
  // most words of a text come again: a number that was met lately is not made a string, which is most of the work
  const recent = new Int32Array(RECENT);
  const end = Math.min(text.length, MAX_CHARACTERS);
  let start = 0;
  let hash = HASH_START;
  for (let at = 0; at <= end && words.size < MAX_WORDS; at++) {
    const code = at < end ? text.charCodeAt(at) : 0;
    if (mayBeInWord(code)) {
      hash = Math.imul(hash ^ code, HASH_STEP);
      continue;
    }
    if (at - start > 1 && recent[hash & (RECENT - 1)] !== hash) {
      recent[hash & (RECENT - 1)] = hash;
      addWords(text.slice(start, at), words);
    }
    start = at + 1;
    hash = HASH_START;
  }
  return Uint32Array.from(words).sort().slice(0, MAX_WORDS);
}

/** Quick and generous: everything beyond ASCII may be a letter, and `WORD` decides. */
function mayBeInWord(code: number): boolean {
  const letter = code | 32;
  return (letter >= 97 && letter <= 122) || (code >= 48 && code <= 57) || code === 95 || code > 127;
}

function addWords(run: string, words: Set<number>): void {
  for (const [word] of run.matchAll(WORD)) {
    for (const part of wordParts(word)) words.add(numberOf(part));
  }
}

/** True for a word in the sketch, and rarely for another word with the same number. */
export function sketchHas(sketch: Uint32Array, word: string): boolean {
  const wanted = numberOf(word);
  let low = 0;
  let high = sketch.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (sketch[middle] === wanted) return true;
    if (sketch[middle]! < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}

/** FNV-1a: two words with one number cost a place in an order, nothing more. */
function numberOf(word: string): number {
  let hash = HASH_START;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), HASH_STEP);
  return hash >>> 0;
}
