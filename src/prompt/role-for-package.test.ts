import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPackage } from '../pipeline.ts';
import { type PromptWorld, promptWorld } from './prompt-world.test-kit.ts';
import { roleForPackage } from './role-for-package.ts';

let world: PromptWorld;
beforeAll(() => {
  world = promptWorld({
    'src/a.ts': 'export const refreshToken = (): number => 1;\n',
    'src/b.ts': 'export const other = 2;\n',
    'docs/guide.md': '# Nothing about it\n\nA long walk in the hills.\n',
    'docs/secret.md': '# Hidden\n',
  });
});
afterAll(() => world.remove());

const pack = async (yaml: string, targets: readonly string[] = []) => {
  const { alwaysInclude, alsoInclude, allow } = roleForPackage(await world.role('packer', yaml));
  const request = { repo: world.repository, settings: world.settings, task: 'Fix refreshToken', targets };
  const built = await buildPackage({ ...request, alwaysInclude, alsoInclude, allow });
  return built.pack.items.map(({ path }) => path);
};

describe('a package for a role', () => {
  it('has what the role includes where there is room, and not what it excludes', async () => {
    expect(await pack('context: {}\n')).toEqual(['src/a.ts']);
    const items = await pack('context: {include: ["docs/**", $RELATED], exclude: [docs/secret.md]}\n');
    expect(items).toEqual(['src/a.ts', 'docs/guide.md']);
  });

  it('has nothing but the targets for a role that is restricted to variables', async () => {
    expect(await pack('context: {path_restrictions: [$TARGET], include: ["**/*"]}\n', ['src/b.ts'])).toEqual([
      'src/b.ts',
    ]);
  });
});
