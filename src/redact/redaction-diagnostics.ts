import type { ContextPack } from '../model/context-pack.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { markHidden } from './mark-hidden.ts';
import type { SecretFinding } from './redact-secrets.ts';

const MAX_NAMED = 5;

/** One line per file: what kinds were taken out and on which lines, never the values. */
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
