import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** A row of a table: the files, one of which has each of the tests. */
interface Row {
  readonly line: number;
  readonly files: readonly string[];
  readonly tests: readonly string[];
}

const HEAD = /^\| area \||^\|---/;

/** All rows of all tables. The titles of several tests are separated by `<br>`. */
function rowsOf(page: string): Row[] {
  return page.split('\n').flatMap((text, at) => {
    if (!text.startsWith('|') || HEAD.test(text)) return [];
    const cells = text.slice(2, -2).split(' | ');
    if (cells.length !== 4) throw new Error(`line ${at + 1} has ${cells.length} cells, not 4`);
    const files = [...cells[2]!.matchAll(/`([^`]+)`/g)].map(([, file]) => file!);
    return [{ line: at + 1, files, tests: cells[3]!.split('<br>') }];
  });
}

/** Tests that a paragraph names: (`file`, "title"). */
function testsInProse(page: string): Row[] {
  return page.split('\n').flatMap((text, at) =>
    [...text.matchAll(/`([\w./-]+\.test\.ts)`, "([^"]+)"/g)].map(([, file, test]) => ({
      line: at + 1,
      files: [file!],
      tests: [test!],
    })),
  );
}

/** A file, or the files of a folder that a pattern such as `test/clients/*.client.ts` matches. */
function filesAt(pattern: string): readonly string[] {
  const [before, after] = basename(pattern).split('*');
  if (after === undefined) return existsSync(join(root, pattern)) ? [pattern] : [];
  const folder = dirname(pattern);
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder))
    .filter((name) => name.startsWith(before!) && name.endsWith(after))
    .map((name) => join(folder, name));
}

/** Stands for a part of a title that differs from case to case. */
const ANY = '…';

/** The names of the tests in a file. */
interface Titles {
  readonly titles: readonly string[];
  /** Texts and names in the file: a test that is called just `%s` has its title from there. */
  readonly words: ReadonlySet<string>;
}

function titlesIn(source: string): Titles {
  const titles: string[] = [];
  const words = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) words.add(node.text);
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name)) words.add(node.name.text);
    if (ts.isCallExpression(node) && /^(?:it|test|describe)\b/.test(node.expression.getText())) {
      const [title, body] = node.arguments;
      if (title && body && ts.isStringLiteralLike(title)) titles.push(title.text);
      else if (title && body && ts.isTemplateExpression(title))
        titles.push([title.head.text, ...title.templateSpans.map(({ literal }) => literal.text)].join(ANY));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('a.ts', source, ts.ScriptTarget.Latest, true));
  return { titles, words };
}

const titlesByFile = new Map<string, Titles>();

function titlesOf(file: string): Titles {
  const known = titlesByFile.get(file) ?? titlesIn(read(file));
  titlesByFile.set(file, known);
  return known;
}

/** `%s` and `$name` of a title are the parts that differ. */
const withoutValues = (title: string): string => title.replace(/%[sdijo]|\$\w+/g, ANY);

function hasTest({ titles, words }: Titles, test: string): boolean {
  const known = titles.map(withoutValues);
  if (known.includes(withoutValues(test))) return test !== ANY;
  return known.includes(ANY) && words.has(test);
}

/** Tests of the row that none of its files has. */
function missingTests({ files, tests }: Row): string[] {
  const known = files.flatMap(filesAt).map(titlesOf);
  return tests.filter((test) => !known.some((titles) => hasTest(titles, test)));
}

describe('docs/reference/promises.md', () => {
  const page = read('docs/reference/promises.md');
  const rows = rowsOf(page);
  const prose = testsInProse(page);

  it('names files and tests that exist, by their titles', () => {
    expect(rows.length).toBeGreaterThan(200);
    expect(prose.length).toBeGreaterThan(3);
    const missing = [...rows, ...prose].flatMap((row) =>
      missingTests(row).map((test) => `line ${row.line}: ${row.files.join(', ')} has no test "${test}"`),
    );
    expect(missing).toEqual([]);
  });

  it('has a test and a file in every row', () => {
    expect(rows.filter(({ files, tests }) => files.length === 0 || tests.includes(''))).toEqual([]);
  });
});

describe('the checks above', () => {
  const source = [
    "describe('a store', () => {",
    "  it('keeps bytes', () => expect('some text').toBe(1));",
    "  it.each([['one'], ['two']])('takes %s, and no more', () => {});",
    '  it(`runs $' + '{COUNT} times`, { timeout: 1 }, () => {});',
    '});',
  ].join('\n');
  const has = (test: string, text = source) => hasTest(titlesIn(text), test);

  it('know a test by its title, with a mark where cases differ', () => {
    const named = ['a store', 'keeps bytes', 'takes %s, and no more', 'takes …, and no more', 'runs … times'];
    expect(named.filter((test) => !has(test))).toEqual([]);
    const wrong = ['keeps', 'keeps bytes well', 'some text', 'one', '…', '%s', 'takes one', 'runs 3 times'];
    expect(wrong.filter((test) => has(test))).toEqual([]);
  });

  it('know the tests of a table whose rows have the titles', () => {
    const table =
      "it.each([['first case', 1]])('%s', () => {});\nit.each(Object.entries({ second: 2 }))('%s', run);";
    expect(['first case', 'second', 'third'].map((test) => has(test, table))).toEqual([true, true, false]);
  });

  it('read rows and paragraphs', () => {
    const text =
      '| area | a | b | c |\n|---|---|---|---|\n| x | y; z | `a.test.ts`, `b/*.ts` | one<br>two; three |';
    expect(rowsOf(text)).toEqual([{ line: 3, files: ['a.test.ts', 'b/*.ts'], tests: ['one', 'two; three'] }]);
    expect(testsInProse('As said (`test/a.test.ts`, "one two"), and so on.')).toEqual([
      { line: 1, files: ['test/a.test.ts'], tests: ['one two'] },
    ]);
    expect(filesAt('test/promises.*')).toEqual(['test/promises.test.ts']);
    expect(() => rowsOf('| x | y | z |')).toThrow('line 1 has 3 cells');
  });
});
