import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SnapshotFile } from '../../../model/snapshot.ts';
import type { PathMention, StackFrame } from '../../../model/task-analysis.ts';
import { wordForms } from '../query-terms.ts';
import { pathIndexOf } from './path-index.ts';
import { scoreFrames, scoreMentions, scorePathWords } from './path-signals.ts';

const filesOf = (...paths: string[]) => filesAt(paths);

function filesAt(paths: readonly string[]): SnapshotFile[] {
  return [...paths].sort().map((path) => {
    const role = path.startsWith('tests/') ? 'test' : 'source';
    return { path, classification: { role, generated: false, vendored: false, reasons: [] } } as unknown;
  }) as SnapshotFile[];
}

function byPath(files: readonly SnapshotFile[], scores: Float64Array): Record<string, number> {
  const rows = files.map(({ path }, at) => [path, Math.round(scores[at]! * 1000) / 1000] as const);
  return Object.fromEntries(rows.filter(([, score]) => score > 0));
}

const FILES = filesOf(
  'django/db/models/query.py',
  'django/db/models/sql/query.py',
  'django/db/models/__init__.py',
  'django/db/models/fields/__init__.py',
  'django/forms/fields.py',
  'tests/forms/test_fields.py',
  'setup.py',
);

describe('paths that a task names', () => {
  const mention = (
    path: string,
    kind: PathMention['kind'] = 'path',
    manner: PathMention['manner'] = 'text',
  ): PathMention => ({
    path,
    kind,
    manner,
    line: null,
    zone: 'prose',
  });
  const scores = (...mentions: PathMention[]) => byPath(FILES, scoreMentions(FILES, mentions));

  it.each<[string, string, Record<string, number>]>([
    ['in full', 'django/forms/fields.py', { 'django/forms/fields.py': 1 }],
    ['by their end', 'sql/query.py', { 'django/db/models/sql/query.py': 0.95 }],
    ['by their name alone', 'fields.py', { 'django/forms/fields.py': 0.8 }],
    ['from above the root', 'src/django/django/forms/fields.py', { 'django/forms/fields.py': 0.95 }],
    ['with another folder in front of a name at the root', 'project/setup.py', { 'setup.py': 0.5 }],
    ['that do not exist', 'django/forms/absent.py', {}],
    ['out of the root', '../../etc/passwd', {}],
    ['as a pattern', 'django/**/*.py', {}],
  ])('are found %s', (_, path, expected) => {
    expect(scores(mention(path))).toEqual(expected);
  });

  it('count most in a sentence, less in a trace, and not as what a program imports or lists', () => {
    const strengthOf = (manner: PathMention['manner']) =>
      scores(mention('django.forms.fields', 'module', manner))['django/forms/fields.py'] ?? 0;
    expect(strengthOf('text')).toBe(1);
    expect(strengthOf('trace')).toBeGreaterThan(0);
    expect(strengthOf('trace')).toBeLessThan(1);
    expect([strengthOf('import'), strengthOf('list')]).toEqual([0, 0]);
    // one good mention is enough
    const twice = [mention('setup.py', 'path', 'import'), mention('setup.py')];
    expect(scores(...twice)['setup.py']).toBe(1);
  });

  it('share the score of a name that many have', () => {
    const both = scores(mention('query.py'));
    expect(both['django/db/models/query.py']).toBeCloseTo(0.8 / Math.SQRT2, 3);
    expect(both['django/db/models/sql/query.py']).toBeCloseTo(0.8 / Math.SQRT2, 3);
  });

  it('say little when a hundred files have the name', () => {
    const many = filesOf(...Array.from({ length: 100 }, (_, at) => `p${at}/index.ts`));
    const found = Object.values(byPath(many, scoreMentions(many, [mention('index.ts')])));
    expect(found).toHaveLength(100);
    expect(Math.max(...found)).toBeCloseTo(0.08, 3);
  });

  it('copes with more namesakes than a call can have arguments', () => {
    const many = filesAt(Array.from({ length: 200_000 }, (_, at) => `${at}/index.ts`));
    expect(scoreMentions(many, [mention('index.ts')])[7]).toBeGreaterThan(0);
  });

  it('take the file before the folder when a path is one and ends another', () => {
    const files = filesOf('query.py', 'sql/query.py');
    const found = byPath(files, scoreMentions(files, [mention('query.py')]));
    expect(found['query.py']).toBe(1);
    expect(found['sql/query.py']).toBeLessThan(0.3);
  });

  it.each<[string, string, Record<string, number>]>([
    ['a module', 'django.forms.fields', { 'django/forms/fields.py': 1 }],
    ['a package by its index file', 'django.db.models.fields', { 'django/db/models/fields/__init__.py': 1 }],
    ['what a module defines', 'django.forms.fields.CharField', { 'django/forms/fields.py': 0.7 }],
    ['a module with the front missing', 'forms.fields', { 'django/forms/fields.py': 1 }],
    ['a module of two colons', 'django::forms::fields', { 'django/forms/fields.py': 1 }],
    ['a module of another project', 'numpy.linalg.solve', {}],
  ])('lead from a dotted name to %s', (_, module, expected) => {
    expect(scores(mention(module, 'module'))).toEqual(expected);
  });
});

describe('stack frames', () => {
  const frame = (path: string, depth = 0): StackFrame => ({ path, line: 1, symbol: null, depth });
  const scores = (...frames: StackFrame[]) => byPath(FILES, scoreFrames(FILES, frames));

  it('are found by their end, wherever the code lay on the other machine', () => {
    const there = '/home/me/venv/lib/python3.12/site-packages/django/forms/fields.py';
    expect(scores(frame(there))).toEqual({ 'django/forms/fields.py': 1 });
  });

  it('count less the farther they are from the error', () => {
    expect(scores(frame('django/forms/fields.py', 0), frame('/x/setup.py', 10))).toEqual({
      'django/forms/fields.py': 1,
      'setup.py': 0.25,
    });
  });

  it('of the same name go to the file with the longest common end', () => {
    const found = scores(frame('/app/django/db/models/sql/query.py'));
    expect(found['django/db/models/sql/query.py']).toBe(1);
    expect(found['django/db/models/query.py'] ?? 0).toBe(0);
  });

  it('that share a name with ours and nothing else say nothing', () => {
    expect(scores(frame('/usr/lib/python3/other/fields.py'))).toEqual({});
  });

  it('without a path go to the files that define their functions', () => {
    const nameOnly = (symbol: string, depth: number): StackFrame => ({ path: '', line: null, symbol, depth });
    const definers = (name: string) => ({ clean: [3], run: [0, 1, 2, 3] })[name] ?? [];
    const frames = [nameOnly('abort', 0), nameOnly('forms::clean', 1), nameOnly('run', 2)];
    const found = byPath(FILES, scoreFrames(FILES, frames, definers));
    expect(found[FILES[3]!.path]).toBe(0.769);
    // a name that many files define points to none of them in particular
    expect(found[FILES[0]!.path]).toBe(0.313);
    expect(Object.keys(found)).toHaveLength(4);
  });

  it('from deep recursion are cut off', () => {
    const many = Array.from({ length: 5_000 }, (_, depth) => frame('/app/unknown.py', depth));
    expect(scores(...many, frame('setup.py', 0))).toEqual({});
  });
});

describe('words of paths', () => {
  const scores = (...words: string[]) => {
    const terms = words.map((word) => ({ forms: wordForms(word), weight: 1 }));
    return byPath(FILES, scorePathWords(FILES, terms));
  };

  it('count most in the name of the file, less in its folder, least above', () => {
    const files = filesOf('cache/a/b.py', 'x/cache/b.py', 'x/y/cache.py', 'x/y/other.py');
    const found = byPath(files, scorePathWords(files, [{ forms: wordForms('cache'), weight: 1 }]));
    expect(Object.keys(found).sort()).toEqual(['cache/a/b.py', 'x/cache/b.py', 'x/y/cache.py']);
    expect(found['x/y/cache.py']!).toBeGreaterThan(found['x/cache/b.py']!);
    expect(found['x/cache/b.py']!).toBeGreaterThan(found['cache/a/b.py']!);
  });

  it('are found in another number, for less', () => {
    const found = scores('field');
    expect(found['django/forms/fields.py']!).toBeGreaterThan(0);
    expect(found['django/forms/fields.py']!).toBeLessThan(scores('fields')['django/forms/fields.py']!);
  });

  it('that no path has, or that have no weight, give nothing', () => {
    expect(scores('absent', '..', '*', '')).toEqual({});
    expect(byPath(FILES, scorePathWords(FILES, [{ forms: wordForms('forms'), weight: 0 }]))).toEqual({});
  });
});

describe('the index of paths', () => {
  it('has the words of a path once, at the best place', () => {
    const files = filesOf('forms/forms.py');
    const index = pathIndexOf(files);
    expect(index.posting('forms')).toEqual({ files: [0], levels: [1] });
    expect(index.posting('py')).toEqual({ files: [], levels: [] });
    expect(pathIndexOf(files)).toBe(index);
  });

  it('splits names as code is split, and keeps the name of a file that starts with a dot', () => {
    const index = pathIndexOf(filesOf('src/HTTPServer2.ts', '.eslintrc.json', 'Grüße/数据库.md'));
    for (const word of ['httpserver2', 'http', 'server', 'eslintrc', 'grüße', '数据'])
      expect(index.posting(word).files, word).toHaveLength(1);
  });

  it('finds a word in a name, in the folder and in the folders above, at any depth', () => {
    const segment = fc.constantFrom('a', 'b', 'a-b', 'ab', 'b_a');
    const path = fc.array(segment, { minLength: 1, maxLength: 5 }).map((names) => names.join('/'));
    const level = (words: readonly string[], word: string) => {
      const own = words.map((name) => name.split(/[-_]/).includes(word) || name.replace('_', '') === word);
      if (own.at(-1)) return 1;
      return own.at(-2) ? 0.5 : own.includes(true) ? 0.25 : 0;
    };
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 12 }), (given) => {
        const listed = filesOf(...given);
        const paths = listed.map((file) => file.path);
        const index = pathIndexOf(listed);
        for (const word of ['a', 'b', 'ab', 'ba']) {
          const { files, levels } = index.posting(word);
          const found = paths.map((_, file) => levels[files.indexOf(file)] ?? 0);
          expect(found).toEqual(paths.map((one) => level(one.split('/'), word)));
        }
      }),
    );
  });
});
