export type JsonRecord = Readonly<Record<string, unknown>>;

/** A JSON object that may hold comments and trailing commas; null for anything else. */
export function readJsonRecord(text: string | null): JsonRecord | null {
  if (text === null) return null;
  try {
    return asRecord(JSON.parse(withoutComments(text)));
  } catch {
    return null;
  }
}

export function asRecord(value: unknown): JsonRecord | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : null;
}

export function asString(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** A string or a list of strings, as manifests often allow both. */
export function asStrings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** By hand and in one pass: a regular expression for this goes quadratic on text made to hurt it. */
function withoutComments(text: string): string {
  const kept: string[] = [];
  let comma = -1;
  let index = text.startsWith('\uFEFF') ? 1 : 0;
  while (index < text.length) {
    const start = index;
    const character = text[index]!;
    const next = text[index + 1];
    if (character === '/' && (next === '/' || next === '*')) {
      const close = next === '/' ? text.indexOf('\n', index) : text.indexOf('*/', index + 2) + 1;
      index = close <= 0 ? text.length : close + (next === '/' ? 0 : 1);
      continue;
    }
    index = character === '"' ? endOfString(text, index) : index + 1;
    if (character === ',') comma = kept.length;
    else if (character === ']' || character === '}') {
      // a comma with nothing but blanks and comments behind it
      if (comma >= 0) kept[comma] = '';
      comma = -1;
    } else if (character.trim() !== '') comma = -1;
    kept.push(text.slice(start, index));
  }
  return kept.join('');
}

function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index + 1;
}
