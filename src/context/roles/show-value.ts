const MAX_LENGTH = 80;

/** A value for a message: a text or a number as written, of anything larger only what it is. */
export function showValue(value: unknown): string {
  if (typeof value === 'string') {
    // Cut before it is quoted: aliases can make one text stand in a thousand places.
    return value.length > MAX_LENGTH
      ? `${JSON.stringify(value.slice(0, MAX_LENGTH))}…`
      : JSON.stringify(value);
  }
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return `a map of ${Object.keys(value).length}`;
  return value === null ? 'empty' : String(value);
}
