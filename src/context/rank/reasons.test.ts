import { describe, expect, it } from 'vitest';
import { analyzeTask } from '../analyze/analyze-task.ts';
import { rankFiles } from '../rank.ts';
import { indexOf, type Texts } from './index.test-kit.ts';
import { type HistoryCommit, historyOf } from './signals/history.test-kit.ts';

async function reasonsOf(texts: Texts, task: string, path: string, commits: readonly HistoryCommit[] = []) {
  const files = rankFiles(await indexOf(texts), analyzeTask(task), historyOf(commits), {
    weights: { ast: 0.6, semantic: 0.4 },
    limit: 20,
    minRelevance: 0,
  });
  return files.find((file) => file.path === path)?.reasons ?? [];
}

const OTHERS: Texts = { 'z/one.ts': 'export const one = 1;\n', 'z/two.ts': 'export const two = 2;\n' };

describe('reasons', () => {
  it('name the definition that the task mentions, and where to look', async () => {
    const texts = { ...OTHERS, 'a.ts': '\nexport class TokenStore {\n  save() {}\n}\n' };
    const reasons = await reasonsOf(texts, 'Change `TokenStore`', 'a.ts');
    expect(reasons).toContain('defines TokenStore, which the task mentions');
    expect(reasons[0]).toBe('contains “tokenstore” in TokenStore, lines 2-4');
  });

  it('name the words that were found', async () => {
    const texts = { ...OTHERS, 'a.txt': 'the gadget and the widget\n' };
    expect(await reasonsOf(texts, 'gadget widget', 'a.txt')).toContain(
      'contains “gadget”, “widget” in line 1',
    );
  });

  it('name the words with their definition and how often they come, once', async () => {
    const body = '  if (expired(at)) return expired;\n  // expired, or a token that expires\n';
    const texts = { ...OTHERS, 'a.ts': `\nexport function parseToken(at) {\n${body}}\n\n${'\n'.repeat(90)}` };
    const reasons = await reasonsOf(texts, 'Return an error for an expired token', 'a.ts');
    expect(reasons).toContain('contains “expired” 3x, “token” 2x, “return” in parseToken, lines 2-5');
    expect(
      reasons.filter((reason) => /^contains “|best match|strings contain|^see /.test(reason)),
    ).toHaveLength(1);
  });

  it('name no words that say nothing', async () => {
    const texts = { ...OTHERS, 'come/a.txt': 'don t wo come doesn isn gadget\n'.repeat(3) };
    const task = "The gadget doesn't come, isn't there and won't; don't wait";
    const reasons = await reasonsOf(texts, task, 'come/a.txt');
    expect(reasons.join('; ')).toMatch(/^contains “gadget” 3x in lines 1-\d$/);
  });

  it('are short, whatever a definition is called', async () => {
    const name = `expired${'VeryLong'.repeat(8)}`;
    const texts = {
      ...OTHERS,
      [`src/${'deep'.repeat(30)}.ts`]: `// expired\nexport function ${name}() {}\n`,
    };
    const reasons = await reasonsOf(texts, `Fix the expired ${name}`, `src/${'deep'.repeat(30)}.ts`);
    expect(reasons.length).toBeGreaterThan(0);
    for (const reason of reasons) expect([...reason].length).toBeLessThanOrEqual(160);
  });

  it.each([3, 12, 45, 200])('cite no line beyond the end of a file of %i lines', async (lines) => {
    const text = Array.from({ length: lines }, (_, at) => `the gadget and the widget ${at}\n`).join('');
    const reasons = await reasonsOf({ ...OTHERS, 'a.txt': text }, 'the gadget breaks the widget', 'a.txt');
    const cited = reasons.flatMap((reason) => [...reason.matchAll(/\d+-(\d+)/g)]);
    expect(cited.length).toBeGreaterThan(0);
    for (const [, last] of cited) expect(Number(last)).toBeLessThanOrEqual(lines + 1);
  });

  it('name the words of the path', async () => {
    const texts = { ...OTHERS, 'gadgets/list.ts': 'export const list = 1;\n' };
    expect(await reasonsOf(texts, 'the gadget is slow', 'gadgets/list.ts')).toContain(
      'path contains “gadget”',
    );
  });

  it('name the line of the stack trace', async () => {
    const texts = { ...OTHERS, 'lib/work.py': 'def work():\n    pass\n' };
    const task =
      'It crashes\n\nTraceback (most recent call last):\n  File "/srv/app/lib/work.py", line 2, in work\n    pass\nValueError: x\n';
    expect(await reasonsOf(texts, task, 'lib/work.py')).toContain('the stack trace has its line 2');
  });

  it('say that the task names the file', async () => {
    const texts = { ...OTHERS, 'lib/work.py': 'value = 1\n' };
    expect(await reasonsOf(texts, 'Clean up lib/work.py', 'lib/work.py')).toContain(
      'the task names this file',
    );
  });

  it('name the strong file in the same folder', async () => {
    const texts = {
      ...OTHERS,
      'a/gadget.ts': 'export const gadget = 1;\n',
      'a/other.ts': 'export const x = 1;\n',
    };
    expect(await reasonsOf(texts, 'fix the gadget', 'a/other.ts')).toContain('same folder as a/gadget.ts');
  });

  it('name the test that covers a file', async () => {
    const texts = {
      ...OTHERS,
      'a/impl.ts': 'export const impl = 1;\n',
      'a/impl.test.ts': 'import { impl } from "./impl.ts";\nit("frobnicates the gadget", () => impl);\n',
    };
    const reasons = await reasonsOf(texts, 'frobnicates the gadget', 'a/impl.ts');
    expect(reasons).toContain('covered by a/impl.test.ts');
  });

  it('name what a file has of the names that the task mentions', async () => {
    const texts = {
      ...OTHERS,
      'a.ts': 'export class TokenStore {}\n',
      'b.ts': 'import { TokenStore } from "./a.ts";\nexport const kept = new TokenStore();\n',
    };
    expect(await reasonsOf(texts, 'Change `TokenStore`', 'b.ts')).toContain(
      'contains TokenStore, which the task mentions',
    );
  });

  it('name what a file has that is made of the title’s words', async () => {
    const texts = { ...OTHERS, 'a.ts': 'export const x = inheritedScopeIds;\n' };
    expect(await reasonsOf(texts, 'dedupe inherited scope ids', 'a.ts')).toContain(
      'contains inheritedScopeIds, made of words of the title',
    );
  });

  it('name the place that the task begins with', async () => {
    const texts = { ...OTHERS, 'compress/index.ts': 'export const x = 1;\n' };
    const reasons = await reasonsOf(texts, 'fix(compress): weak tags', 'compress/index.ts', [
      { subject: 'feat(compress): other', files: ['compress/index.ts'] },
    ]);
    expect(reasons).toContain('it is at “compress”, with which the task begins');
    expect(reasons).toContain('changed by commits that begin with “compress”');
  });

  it('name the word that led commits to the place of a file', async () => {
    const texts = {
      ...OTHERS,
      'net/agent.ts': 'export const a = 1;\n',
      'net/socket.ts': 'export const b = 1;\n',
    };
    const elsewhere = Array.from({ length: 40 }, (_, at) => ({ subject: `other${at}`, files: ['z/one.ts'] }));
    const reasons = await reasonsOf(texts, 'proxy fails', 'net/socket.ts', [
      { subject: 'proxy one', files: ['net/agent.ts'] },
      { subject: 'proxy two', files: ['net/agent.ts'] },
      { subject: 'sockets', files: ['net/socket.ts'] },
      ...elsewhere,
    ]);
    expect(reasons).toContain('commits mentioning “proxy” changed this place');
  });

  it('name a commit in one line that moves no cursor', async () => {
    const subject = `gadget \u001b[31mred\u001b[0m\u202e ${'long '.repeat(40)}`;
    const reasons = await reasonsOf(OTHERS, 'gadget', 'z/one.ts', [{ subject, files: ['z/one.ts'] }]);
    expect(reasons[0]).toMatch(/^changed by commit 0000000: gadget \[31mred \[0m long long .*…$/);
    expect(reasons[0]!.length).toBeLessThan(100);
  });

  it('are few and different', async () => {
    const texts = {
      ...OTHERS,
      'gadget/widget.ts': '// gadget widget\nexport class GadgetWidget {}\nthrow "gadget widget";\n',
    };
    const reasons = await reasonsOf(
      texts,
      'gadget widget GadgetWidget in gadget/widget.ts',
      'gadget/widget.ts',
    );
    expect(reasons.length).toBeLessThanOrEqual(4);
    expect(new Set(reasons).size).toBe(reasons.length);
  });
});
