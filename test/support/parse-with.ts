import fc from 'fast-check';
import type { ParsedFile } from '../../src/model/parsed-file.ts';
import type { Language } from '../../src/scan/parse/language.ts';
import { createParser } from '../../src/scan/parse/parse-file.ts';
import { signatureView } from '../../src/scan/parse/signature-view.ts';
import { readGrammar } from './parse-snippet.ts';

const parse = createParser({ readGrammar, now: () => performance.now(), limitMs: 10_000 });

/** Parses with a language object itself, registered in the table or not. */
export async function parseWith(language: Language, text: string): Promise<ParsedFile> {
  const parsed = await parse(text, language);
  if (parsed.problem) throw new Error(`${language.id}: ${parsed.problem}`);
  return parsed;
}

export async function viewWith(language: Language, text: string): Promise<string> {
  return signatureView(text, await parseWith(language, text));
}

/** Cuts, doubles and overwrites pieces of a text at random places. */
function mutationsOf(text: string): fc.Arbitrary<string> {
  const place = fc.nat({ max: text.length });
  const piece = fc.oneof(
    fc.string({ maxLength: 6 }),
    fc.constantFrom('{', '}', '(', ')', '"', "'", '<', '#', '\n', 'end', '/*', '\0', '\u{1F600}', '\r\n'),
    place.map((from) => text.slice(from, from + 30)),
  );
  return fc
    .array(fc.tuple(place, fc.nat({ max: 40 }), piece), { minLength: 1, maxLength: 6 })
    .map((edits) =>
      edits.reduce((now, [at, cut, put]) => now.slice(0, at) + put + now.slice(at + cut), text),
    );
}

/** Parsing and viewing any content succeeds and keeps the promises of `ParsedFile`. */
export async function expectSurvivesMutations(language: Language, text: string, runs = 200): Promise<void> {
  // the TypeScript parser invents empty names where one is missing
  const named = language.structure?.engine === 'tree-sitter';
  await fc.assert(
    fc.asyncProperty(mutationsOf(text), async (mutated) => {
      const parsed = await parseWith(language, mutated);
      parsed.symbols.forEach((symbol, index) => {
        const { start, headerEnd, bodyEnd, end, container } = symbol;
        const ordered = 0 <= start && start <= headerEnd && headerEnd <= bodyEnd && bodyEnd <= end;
        if (!ordered || end > mutated.length || container >= index || (named && symbol.name === ''))
          throw new Error(`broken symbol: ${JSON.stringify(symbol)}`);
      });
      signatureView(mutated, parsed);
    }),
    { numRuns: runs },
  );
}
