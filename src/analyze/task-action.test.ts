import { describe, expect, it } from 'vitest';
import type { TaskAction } from '../model/task-analysis.ts';
import { analyzeTask } from './analyze-task.ts';

describe('actions', () => {
  it.each<[string, TaskAction]>([
    ['Add a dark mode', 'implement'],
    ['Please add a dark mode', 'implement'],
    ['Dark mode', 'implement'],
    ['feat(ui): dark mode', 'implement'],
    ['[Feature Request] dark mode', 'implement'],
    ['Support bigint', 'implement'],
    ['Fix the crash on start', 'fix'],
    ['fix: close the file', 'fix'],
    ['lexer: fix the offset', 'fix'],
    ['[Bug] upload', 'fix'],
    ['Upload fails on slow lines', 'fix'],
    ["Upload doesn't finish", 'fix'],
    ['Test runner crashes with an empty suite', 'fix'],
    ['Upload\n\nTraceback (most recent call last):\n  File "a.py", line 1, in f\n    x\nKeyError: 1', 'fix'],
    ['inspect.signature() returns the wrong result', 'fix'],
    ['Review the authentication module', 'review'],
    ['Code review of src/auth', 'review'],
    ['Add tests for the parser', 'test'],
    ['Write unit tests for token.ts', 'test'],
    ['test: cover the parser', 'test'],
    ['Fix flaky test in CI', 'test'],
    ['Refactor the budget fitter', 'refactor'],
    ['refactor: split the file', 'refactor'],
    ['perf: read less', 'refactor'],
    ['Rename Foo to Bar', 'refactor'],
    ['Document the options', 'document'],
    ['docs: fix the link', 'document'],
    ['Fix typo in README', 'document'],
    ['Improve the documentation of options', 'document'],
    ['Explain how the cache works', 'explain'],
    ['How does the cache work?', 'explain'],
    ['Why is the cache cold?', 'explain'],
    ['Behebe den Absturz beim Start', 'fix'],
    ['Füge einen dunklen Modus hinzu', 'implement'],
    ['Erkläre den Cache', 'explain'],
    ['Corriger le calcul du total', 'fix'],
    ['Ajouter un mode sombre', 'implement'],
    ['Refactorizar el módulo', 'refactor'],
    ['Arreglar el inicio', 'fix'],
    ['修复登录问题', 'fix'],
    ['添加暗色模式', 'implement'],
    ['为解析器编写测试', 'test'],
    ['重构缓存模块', 'refactor'],
    ['キャッシュを説明して', 'explain'],
    ['バグを直す', 'fix'],
    ['', 'implement'],
    ['the', 'implement'],
  ])('%j -> %s', (text, action) => expect(analyzeTask(text).action).toBe(action));
});

describe('what a task is about', () => {
  it.each<[string, 'tests' | 'docs' | 'examples']>([
    ['Add tests for the parser', 'tests'],
    ['Flaky test in the upload suite', 'tests'],
    ['Test suite fails in CI on Windows', 'tests'],
    ['test(parser): more cases', 'tests'],
    ['为解析器编写测试', 'tests'],
    ['Update the documentation of the cache', 'docs'],
    ['docs: options', 'docs'],
    ['Typo in the guide', 'docs'],
    ['Add an example for uploads', 'examples'],
    ['The example app crashes on start', 'examples'],
  ])('%j is about %s', (text, subject) =>
    expect(analyzeTask(text).about[subject]).toBeGreaterThanOrEqual(0.6),
  );

  it.each([
    'Parser drops rows\n\nHere is a test case that shows it:\n\n```python\ndef test_parser():\n    assert parse("a")\n```',
    'Upload fails\n\nAs the documentation of the option says, it must not.',
    'Sum is wrong\n\nFor example:\n\n1 + 1',
    'Test runner crashes with an empty configuration',
  ])('%j asks for none of them', (text) => {
    const { tests, docs, examples } = analyzeTask(text).about;
    expect(Math.max(tests, docs, examples)).toBeLessThan(0.5);
  });
});
