// Takes the part of a stored result that a selection names, within the policy.

import type { Diagnostic } from '../model/diagnostic.ts';
import { withoutSecrets } from '../redact/index.ts';
import { checkArguments, required, TEXT, wholeNumber } from '../schema/check-arguments.ts';
import { type MentionedResult, textOf } from './describe-result.ts';
import type { ContextPolicy } from './policy/context-policy.ts';
import type { Excerpt } from './recall-block.ts';
import type { SafeTexts } from './safe-texts.ts';
import { applySelector, firstCharacters, type SelectedText } from './selectors/apply-selector.ts';
import {
  isSelectorName,
  parseSelection,
  SELECTION,
  type Selection,
  showSelection,
} from './selectors/selection.ts';
import { STORE, type ToolResultStore } from './tool-result-store.ts';

/** A result and the part of it that is wanted. */
export interface WantedResult {
  readonly result: MentionedResult;
  readonly selection: Selection;
}

/** The excerpt, and notes about fallbacks and refusals. */
export interface TakenExcerpt {
  /** Null when the policy says no, or there is nothing to show. */
  readonly excerpt: Excerpt | null;
  readonly notices: readonly Diagnostic[];
}

/** Of a selection in a heading; a caller's pattern may be long. */
const MAX_LABEL = 60;

/** Takes the selected part of a result, never more than an item may have. `query` is for `relevant`. */
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
  // an unknown name falls back to a selector that is checked below
  if (isSelectorName(selection.selector) && !policy.isSelectorAllowed(selection.selector)) {
    return refuse(`the selector ${selection.selector}`);
  }

  const safe =
    texts === null ? 'not-text' : await texts.read(result.id, selection.selector, policy.maxCharsPerItem);
  if (typeof safe === 'string') {
    if (safe === 'gone') say('result-gone', 'the store does not have it; its preview is shown instead');
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
  // the heading says so, because the reader asked for something else
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

/** For results whose bytes are missing or are not text. */
function fromPreview(result: MentionedResult): Excerpt | null {
  if (result.preview === '') return null;
  const text = withoutSecrets(result.preview);
  const label = `preview, of ${result.size} bytes`;
  return { id: result.id, tool: result.tool, text, label, isWhole: false, keeps: 'start' };
}

const RESULT_KINDS = {
  store: required(STORE),
  id: required(TEXT),
  selection: SELECTION,
  limit: required(wholeNumber(0)),
};

/**
 * A part of a stored result, without secrets, in at most `limit` characters; null when the store does not have it or
 * it is not text. For a tool with which an agent asks for more than the recall block shows.
 */
export async function selectResult(
  store: ToolResultStore,
  id: string,
  selection: Selection | string,
  limit: number,
): Promise<SelectedText | null> {
  checkArguments('selectResult', { store, id, selection, limit }, RESULT_KINDS);
  const stored = await store.get(id);
  const text = stored === null ? null : textOf(stored.bytes, stored.handle.mime);
  if (text === null) return null;
  const asked = typeof selection === 'string' ? parseSelection(selection) : selection;
  return applySelector(withoutSecrets(text), asked, limit);
}
