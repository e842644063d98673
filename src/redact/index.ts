// The way out for text. Other parts take everything from here: secrets, hidden characters, and text inside
// lines.

export {
  escapeHidden,
  fenced,
  inlineCode,
  inlineName,
  inlinePath,
  inlineText,
  markHidden,
} from './mark-hidden.ts';
export {
  hiddenCharacterDiagnostics,
  redactionDiagnostics,
  safeData,
  safeDocument,
  safeJson,
  safeLine,
  safeMessage,
  safeText,
  shownName,
  withoutSecrets,
} from './outgoing-text.ts';
export { type RedactedText, redactSecrets, type SecretFinding } from './redact-secrets.ts';
