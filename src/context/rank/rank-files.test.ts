import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyHistory } from '../../model/commit-history.ts';
import type { IndexView } from '../../model/index-view.ts';
import { analyzeTask } from '../analyze/analyze-task.ts';
import { rankFiles } from '../rank.ts';
import { indexOf, type Texts } from './index.test-kit.ts';
import type { RankOptions } from './score-files.ts';
import { historyOf } from './signals/history.test-kit.ts';

const TEXTS: Texts = {
  'src/auth/token-store.ts':
    '/** Keeps tokens. */\nexport class TokenStore {\n  save(token: string) {\n    return token;\n  }\n}\n',
  'src/auth/refresh.ts':
    'import { TokenStore } from "./token-store.ts";\nexport function refreshToken(store: TokenStore) {\n  throw new Error("token refresh failed");\n}\n',
  'src/billing/invoice.ts': 'export class Invoice {\n  total() {\n    return 1;\n  }\n}\n',
  'src/billing/ledger.ts':
    'import { Invoice } from "./invoice.ts";\nexport const ledger = [new Invoice()];\n',
  'test/auth/refresh.test.ts':
    'import { refreshToken } from "../../src/auth/refresh.ts";\nit("refreshes the token", () => refreshToken);\n',
  'docs/auth.md': '# Token refresh\n\nHow a token is refreshed.\n',
  'vendor/copy.ts': 'export class Invoice {\n  total() {\n    return 1;\n  }\n}\n',
};

const OPTIONS: RankOptions = { weights: { ast: 0.6, semantic: 0.4 }, limit: 100, minRelevance: 0 };

function rank(
  index: IndexView,
  task: string,
  changes: Partial<RankOptions> = {},
  history = emptyHistory(),
): ReturnType<typeof rankFiles> {
  return rankFiles(index, analyzeTask(task), history, { ...OPTIONS, ...changes });
}

const TASK = 'Fix the race in refreshToken: the token refresh fails in TokenStore';

describe('a ranking', () => {
  it('puts the files that the task mentions first', async () => {
    const files = rank(await indexOf(TEXTS), TASK);
    expect(files.slice(0, 2).map(({ path }) => path)).toEqual([
      'src/auth/refresh.ts',
      'src/auth/token-store.ts',
    ]);
  });

  it('has no place for an empty file, unless the task names it', async () => {
    const index = await indexOf({ ...TEXTS, 'src/auth/__init__.py': '', 'src/auth/token/__init__.py': '' });
    const paths = (task: string) => rank(index, task).map(({ path }) => path);
    expect(paths(TASK).filter((path) => path.endsWith('.py'))).toEqual([]);
    expect(paths('Move the token code to src/auth/token/__init__.py')).toContain(
      'src/auth/token/__init__.py',
    );
    expect(paths('Move the token code to src/auth/token/__init__.py')).not.toContain('src/auth/__init__.py');
  });

  it('is sorted, and equal scores by path', async () => {
    const texts = Object.fromEntries(['c.ts', 'a.ts', 'b.ts'].map((path, at) => [path, `alpha beta${at}\n`]));
    const files = rank(await indexOf(texts), 'alpha');
    expect(files.map(({ path }) => path)).toEqual(['a.ts', 'b.ts', 'c.ts']);
    expect(new Set(files.map(({ combinedScore }) => combinedScore)).size).toBe(1);
  });

  it.each([
    { ast: 0.6, semantic: 0.4 },
    { ast: 1, semantic: 0 },
    { ast: 0, semantic: 1 },
    { ast: 3, semantic: 1 },
  ])('has the weighted average of both sides as the combined score: %j', async (weights) => {
    const files = rank(await indexOf(TEXTS), TASK, { weights });
    expect(files.length).toBeGreaterThan(2);
    for (const { combinedScore, astScore, semanticScore } of files) {
      const sum = weights.ast + weights.semantic;
      const average = (weights.ast * astScore + weights.semantic * semanticScore) / sum;
      expect(Math.abs(combinedScore - average)).toBeLessThan(0.0001);
    }
  });

  it('does not care how large the weights are together', async () => {
    const index = await indexOf(TEXTS);
    expect(rank(index, TASK, { weights: { ast: 6, semantic: 4 } })).toEqual(rank(index, TASK));
  });

  it('follows the weights', async () => {
    const index = await indexOf({
      'a.ts': 'export const a = 1;\n// gadget gadget gadget widget widget\n',
      'b.ts': 'export class Gadget {}\n',
    });
    const first = (ast: number, semantic: number) =>
      rank(index, 'Change `Gadget`', { weights: { ast, semantic } })[0]!;
    expect(first(1, 0).path).toBe('b.ts');
    const text = rank(index, 'Change `Gadget`', { weights: { ast: 0, semantic: 1 } });
    expect(text.map(({ path }) => path).sort()).toEqual(['a.ts', 'b.ts']);
    for (const { combinedScore, semanticScore } of text) expect(combinedScore).toBe(semanticScore);
  });

  it('says 0 for a side that knows nothing of the file', async () => {
    const index = await indexOf({ 'a.txt': 'gadget\n', 'other/b.txt': 'unrelated\n' });
    const [file] = rank(index, 'gadget');
    expect(file).toMatchObject({
      path: 'a.txt',
      astScore: 0,
      signals: { symbol: 0, history: 0, semantic: 0 },
    });
    expect(file!.semanticScore).toBeGreaterThan(0);
  });

  it('returns nothing below the least relevance, and as many as asked for', async () => {
    const index = await indexOf(TEXTS);
    const all = rank(index, TASK);
    const least = all[1]!.combinedScore;
    expect(rank(index, TASK, { minRelevance: least })).toEqual(all.slice(0, 2));
    expect(rank(index, TASK, { limit: 1 })).toEqual(all.slice(0, 1));
    expect(rank(index, TASK, { minRelevance: 1.1 })).toEqual([]);
  });

  it('returns only allowed files, names no others, and gives the best of them a high score', async () => {
    const allow = (path: string) => !path.startsWith('src/auth/refresh') && !path.startsWith('test/');
    const files = rank(await indexOf(TEXTS), TASK, { allow });
    expect(files.map(({ path }) => path).filter((path) => !allow(path))).toEqual([]);
    expect(files[0]!.path).toBe('src/auth/token-store.ts');
    expect(files[0]!.combinedScore).toBeGreaterThan(0.7);
    for (const { reasons } of files) expect(reasons.join()).not.toContain('refresh.');
  });

  it('has each path once; equal content has the same text score under each', async () => {
    const files = rank(await indexOf(TEXTS), 'Invoice total is wrong');
    const paths = files.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths.slice(0, 1)).toEqual(['src/billing/invoice.ts']);
    expect(paths).toContain('vendor/copy.ts');
    const lines = files.filter(({ path }) => path.endsWith('invoice.ts') || path.startsWith('vendor'));
    expect(lines[0]!.spans).toEqual(lines[1]!.spans);
  });

  it('reads the functions of a backtrace that names no files', async () => {
    const index = await indexOf({
      'debug.c': 'void report(void) { /* crash report of the server */ }\n',
      'list.c': 'int lpGet(int at) { return at; }\n',
      'stream.c': 'int streamGet(int at) { return lpGet(at); }\n',
    });
    const task = 'Restart\n\nserver *:6379(streamGet+0x1f2)[0x55e1f2]\nserver *:6379(lpGet+0x1b)[0x55d0c3]\n';
    const files = rank(index, task);
    expect(files.slice(0, 2).map(({ path }) => path)).toEqual(['stream.c', 'list.c']);
    expect(files[0]!.reasons[0]).toBe('the stack trace has its streamGet');
  });

  it('puts tests first when the task is about tests, and documentation when it is about that', async () => {
    const index = await indexOf(TEXTS);
    expect(rank(index, 'Token refresh fails')[0]!.path).toBe('src/auth/refresh.ts');
    const place = (task: string, path: string) => rank(index, task).findIndex((file) => file.path === path);
    const test = 'test/auth/refresh.test.ts';
    expect(place('Add tests for the token refresh', test)).toBeLessThan(place('Token refresh fails', test));
    const docs = 'docs/auth.md';
    expect(place('Document the token refresh in the docs', docs)).toBeLessThan(
      place('Token refresh fails', docs),
    );
  });

  it('listens to the history, and says which commit it was', async () => {
    const index = await indexOf(TEXTS);
    const history = historyOf([
      { subject: 'race in refresh', files: ['src/billing/ledger.ts'] },
      { subject: 'unrelated', files: ['src/billing/invoice.ts', 'gone.ts'] },
    ]);
    const files = rank(index, 'the race in refresh', {}, history);
    const ledger = files.find(({ path }) => path === 'src/billing/ledger.ts');
    expect(ledger!.signals.history).toBeGreaterThan(0.5);
    expect(ledger!.reasons[0]).toBe('changed by commit 0000000: race in refresh');
  });

  it('does not rank a file as relevant only because it changes often', async () => {
    const history = historyOf([{ subject: 'unrelated', files: ['src/auth/refresh.ts'] }]);
    expect(rank(await indexOf(TEXTS), 'the', {}, history)).toEqual([]);
    expect(rank(await indexOf(TEXTS), 'unheard of', {}, history)).toEqual([]);
  });

  it.each(['', ' ', 'the', '?!', '\0', '.'])('is empty for the task %j', async (task) => {
    expect(rank(await indexOf(TEXTS), task)).toEqual([]);
  });

  it('is empty for a repository with nothing in it', async () => {
    expect(rank(await indexOf({}), TASK)).toEqual([]);
  });
});

const word = fc.constantFrom(
  'token',
  'tokens',
  'refreshToken',
  'Store',
  'HTTPServer',
  'größe',
  '数据库',
  'x',
);
const line = fc.oneof(
  fc.array(word, { maxLength: 5 }).map((words) => words.join(' ')),
  word.map((name) => `export function ${name}() {}`),
  word.map((name) => `# ${name}`),
  fc.constantFrom('import "./a.ts";', '}', '"""', 'class Store:\n  def save(self): pass', ''),
);
const path = fc
  .tuple(fc.constantFrom('', 'src/', 'src/token/', 'tests/'), word, fc.constantFrom('.ts', '.py', '.md', ''))
  .map((parts) => parts.join(''));
const texts = fc.dictionary(
  path,
  fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n')),
  { maxKeys: 8 },
);
const task = fc.oneof(
  fc.array(word, { maxLength: 6 }).map((words) => words.join(' ')),
  fc.string({ unit: 'binary', maxLength: 60 }),
  path.map((one) => `see \`${one}\`, it is in ${one}:3`),
  word.map((one) => `Traceback:\n  File "/x/src/${one}.py", line 3, in ${one}\nValueError: ${one}`),
);
const RUNS = { numRuns: 60 };

describe('any repository and any task', () => {
  it('gives scores in range, each path once, spans inside the file', async () => {
    await fc.assert(
      fc.asyncProperty(texts, task, async (files, text) => {
        const ranked = rank(await indexOf(files), text);
        expect(new Set(ranked.map((one) => one.path)).size).toBe(ranked.length);
        for (const { path: at, combinedScore, astScore, semanticScore, signals, symbols, spans } of ranked) {
          for (const value of [combinedScore, astScore, semanticScore, ...Object.values(signals)])
            expect(value >= 0 && value <= 1, `${at}: ${value}`).toBe(true);
          expect(combinedScore).toBeGreaterThanOrEqual(0);
          const lines = files[at]!.split('\n').length;
          for (const { startLine, endLine } of [...symbols, ...spans])
            expect(1 <= startLine && startLine <= endLine && endLine <= lines).toBe(true);
        }
      }),
      RUNS,
    );
  });

  it('gives the same bytes twice, however the index is laid out', async () => {
    await fc.assert(
      fc.asyncProperty(texts, task, fc.integer({ min: 2, max: 4 }), async (files, text, segments) => {
        const once = JSON.stringify(rank(await indexOf(files), text));
        const shuffled = Object.fromEntries(Object.entries(files).reverse());
        expect(JSON.stringify(rank(await indexOf(shuffled, segments), text))).toBe(once);
      }),
      RUNS,
    );
  });
});
