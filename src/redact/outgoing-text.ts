import { inlineText } from './inline-text.ts';
import { escapeHidden, markHidden } from './mark-hidden.ts';
import { NO_FILE, redactSecrets } from './redact-secrets.ts';

/**
 * The only way out for text: secrets are replaced, hidden characters are marked. Text of files is redacted
 * earlier, whole and with its path in hand; this is for all other text, and for what was overlooked.
 */

/** Text that has no file: output of tools and gates, messages of commits, programs and agents. */
export function withoutSecrets(text: string): string {
  const { text: whole } = redactSecrets(text, NO_FILE);
  // JSON inside of text: to a detector its lines are one
  return whole.includes('\\n') ? whole.split(ESCAPED_LINE_END).map(redactLine).join('') : whole;
}

const ESCAPED_LINE_END = /((?:\\r)?\\n)/;
const redactLine = (line: string): string => redactSecrets(line, NO_FILE).text;

/** No secret is shorter, unless something else says what it is. */
const MAY_BE_SECRET = /[\w-]{20}|[=:@"'`>\s]/;

/** The name of a file or of a definition, for people and models. */
export function shownName(name: string): string {
  return MAY_BE_SECRET.test(name) ? redactSecrets(name, '').text : name;
}

/** Text of a document that is no file, such as what a role says. */
export function safeDocument(text: string): string {
  return markHidden(redactSecrets(text, '').text).text;
}

/** A text of several lines. */
export function safeText(text: string): string {
  return markHidden(withoutSecrets(text)).text;
}

/** A text that is to stand on one line. */
export function safeLine(text: string): string {
  return inlineText(withoutSecrets(text));
}

/** A message about a failure. Later lines are indented, so that none looks like a line of Loadout. */
export function safeMessage(text: string): string {
  return safeText(text.trim()).replaceAll('\n', '\n    ');
}

/** Programs open files by these, and the task is the caller's own. */
const EXACT_KEYS: ReadonlySet<string> = new Set([
  'path',
  'paths',
  'from',
  'to',
  'module',
  'folder',
  'root',
  'targets',
  'changedFiles',
  'patchFile',
  'task',
]);
/** Text of files, redacted when it was taken. */
const DOCUMENT_KEYS: ReadonlySet<string> = new Set(['text', 'content']);

/** The same data without secrets. Names of files stay as they are. */
export function safeData<Data>(data: Data, key = ''): Data {
  if (typeof data === 'string') {
    if (EXACT_KEYS.has(key)) return data;
    return (DOCUMENT_KEYS.has(key) ? redactSecrets(data, '').text : withoutSecrets(data)) as Data & string;
  }
  if (Array.isArray(data)) return data.map((one) => safeData(one, key)) as Data;
  if (
    typeof data !== 'object' ||
    data === null ||
    typeof (data as { toJSON?: unknown }).toJSON === 'function'
  )
    return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, safeData(value, name)]),
  ) as Data;
}

/** JSON for programs: without secrets, and safe to look at. A reader gets every other character back as it was. */
export function safeJson(data: unknown, indent?: number): string {
  return escapeHidden(JSON.stringify(safeData(data), null, indent));
}
