import type { Diagnostic } from '../model/diagnostic.ts';
import { redactSecrets } from '../redact/redact-secrets.ts';
import { textOf } from './describe-result.ts';
import type { MentionedResult } from './handle-line.ts';
import type { Excerpt } from './pack-snippet.ts';
import type { ContextPolicy } from './policy/context-policy.ts';
import { applySelector } from './selectors/apply-selector.ts';
import { firstCharacters } from './selectors/character-cuts.ts';
import { isSelectorName, type Selection, showSelection } from './selectors/selection.ts';
import type { ToolResultStore } from './tool-result-store.ts';

export interface WantedResult {
  readonly result: MentionedResult;
  readonly selection: Selection;
}

export interface TakenExcerpt {
  /** Null when the policy says no, or there is nothing to show. */
  readonly excerpt: Excerpt | null;
  readonly notices: readonly Diagnostic[];
}

const LONGEST_LABEL = 60;
/** Far more than any secret is long. */
const WINDOW = 262_144;

/** Takes from a result what the selection says, never more than an item may have. `query` is for `relevant`. */
export async function takeExcerpt(
  { result, selection }: WantedResult,
  store: ToolResultStore | null,
  policy: ContextPolicy,
  query: string,
): Promise<TakenExcerpt> {
  const notices: Diagnostic[] = [];
  const say = (code: string, message: string) =>
    notices.push({ code, severity: 'warning', message: `${result.id} (${result.tool}): ${message}` });
  const refuse = (why: string): TakenExcerpt => {
    say('selector-refused', `${why} is not in allow_selectors`);
    return { excerpt: null, notices };
  };
  // a name that nobody knows falls back to one that is looked at below
  if (isSelectorName(selection.selector) && !policy.isSelectorAllowed(selection.selector)) {
    return refuse(`the selector ${selection.selector}`);
  }

  const stored = store === null ? null : await store.get(result.id);
  const text = stored === null ? null : textOf(stored.bytes, stored.handle.mime);
  if (text === null) {
    if (store !== null && stored === null)
      say('result-gone', 'the store does not have it, its preview stands in');
    if (!policy.isSelectorAllowed('first_chars')) return refuse('the preview is first_chars, which');
    return { excerpt: fromPreview(result), notices };
  }
  // before anything is cut, so that no cut can hide a part of a secret
  const safe = redactSecrets(nearEnd(text, selection.selector, policy.maxCharsPerItem), '').text;
  const { text: shown, selector, notice } = applySelector(safe, selection, policy.maxCharsPerItem, query);
  if (notice !== '') {
    if (!policy.isSelectorAllowed(selector)) return refuse(`${notice}, which`);
    say('selector-fallback', notice);
  }
  const used = notice === '' ? firstCharacters(showSelection(selection), LONGEST_LABEL) : selector;
  const excerpt: Excerpt = {
    id: result.id,
    tool: result.tool,
    text: shown,
    label: `${used}, of ${text.length} characters`,
    isWhole: shown === safe && text.length <= policy.maxCharsPerItem + WINDOW,
    keeps: selector === 'last_chars' ? 'end' : 'start',
  };
  return { excerpt, notices };
}

/** Looking for secrets takes time, and what is far from the end that is shown need not be looked at. */
function nearEnd(text: string, selector: string, limit: number): string {
  const reach = limit + WINDOW;
  if (text.length <= reach) return text;
  if (selector === 'first_chars') return text.slice(0, reach);
  return selector === 'last_chars' ? text.slice(-reach) : text;
}

function fromPreview(result: MentionedResult): Excerpt | null {
  if (result.preview === '') return null;
  const { text } = redactSecrets(result.preview, '');
  const label = `preview, of ${result.size} bytes`;
  return { id: result.id, tool: result.tool, text, label, isWhole: false, keeps: 'start' };
}
