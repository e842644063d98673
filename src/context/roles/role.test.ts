import { describe, expect, it, onTestFinished } from 'vitest';
import { renderPrompt } from '../prompt/render-prompt.ts';
import { roleFolders } from './role-folders.test-kit.ts';

describe('rules about tests', () => {
  it('reach the prompt of a role that sets them, and of no other', async () => {
    const folders = roleFolders({
      'first.yaml': 'name: first\nextends: implementer\nconfig: {tdd: true}\n',
      'covered.yaml': 'name: covered\nextends: implementer\nconfig: {coverage_target: 65}\n',
      'neither.yaml': 'name: neither\nextends: tester\nconfig: {tdd: false, coverage_target: 0}\n',
    });
    onTestFinished(folders.remove);
    const promptOf = async (name: string) =>
      renderPrompt('implement', (await folders.loader().load(name)).role, 'Do it', '');
    expect(await promptOf('first')).toMatch(/Tests come first/);
    expect(await promptOf('first')).not.toMatch(/percent/);
    expect(await promptOf('covered')).toMatch(/at least 65 percent of the lines that you add or change/);
    expect(await promptOf('covered')).not.toMatch(/Tests come first/);
    expect(await promptOf('tester')).toMatch(/Tests come first[\s\S]*at least 80 percent/);
    for (const name of ['neither', 'implementer'])
      expect(await promptOf(name)).not.toMatch(/Tests come first|percent/);
  });
});
