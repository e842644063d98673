// Every output passes through here last. This file also writes the diagnostics about replaced secrets and characters.

import type { ContextPack } from '../model/context-pack.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { escapeHidden, inlineText, markHidden } from './mark-hidden.ts';
import { NO_FILE, redactSecrets, type SecretFinding } from './redact-secrets.ts';

/**
 * The only way out for text: secrets are replaced, hidden characters are marked. Text of files is redacted
 * earlier, as a whole and with its path; this is for all other text, and catches secrets that were overlooked.
 */

/** Text that has no file: output of tools and gates, messages of commits, programs and agents. */
export function withoutSecrets(text: string): string {
  const { text: whole } = redactSecrets(text, NO_FILE);
  // JSON inside of text: to a detector its lines are one
  return whole.includes('\\n') ? whole.split(ESCAPED_LINE_END).map(redactLine).join('') : whole;
}

const ESCAPED_LINE_END = /((?:\\r)?\\n)/;
const redactLine = (line: string): string => redactSecrets(line, NO_FILE).text;

/** A shorter text counts as a secret only if other evidence says so. */
const MAY_BE_SECRET = /[\w-]{20}|[=:@"'`>\s]/;

/** The name of a file or of a definition, for people and models. */
export function shownName(name: string): string {
  return MAY_BE_SECRET.test(name) ? redactSecrets(name, '').text : name;
}

/** Text of a document that is not a file, such as the instructions of a role. */
export function safeDocument(text: string): string {
  return markHidden(redactSecrets(text, '').text).text;
}

/** A text of several lines. */
export function safeText(text: string): string {
  return markHidden(withoutSecrets(text)).text;
}

/** A text for one line. */
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

/** A copy of the data without secrets. Names of files stay as they are. */
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

const MAX_NAMED = 5;

/** One line per file: the kinds of its secrets and their lines, never the values. */
export function redactionDiagnostics(findings: readonly SecretFinding[]): Diagnostic[] {
  const byPath = new Map<string, SecretFinding[]>();
  for (const finding of findings) {
    const known = byPath.get(finding.path);
    if (known === undefined) byPath.set(finding.path, [finding]);
    else known.push(finding);
  }
  return [...byPath].map(([path, found]) => {
    const total = found.reduce((sum, { count }) => sum + count, 0);
    const places = found.slice(0, MAX_NAMED).map(({ kind, line }) => `${kind} on line ${line}`);
    const more = found.length > MAX_NAMED ? `, ${found.length - MAX_NAMED} more` : '';
    return {
      code: 'secret-redacted',
      severity: 'warning',
      message: `${path}: ${total} ${total === 1 ? 'secret' : 'secrets'} redacted: ${places.join(', ')}${more}`,
      path,
    };
  });
}

function diagnostic(marks: number, path: string): Diagnostic {
  const what =
    marks === 1 ? '1 invisible or control character is' : `${marks} invisible or control characters are`;
  return {
    code: 'hidden-characters-marked',
    severity: 'warning',
    message: `${what} shown as marks like ⟨U+202E⟩`,
    path,
  };
}

/** One line for each file whose text holds characters that rendering marks. */
export function hiddenCharacterDiagnostics(pack: ContextPack): Diagnostic[] {
  const marks = new Map<string, number>();
  const look = (path: string, ...texts: readonly string[]) => {
    const found = texts.reduce((sum, text) => sum + markHidden(text).marks, 0);
    if (found > 0) marks.set(path, (marks.get(path) ?? 0) + found);
  };
  for (const { path, content, symbols } of pack.items) look(path, path, content, ...symbols);
  for (const { path, text } of pack.conventions) look(path, text);
  for (const { path, signature } of pack.externals) look(path, signature);
  for (const { path, command } of pack.environment.commands) look(path, command);
  return [...marks].map(([path, count]) => diagnostic(count, path));
}
