import type { Diagnostic } from '../model/diagnostic.ts';
import { withoutSecrets } from '../redact/outgoing-text.ts';
import type { MentionedResult } from './handle-line.ts';
import type { Excerpt } from './pack-snippet.ts';
import type { ContextPolicy } from './policy/context-policy.ts';
import type { SafeTexts } from './safe-texts.ts';
import { applySelector } from './selectors/apply-selector.ts';
import { firstCharacters } from './selectors/character-cuts.ts';
import { isSelectorName, type Selection, showSelection } from './selectors/selection.ts';

export interface WantedResult {
  readonly result: MentionedResult;
  readonly selection: Selection;
}

export interface TakenExcerpt {
  /** Null when the policy says no, or there is nothing to show. */
  readonly excerpt: Excerpt | null;
  readonly notices: readonly Diagnostic[];
}

const MAX_LABEL = 60;

/** Takes from a result what the selection says, never more than an item may have. `query` is for `relevant`. */
export async function takeExcerpt(
  { result, selection }: WantedResult,
  texts: SafeTexts | null,
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

  const safe =
    texts === null ? 'not-text' : await texts.read(result.id, selection.selector, policy.maxCharsPerItem);
  if (typeof safe === 'string') {
    if (safe === 'gone') say('result-gone', 'the store does not have it, its preview stands in');
    if (!policy.isSelectorAllowed('first_chars')) return refuse('the preview is first_chars, which');
    return { excerpt: fromPreview(result), notices };
  }
  const {
    text: shown,
    selector,
    notice,
  } = applySelector(safe.text, selection, policy.maxCharsPerItem, query);
  if (notice !== '') {
    if (!policy.isSelectorAllowed(selector)) return refuse(`${notice}, which`);
    say('selector-fallback', notice);
  }
  const asked = firstCharacters(showSelection(selection), MAX_LABEL);
  // whoever reads the pack must not take it for what was asked for
  const used = notice === '' ? asked : `${selector} instead of ${asked}`;
  const excerpt: Excerpt = {
    id: result.id,
    tool: result.tool,
    text: shown,
    label: `${used}, of ${safe.length} characters`,
    isWhole: notice === '' && safe.isWhole && shown === safe.text,
    keeps: selector === 'last_chars' ? 'end' : 'start',
  };
  return { excerpt, notices };
}

function fromPreview(result: MentionedResult): Excerpt | null {
  if (result.preview === '') return null;
  const text = withoutSecrets(result.preview);
  const label = `preview, of ${result.size} bytes`;
  return { id: result.id, tool: result.tool, text, label, isWhole: false, keeps: 'start' };
}
