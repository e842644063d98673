import { decodeText } from '../../../platform/fs/decode-text.ts';
import type { SafeRoot } from '../../../platform/fs/safe-root.ts';
import { redactSecrets, type SecretFinding } from '../../../redact/redact-secrets.ts';
import { detectLanguage } from '../../../scan/parse/detect-language.ts';

/** A file as it is on disk now, without its secrets. */
export interface WholeFile {
  readonly text: string;
  /** As its name and its first line say. */
  readonly language: string | null;
  readonly findings: readonly SecretFinding[];
}

export interface WholeFileOptions {
  readonly root: SafeRoot;
  readonly redact: boolean;
  readonly maxBytes: number;
}

const HEAD_CHARACTERS = 1_000;
/** Stands in the place of a file that was not fetched. */
const LFS_POINTER = 'version https://git-lfs';

/** Null for what is no text, and for what cannot be read. */
export function readWholeFile({ root, redact, maxBytes }: WholeFileOptions, path: string): WholeFile | null {
  const outcome = root.read(path, maxBytes);
  if (outcome.kind !== 'content') return null;
  const decoded = decodeText(outcome.bytes);
  if (decoded.kind !== 'text' || decoded.text.startsWith(LFS_POINTER)) return null;
  const language = detectLanguage(path, decoded.text.slice(0, HEAD_CHARACTERS))?.id ?? null;
  if (!redact) return { text: decoded.text, language, findings: [] };
  const { text, findings } = redactSecrets(decoded.text, path);
  return { text, language, findings };
}

export function countLines(text: string): number {
  let lines = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
