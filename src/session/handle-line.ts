import { inlineText } from '../redact/inline-text.ts';
import { checkArguments, required, TEXT, wholeNumber } from '../schema/check-arguments.ts';
import { RESULT_ID, type ToolResultHandle } from './tool-result.ts';

/** What stands in the history in place of a result. */
export type MentionedResult = Pick<ToolResultHandle, 'id' | 'tool' | 'size' | 'tokens' | 'preview'>;

const BEGINNING = '[tool result ';
const LINE =
  /^\[tool result (tr_[0-9a-f]{32}) kept outside: (.{1,2000}), (\d{1,15}) bytes, ~(\d{1,15}) tokens\](?:\n|$)/;

const RESULT_KINDS = {
  id: required(TEXT),
  tool: required(TEXT),
  size: required(wholeNumber(0)),
  tokens: required(wholeNumber(0)),
  preview: required(TEXT),
};

/** Two lines: the handle, and a preview. */
export function handleLine(result: MentionedResult): string {
  checkArguments('handleLine', result, RESULT_KINDS, 'kept');
  const { id, tool, size, tokens, preview } = result;
  const head = `${BEGINNING}${id} kept outside: ${inlineText(tool)}, ${size} bytes, ~${tokens} tokens]`;
  return preview === '' ? head : `${head}\n${preview}`;
}

/** The handle that a message consists of, or null when it is any other text. */
export function readHandleLine(content: string): MentionedResult | null {
  checkArguments('readHandleLine', { content }, { content: required(TEXT) });
  if (!content.startsWith(BEGINNING)) return null;
  const found = LINE.exec(content);
  const preview = found === null ? '' : content.slice(found[0].length);
  if (found === null || preview.includes('\n')) return null;
  const [, id, tool, size, tokens] = found as unknown as [string, string, string, string, string];
  return RESULT_ID.test(id) ? { id, tool, size: Number(size), tokens: Number(tokens), preview } : null;
}
