import type { Diagnostic } from '../model/diagnostic.ts';
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
