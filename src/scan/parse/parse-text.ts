import type { ParsedFile } from '../../model/parsed-file.ts';
import { readPackagedGrammar } from '../../platform/cache/grammar-files.ts';
import { monotonicMs } from '../../platform/clock.ts';
import { detectLanguage } from './detect-language.ts';
import { createParser, type ParseText } from './parse-file.ts';
import { signatureView } from './signature-view.ts';

export type { ImportKind, ImportReference, ParsedFile, ParseProblem } from '../../model/parsed-file.ts';
export type { SymbolDefinition, SymbolKind } from '../../model/symbol.ts';
export { signatureView };

const LIMIT_MS = 2_000;
let parser: ParseText | null = null;

/**
 * Parses a text; its path tells the language. It runs in this process: for text that you do not trust, scan the
 * repository instead, which parses in a process of its own.
 *
 * @example
 * const parsed = await parseText('src/auth.ts', source);
 * console.log(signatureView(source, parsed));
 */
export async function parseText(path: string, text: string): Promise<ParsedFile> {
  parser ??= createParser({ readGrammar: readPackagedGrammar, now: monotonicMs, limitMs: LIMIT_MS });
  return parser(text, detectLanguage(path, text.slice(0, 1_000)));
}
