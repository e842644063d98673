import type { CountTokens } from '../context/fit/count-tokens.ts';
import type { FitReceipt } from '../context/fit/part.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { chooseResults, createSketches } from './choose-results.ts';
import { estimateTokens } from './describe-result.ts';
import { fitSnippets } from './fit-snippets.ts';
import { excerptSnippet, type PackSnippet, plainSnippet } from './pack-snippet.ts';
import { ContextPolicy } from './policy/context-policy.ts';
import { type TakenExcerpt, takeExcerpt, type WantedResult } from './result-excerpt.ts';
import { SafeTexts } from './safe-texts.ts';
import { showSelection } from './selectors/selection.ts';
import type { SessionState } from './session-state.ts';
import { SmallCache } from './small-cache.ts';
import type { ToolResultStore } from './tool-result-store.ts';

export interface BuilderOptions {
  /** The conservative default when it is missing. */
  readonly policy?: ContextPolicy;
  /** Without one, results are shown by the previews in the messages. */
  readonly store?: ToolResultStore;
  /** For `max_total_tokens`; a token for four characters when it is missing. */
  readonly countTokens?: CountTokens;
}

export interface BuiltPack {
  /** Empty when there is nothing to say. */
  readonly text: string;
  /** One for every snippet: mission, facts, plan and results, by id. */
  readonly receipts: readonly FitReceipt[];
  readonly notices: readonly Diagnostic[];
}

const REMEMBERED = 64;

/**
 * Builds the context pack before a model call: mission, facts, plan and excerpts of tool results, inside the caps
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
  /** What a stored result gives for a selection never changes: it is named after its content. */
  readonly #excerpts = new SmallCache<TakenExcerpt>(REMEMBERED);

  constructor({ policy, store, countTokens }: BuilderOptions = {}) {
    this.policy = policy ?? ContextPolicy.conservativeDefault();
    this.#store = store ?? null;
    this.#texts = store === undefined ? null : new SafeTexts(store);
    this.#count = countTokens ?? estimateTokens;
  }

  async build(state: SessionState): Promise<BuiltPack> {
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
    // a result may have been let go meanwhile, and then it must not come back from here
    if (remembered !== undefined && (await this.#store?.handle(result.id))) return remembered;
    const taken = await takeExcerpt(wanted, this.#texts, this.policy, asked);
    if (this.#store !== null && (await this.#store.handle(result.id)) !== null)
      this.#excerpts.set(key, taken);
    return taken;
  }
}

/** A pack without a single result is most likely a mistake in the policy. */
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

/** What changes least comes first. */
function ownSnippets({ mission = '', facts = {}, plan = {} }: SessionState): PackSnippet[] {
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
