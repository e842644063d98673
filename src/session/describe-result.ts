// Describes a tool result without its bytes: id, size, tokens and preview. Also writes the line that replaces a result
// in the history, and reads it back.

import { createHash } from 'node:crypto';
import { cutToCharacters } from '../context/fit/index.ts';
import { LoadoutError } from '../model/loadout-error.ts';
import { inlineText, withoutSecrets } from '../redact/index.ts';
import { checkArguments, required, TEXT, wholeNumber } from '../schema/check-arguments.ts';
import {
  type NewToolResult,
  RESULT_ID,
  type ToolResultContent,
  type ToolResultHandle,
} from './tool-result-store.ts';

/** Of a preview, on one line. */
const PREVIEW_CHARACTERS = 160;
/** Long enough that a secret that begins inside the preview is seen whole. */
const PREVIEW_WINDOW = 32_768;
/** An estimate for English text and code. */
const CHARACTERS_PER_TOKEN = 4;
/** In characters. */
const MAX_TOOL_NAME = 120;

/** A handle that only lacks its order, and the bytes to keep. */
interface DescribedResult {
  readonly handle: Omit<ToolResultHandle, 'order'>;
  readonly bytes: Buffer;
}

/** Counts the tokens of a text, exactly or roughly. */
export type CountTokens = (text: string) => number;

/** The count without a tokenizer. */
export const estimateTokens: CountTokens = (text) => Math.ceil(text.length / CHARACTERS_PER_TOKEN);

/** The fields of a handle, without its order, which the store gives. */
export function describeResult(result: NewToolResult, count: CountTokens = estimateTokens): DescribedResult {
  const { tool } = result;
  if (typeof tool !== 'string' || tool === '' || tool.length > MAX_TOOL_NAME) {
    throw new LoadoutError(
      'bad-tool-name',
      `tool: ${JSON.stringify(tool)} is not allowed; allowed is a text of 1 to ${MAX_TOOL_NAME} characters`,
      { subject: 'tool' },
    );
  }
  const { bytes, mime: guessed } = encode(result.content, tool);
  const mime = result.mime ?? guessed;
  const text = textOf(bytes, mime);
  return {
    bytes,
    handle: {
      id: resultId(tool, mime, bytes),
      tool,
      size: bytes.length,
      tokens: text === null ? Math.ceil(bytes.length / CHARACTERS_PER_TOKEN) : count(text),
      preview: text === null ? `[${bytes.length} bytes of ${inlineText(mime)}]` : previewOf(text),
      mime,
    },
  };
}

/** A hash over tool, type and bytes. Checked on every read: damaged bytes have another id. */
export function resultId(tool: string, mime: string, bytes: Uint8Array): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([tool, mime]))
    .update(bytes)
    .digest('hex');
  return `tr_${digest.slice(0, 32)}`;
}

/** The text of a result, or null when its bytes are not text. */
export function textOf(bytes: Uint8Array, mime: string): string | null {
  if (mime === 'application/octet-stream') return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Redacted before it is cut, so that no part of a secret stays. */
function previewOf(text: string): string {
  const redacted = withoutSecrets(text.slice(0, PREVIEW_WINDOW));
  const oneLine = inlineText(
    redacted
      .slice(0, PREVIEW_CHARACTERS * 4)
      .replace(/\s+/g, ' ')
      .trim(),
  );
  return cutToCharacters(oneLine, PREVIEW_CHARACTERS, '…');
}

/** The bytes of a result and their type. */
function encode(content: ToolResultContent, tool: string): { bytes: Buffer; mime: string } {
  if (content instanceof Uint8Array) {
    const bytes = Buffer.from(content);
    const isText = !bytes.includes(0) && textOf(bytes, 'text/plain') !== null;
    return { bytes, mime: isText ? 'text/plain' : 'application/octet-stream' };
  }
  if (typeof content === 'string') {
    // half a surrogate pair has no UTF-8: written as JSON it comes back as it was
    const bytes = Buffer.from(content, 'utf8');
    if (bytes.toString('utf8') === content) return { bytes, mime: 'text/plain' };
    return { bytes: Buffer.from(JSON.stringify(content), 'utf8'), mime: 'application/json' };
  }
  const json = toJson(content);
  if (json === undefined) {
    throw new LoadoutError('bad-tool-result', `the result of ${tool} is not text, bytes or JSON`, {
      subject: tool,
      hint: 'pass a string, a Uint8Array, or a value that JSON.stringify can write',
    });
  }
  return { bytes: Buffer.from(json, 'utf8'), mime: 'application/json' };
}

/** Undefined for cycles, functions and the like. */
function toJson(content: unknown): string | undefined {
  try {
    return JSON.stringify(content);
  } catch {
    return undefined;
  }
}

/** The line that replaces a result in the history. */
export type MentionedResult = Pick<ToolResultHandle, 'id' | 'tool' | 'size' | 'tokens' | 'preview'>;

/** A quick test before the pattern runs. */
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
