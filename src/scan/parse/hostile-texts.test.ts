import { describe, expect, it } from 'vitest';
import { readGrammar } from '../../../test/support/parse-snippet.ts';
import type { Language } from './language.ts';
import { LANGUAGES, languageById } from './languages/table.ts';
import { createParser } from './parse-file.ts';
import { blankScriptBodies } from './scripts/typescript-engine.ts';

const CHARACTERS = 400_000;
/** The longest lines whose structure is looked at. */
const WIDE = 19_000;
/** In this time nothing went over the text again and again. */
const QUICK_MS = 400;
const LIMIT_MS = 300;

/** Openers of some language that are never closed. */
const OPENINGS = [
  ...[
    '(',
    '[',
    '{',
    '<',
    '${',
    '#{',
    '`',
    '%(',
    '{{',
    '![',
    '[[',
    '<<A ',
    '"/*" ',
    '/[',
    '(/',
    '# [',
    '#\t ',
  ],
  ...[
    '<!--',
    '<script ',
    '<script>',
    '<script></script>',
    '<template ',
    '<template a="',
    '<style>',
    '<a b="',
  ],
  ...['type a<', 'import {', 'import (', 'def f(', '.a(', '@mixin a', '--[==[', '#ifdef __cplusplus', '/**'],
];

function workedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const parse = createParser({ readGrammar, now: workedMs, limitMs: LIMIT_MS });

type Scan = (text: string) => unknown;

/** The scanners of a language that are ours: grammars and compilers run in a process that is watched. */
function ownScanners({ structure, structureFor }: Language): Scan[] {
  const scanners: (Scan | undefined)[] = [structureFor];
  if (structure?.engine === 'tree-sitter') scanners.push(structure.prepare, structure.findBlanks);
  if (structure?.engine === 'typescript') scanners.push(blankScriptBodies);
  if (structure?.engine === 'lines') scanners.push(structure.find, structure.findImports);
  if (structure?.engine === 'embedded') scanners.push(structure.parts);
  return scanners.filter((scan) => scan !== undefined);
}

/** Each scanner once, with the first language that has it. */
function allScanners(): [name: string, language: Language, scan: Scan][] {
  const seen = new Map<Scan, [string, Language, Scan]>();
  for (const language of LANGUAGES)
    for (const scan of ownScanners(language))
      if (!seen.has(scan)) seen.set(scan, [`${language.id} ${scan.name}`, language, scan]);
  return [...seen.values()];
}

function openingsOf({ lexis: { lineComments, blockComments, strings } }: Language): string[] {
  const own = [...lineComments, ...blockComments.map(([open]) => open), ...strings.map(({ open }) => open)];
  return [...new Set([...own, own.join(''), ...OPENINGS])].filter((open) => open !== '');
}

function hostileTexts(open: string): string[] {
  const wide = `${open.repeat(Math.max(1, Math.floor(900 / open.length)))}\n`;
  return [`${open}\n`, wide].map((unit) => unit.repeat(CHARACTERS / unit.length));
}

async function costOf(scan: (text: string) => unknown, text: string): Promise<number> {
  const before = workedMs();
  try {
    await scan(text);
  } catch (error) {
    // what is nested too deep is given up, as the parser does
    if (!(error instanceof RangeError)) throw error;
  }
  return workedMs() - before;
}

/** One measurement may hold a garbage collection, so the best of three counts. */
async function bestCostOf(scan: Scan, text: string): Promise<number> {
  const costs: number[] = [];
  for (let round = 0; round < 3; round++) costs.push(await costOf(scan, text));
  return Math.min(...costs);
}

describe('texts in which nothing that begins is ended', () => {
  it.each(allScanners())(
    'take time in proportion to their length (%s)',
    async (_, language, scan) => {
      for (const open of openingsOf(language))
        for (const text of hostileTexts(open)) {
          if ((await costOf(scan, text)) < QUICK_MS) continue;
          const whole = await bestCostOf(scan, text);
          if (whole < QUICK_MS) continue;
          expect(whole, JSON.stringify(text.slice(0, 40))).toBeLessThan(4_000);
          const half = await bestCostOf(scan, text.slice(0, CHARACTERS / 2));
          expect(whole, JSON.stringify(text.slice(0, 40))).toBeLessThan(3 * half + 100);
        }
    },
    240_000,
  );

  it.each(['typescript', 'vue', 'scss', 'markdown'])(
    'and their structure takes little time in %s',
    async (id) => {
      const language = languageById(id)!;
      // the first file waits for the parser
      await parse('a', language);
      const { lineComments, blockComments, strings } = language.lexis;
      const own = [
        ...[...lineComments, ...blockComments.map(([open]) => open), ...strings.map(({ open }) => open)],
        ...['<script>', '<script></script>', '# a', '.a {'],
      ];
      for (const open of own)
        for (const text of hostileTexts(open)) {
          const cost = await costOf((given) => parse(given, language), text);
          expect(cost, JSON.stringify(text.slice(0, 40))).toBeLessThan(4_000);
        }
    },
    240_000,
  );

  it.each(['markdown', 'typescript', 'scss'])(
    'take little time on the longest lines that are looked at in %s',
    async (id) => {
      const language = languageById(id)!;
      for (const open of [...openingsOf(language), '# \t', '#                 '])
        for (const scan of ownScanners(language)) {
          const line = `# ${open.repeat(WIDE / open.length)}x\n`;
          const filler = 'x\n'.repeat(line.length / 20);
          const cost = await costOf(scan, (line + filler).repeat(10));
          expect(cost, JSON.stringify(open)).toBeLessThan(2_000);
        }
    },
    240_000,
  );

  it.each(
    LANGUAGES.filter(
      ({ structure, lexis }) => structure?.engine === 'tree-sitter' && lexis.blockComments.length > 0,
    ).map(({ id }) => id),
  )('do not make a grammar search for the end of each comment in %s', async (id) => {
    const language = languageById(id)!;
    // the first file waits for the grammar
    await parse('', language);
    for (const [open, close] of language.lexis.blockComments)
      for (const text of hostileTexts(open).flatMap((one) => [one, `${one}${close}\n`])) {
        let problem: string | null = null;
        const cost = await costOf(async (given) => {
          ({ problem } = await parse(given, language));
        }, text);
        expect(cost, JSON.stringify(text.slice(0, 40))).toBeLessThan(QUICK_MS);
        // one word of many lines is data, and is not looked at either
        expect(['too-complex', 'minified'], open).toContain(problem);
      }
  });
});
