import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSnippet } from '../../../test/support/parse-snippet.ts';
import type { SymbolDefinition } from '../../model/symbol.ts';
import type { Language } from './language.ts';
import { LANGUAGES, languageById } from './languages/table.ts';
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

const HOSTILE_CHARACTERS = 120_000;
/** In this time no search went over the text for each of its openers. */
const QUICK_MS = 100;

/** Every way to begin a comment or a string, alone, escaped, and all of them in turn. */
function openersOf({ lexis: { lineComments, blockComments, strings } }: Language): string[] {
  const single = [
    ...lineComments,
    ...blockComments.map(([open]) => open),
    ...strings.map(({ open }) => open),
  ];
  const all = [...single, ...single.map((open) => `\\${open}`), single.join(''), single.join(' x\n')];
  return [...new Set(all)].filter((open) => open !== '');
}

function workMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
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

  it('never throws, and every word has its line', () => {
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

  it('takes linear time for a file that consists of openers, in every language', () => {
    const tokenizer = createTokenizer();
    const seen = new Set<string>();
    for (const language of LANGUAGES) {
      const rules = JSON.stringify(language.lexis);
      if (seen.has(rules)) continue;
      seen.add(rules);
      for (const open of openersOf(language))
        for (const unit of [open, `${open}\n`]) {
          const text = unit.repeat(HOSTILE_CHARACTERS / unit.length);
          const whole = workMs(() => tokenizer.tokenize(text, language, []));
          if (whole < QUICK_MS) continue;
          // one that takes this long says enough
          expect(whole, `${language.id} ${JSON.stringify(unit)}`).toBeLessThan(500);
          const twice = workMs(() => tokenizer.tokenize(text + text, language, []));
          expect(twice, `${language.id} ${JSON.stringify(unit)}, twice as long`).toBeLessThan(3 * whole);
        }
    }
  }, 120_000);

  it('finds the same end for every opener as a search that begins there', () => {
    const parts = ['"', "'", '/*', '*/', '\\', '\n', 'x', '`', '"""', '{-', '-}', '--[[', ']]', 'r#"', '"#'];
    const languages = ['javascript', 'python', 'rust', 'lua', 'haskell', 'php'].map(
      (id) => languageById(id)!,
    );
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...parts), { maxLength: 60 }),
        fc.constantFrom(...languages),
        (pieces, language) => {
          const text = pieces.map((piece, at) => `w${at}${piece}`).join('');
          const { fields, wordIds } = tokenize(text, language, []);
          expect([...wordIds].map((_, at) => FIELDS[fields[at]!])).toEqual(naiveFields(text, language));
        },
      ),
      { numRuns: 500 },
    );
  });
});

/** The kind of text that each word is in, found the slow way. */
function naiveFields(text: string, { lexis }: Language): string[] {
  const markers = [
    ...lexis.lineComments.map((open) => ({ open, close: /$|(?=\n)/g, field: 'comment', ends: true })),
    ...lexis.blockComments.map(([open, close]) => ({
      open,
      close: new RegExp(quoted(close), 'g'),
      field: 'comment',
      ends: false,
    })),
    ...lexis.strings.map(({ open, close, multiline }) => ({
      open,
      close: new RegExp(
        `(?:\\\\[\\s\\S]|(?!${quoted(close)})[^\\\\${multiline ? '' : '\\n'}])*(?:${quoted(close)}${multiline ? '' : '|(?=\\n)'})`,
        'y',
      ),
      field: 'string',
      ends: false,
    })),
  ].sort((a, b) => b.open.length - a.open.length);
  const fields: string[] = [];
  let field = 'code';
  let fieldEnd = 0;
  for (let at = 0; at < text.length; ) {
    if (at >= fieldEnd) field = 'code';
    const word = /^\w+/.exec(text.slice(at))?.[0];
    if (word !== undefined) {
      fields.push(field);
      at += word.length;
      continue;
    }
    const marker = field === 'code' ? markers.find(({ open }) => text.startsWith(open, at)) : undefined;
    if (marker) {
      marker.close.lastIndex = at + marker.open.length;
      const closed = marker.close.exec(text);
      if (closed) {
        field = marker.field;
        fieldEnd = closed.index + closed[0].length;
        at += marker.open.length;
        continue;
      }
    }
    at++;
  }
  return fields;
}

function quoted(text: string): string {
  return text.replace(/[^\w]/g, '\\$&');
}
