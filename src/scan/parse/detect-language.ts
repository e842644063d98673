// Finds the language of a file: by its name, its extension or its `#!` line. Nothing else guesses languages.
import type { Language } from './language.ts';
import { LANGUAGES, languageById } from './languages/table.ts';

const byFileName = new Map<string, Language>();
const byExtension = new Map<string, Language>();
const byInterpreter = new Map<string, Language>();
for (const language of LANGUAGES) {
  for (const name of language.fileNames ?? []) byFileName.set(name, language);
  for (const extension of language.extensions) byExtension.set(extension, language);
  for (const interpreter of language.interpreters ?? []) byInterpreter.set(interpreter, language);
}

/** `#!/usr/bin/env -S python3 -u` names python3. */
function interpreterOf(head: string): string | null {
  const line = /^#!\s*(\S+)(.*)/.exec(head);
  if (!line) return null;
  const program = line[1]!.split('/').at(-1)!;
  if (program !== 'env') return program;
  const words = line[2]!
    .split(/\s+/)
    .filter((word) => word !== '' && !word.startsWith('-') && !word.includes('='));
  return words[0]?.split('/').at(-1) ?? null;
}

/** The language of a file by its name, or else by its `#!` line when the head of the text is known. */
export function detectLanguage(path: string, head: string | null): Language | null {
  const fileName = path.slice(path.lastIndexOf('/') + 1);
  const named = byFileName.get(fileName);
  if (named) return named;
  // The longest extension wins: `.d.ts` before `.ts`.
  for (let dot = fileName.indexOf('.'); dot !== -1; dot = fileName.indexOf('.', dot + 1)) {
    const found = byExtension.get(fileName.slice(dot).toLowerCase());
    if (found) return found;
  }
  const interpreter = head?.startsWith('#!') ? interpreterOf(head) : null;
  return (
    (interpreter && byInterpreter.get(interpreter.replace(/[\d.]+$/, ''))) ||
    (interpreter && byInterpreter.get(interpreter)) ||
    null
  );
}

/** True when the path follows a test convention, of its language or a common one. */
export function isTestPath(path: string, language: Language | null): boolean {
  return language?.testPaths?.test(path) ?? false;
}

/** True for formats that hold values rather than logic. */
export function isDataLanguage(language: string | null): boolean {
  return languageById(language)?.kind === 'data';
}

/** The parser that a language needs. Languages with the same name share a grammar or compiler. */
export function parserName(language: string | null): string {
  const structure = languageById(language)?.structure;
  if (!structure) return '';
  return structure.engine === 'tree-sitter' ? structure.grammar : structure.engine;
}

/** Whether a file of this name is parsed by a wasm grammar. */
export function needsGrammar(path: string): boolean {
  return detectLanguage(path, null)?.structure?.engine === 'tree-sitter';
}
