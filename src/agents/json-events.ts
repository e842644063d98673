export type JsonRecord = Readonly<Record<string, unknown>>;

const MAX_TAIL_CHARACTERS = 64 * 1024;
/** Lines that may begin the last object; each of them costs a look at everything behind it. */
const MAX_BEGINNINGS = 200;

/**
 * What a CLI printed as JSON: one object, a list of objects, or one object per line. Lines that are no JSON are
 * noise of the CLI or the cut in a bounded output, and are left out.
 */
export function readJsonEvents(output: string): readonly JsonRecord[] {
  const whole = parseJson(output);
  if (Array.isArray(whole)) return whole.filter(isRecord);
  if (isRecord(whole)) return [whole];
  return output
    .split('\n')
    .map(parseJson)
    .filter((value) => isRecord(value));
}

/** The object that ends the text, whatever stands before it: gemini prints its error below stack traces. */
export function readLastJsonObject(output: string): JsonRecord | null {
  const text = output.slice(-MAX_TAIL_CHARACTERS).trimEnd();
  if (!text.endsWith('}')) return null;
  let tried = 0;
  // Whole lines only: a brace in the middle of a line opens part of some other text.
  for (let at = startOfLine(text, text.length - 1); ; at = startOfLine(text, at - 2)) {
    const begins = text[at] === '{';
    const value = begins ? parseJson(text.slice(at)) : undefined;
    if (isRecord(value)) return value;
    if (begins) tried += 1;
    if (at === 0 || tried === MAX_BEGINNINGS) return null;
  }
}

export function parseJson(text: string): unknown {
  // A cheap look first: most lines of noise would only cost an exception.
  if (!/^\s*[[{"]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function record(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function startOfLine(value: string, before: number): number {
  return before < 0 ? 0 : value.lastIndexOf('\n', before) + 1;
}
