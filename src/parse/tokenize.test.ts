import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSnippet } from '../../test/support/parse-snippet.ts';
import type { SymbolDefinition } from '../model/symbol.ts';
import type { Language } from './language.ts';
import { languageById } from './languages/table.ts';
import { createTokenizer } from './tokenize.ts';

const FIELDS = ['code', 'comment', 'string', 'definition'];

function tokenize(text: string, language: Language | null, symbols: readonly SymbolDefinition[]) {
  const tokenizer = createTokenizer();
  const { distinct, occurrences, lines, fields } = tokenizer.tokenize(text, language, symbols);
  return {
    words: [...distinct].map((id) => tokenizer.vocabulary.words[id]!),
    wordIds: occurrences,
    lines,
    fields,
  };
}

async function fieldsOf(language: string, text: string): Promise<string[]> {
  const { symbols } = await parseSnippet(language, text);
  const { words, wordIds, lines, fields } = tokenize(text, languageById(language), symbols);
  return [...wordIds].map((id, at) => `${lines[at]} ${FIELDS[fields[at]!]} ${words[id]}`);
}

describe('tokenize', () => {
  it('tells code, comments, strings and names of definitions apart', async () => {
    const text = [
      '// about it',
      'function greet(who) {',
      "  return 'hello ' + who; /* end",
      'here */ }',
      '',
    ].join('\n');
    expect(await fieldsOf('javascript', text)).toEqual([
      '1 comment about',
      '1 comment it',
      '2 code function',
      '2 definition greet',
      '2 code who',
      '3 code return',
      '3 string hello',
      '3 code who',
      '3 comment end',
      '4 comment here',
    ]);
  });

  it('ends a one-line string at the line end, so that a stray quote spoils one line only', async () => {
    const text = "let a = /'/;\nlet b = after;\n";
    expect(await fieldsOf('javascript', text)).toContain('2 code after');
  });

  it('reads triple-quoted strings over lines, escapes included', async () => {
    const text = 'x = """one \\""" two\nthree"""\ny = four\n';
    const fields = await fieldsOf('python', text);
    expect(fields).toContain('2 string three');
    expect(fields).toContain('3 code four');
  });

  it('drops ids, hashes and long numbers, keeps error codes and names with digits', () => {
    const { words } = tokenize('3f2a9b 1234567 0123456789abcdef 404 utf8 E1101 x a1b2c3d4e5f6', null, []);
    expect(words).toEqual(['404', 'utf8', 'E1101', 'x']);
  });

  it('never throws, and every word stands on its line', () => {
    const languages = ['javascript', 'python', 'rust', 'html', 'haskell'].map((id) => languageById(id));
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 400 }),
        fc.constantFrom(...languages),
        (text, language) => {
          const { words, wordIds, lines } = tokenize(text, language, []);
          const byLine = text.split('\n');
          for (let at = 0; at < wordIds.length; at++)
            expect(byLine[lines[at]! - 1]).toContain(words[wordIds[at]!]!);
        },
      ),
    );
  });
});
