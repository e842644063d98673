export { fenced, inlineCode, inlineName, inlinePath, inlineText } from './inline-text.ts';
export { escapeHidden, markHidden } from './mark-hidden.ts';
export {
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
export { hiddenCharacterDiagnostics, redactionDiagnostics } from './redaction-diagnostics.ts';
