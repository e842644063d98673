import { withoutSecrets } from '../redact/outgoing-text.ts';
import { checkArguments, required, TEXT, wholeNumber } from '../schema/check-arguments.ts';
import { textOf } from './describe-result.ts';
import { applySelector, type SelectedText } from './selectors/apply-selector.ts';
import { parseSelection, SELECTION, type Selection } from './selectors/selection.ts';
import { STORE, type ToolResultStore } from './tool-result-store.ts';

const RESULT_KINDS = {
  store: STORE,
  id: required(TEXT),
  selection: SELECTION,
  limit: required(wholeNumber(0)),
};

/**
 * A part of a stored result, without secrets, in at most `limit` characters; null when the store does not have it or
 * it is not text. For a tool with which an agent asks for more than the pack shows.
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
