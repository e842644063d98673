import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const PROMISES = '## What Loadout promises';
const TESTS = '## The tests of these promises';
/** At the end of a sentence: the numbers of its tests. */
const NUMBERS = /\[(\d+(?:, \d+)*)\](?=[.,; ]|$)/g;

interface Row {
  readonly number: number;
  readonly file: string;
  readonly test: string;
}

/** From a heading to the next one of the same level. */
function section(page: string, heading: string): string {
  const start = page.indexOf(`\n${heading}\n`);
  if (start === -1) throw new Error(`there is no section "${heading}"`);
  const body = page.slice(start + heading.length + 2);
  const end = body.search(/^## /m);
  return end === -1 ? body : body.slice(0, end);
}

function rowsOf(page: string): Row[] {
  const lines = section(page, TESTS).split('\n');
  return lines.flatMap((line) => {
    const row = /^\| (\d+) \| [^|]+ \| \[([^\]]+)\]\(([^)]+)\) \| (.+) \|$/.exec(line);
    return row && row[2] === row[3] ? [{ number: Number(row[1]), file: row[2]!, test: row[4]! }] : [];
  });
}

/** Paragraphs and list items of the promises; those that begin with "Note" only explain. */
function blocksOf(page: string): string[] {
  const [, ...parts] = section(page, PROMISES).split(/^### .+$/m);
  return parts
    .join('\n')
    .split(/\n\n|\n(?=- )/)
    .map((block) =>
      block
        .replace(/^- (?:\*\*[^*]+\*\* )?/, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((block) => block !== '' && !block.startsWith('Note'));
}

function sentencesOf(block: string): string[] {
  // a full stop inside a code span or a file name ends nothing
  return block.split(/(?<=\.) (?=[A-Z`])/);
}

/** Sentences that no number vouches for. One that ends in a colon leads to a list. */
function unnumbered(page: string): string[] {
  return blocksOf(page)
    .flatMap(sentencesOf)
    .filter((sentence) => !/\[\d+(?:, \d+)*\]\.$/.test(sentence) && !sentence.endsWith(':'));
}

function numbersIn(page: string): number[] {
  const text = blocksOf(page).join('\n');
  return [...text.matchAll(NUMBERS)].flatMap(([, numbers]) => numbers!.split(', ').map(Number));
}

/** A test is named by the very text that it has in its file. */
function isTestOf({ file, test }: Row): boolean {
  const source = read(file);
  const spellings = [`'${test}'`, `\`${test}\``, `"${test}"`, `'${test.replaceAll("'", "\\'")}'`];
  return spellings.some((spelling) => source.includes(spelling));
}

describe('SECURITY.md', () => {
  const page = read('SECURITY.md');
  const rows = rowsOf(page);

  it('has a number after every sentence that promises something', () => {
    expect(unnumbered(page)).toEqual([]);
    expect(blocksOf(page).flatMap(sentencesOf).length).toBeGreaterThan(90);
  });

  it('has one row for each number, in the order in which they come', () => {
    const firstUses = [...new Set(numbersIn(page))];
    expect(rows.map(({ number }) => number)).toEqual(firstUses.map((_, at) => at + 1));
    expect(firstUses.toSorted((a, b) => a - b)).toEqual(rows.map(({ number }) => number));
    // no line of the table is passed over
    expect(section(page, TESTS).match(/^\| \d/gm)).toHaveLength(rows.length);
  });

  it.each(rows)('$number: $file has the test "$test"', (row) => {
    expect(existsSync(new URL(`../../${row.file}`, import.meta.url))).toBe(true);
    expect(row.file).toMatch(/\.(?:test|client)\.ts$/);
    expect(isTestOf(row)).toBe(true);
  });
});

describe('the checks above', () => {
  const page = (promises: string, rows: string) =>
    `# Security\n\n${PROMISES}\n\nHow to read it.\n\n### One\n\n${promises}\n\n${TESTS}\n\n| | a | b | c |\n|---|---|---|---|\n${rows}\n`;

  it('find a sentence without a number, in paragraphs and in lists', () => {
    const text = page(
      'Good [1]. Bad one.\n\n- **Name.** Fine [1]. Also bad.\n\nNote: free. To say.\n\nThis list:',
      '',
    );
    expect(unnumbered(text)).toEqual(['Bad one.', 'Also bad.']);
    expect(numbersIn(text)).toEqual([1, 1]);
  });

  it('know a test that is there from one that is not', () => {
    const file = 'test/security/promises.test.ts';
    const row = (test: string) => ({ number: 1, file, test });
    expect(isTestOf(row('know a test that is there from one that is not'))).toBe(true);
    expect(isTestOf(row(['know a test', 'that nobody wrote'].join(' ')))).toBe(false);
    expect(rowsOf(page('', `| 7 | x | [${file}](${file}) | name |`))).toEqual([
      { number: 7, file, test: 'name' },
    ]);
  });
});
