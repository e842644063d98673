import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packAll } from '../all.ts';
import { documentWriter } from '../pack/all-document.ts';
import type { PackageRequest } from '../pack/package-request.ts';
import { buildPackage } from '../pack.ts';
import { type PromptFixture, promptFixture } from './prompt-fixture.test-kit.ts';
import { roleForPackage } from './role-for-package.ts';

let environment: PromptFixture;
beforeAll(() => {
  environment = promptFixture({
    'src/a.ts': 'export const refreshToken = (): number => 1;\n',
    'src/b.ts': 'export const other = 2;\n',
    'docs/guide.md': '# Nothing about it\n\nA long walk in the hills.\n',
    'docs/secret.md': '# Hidden\n',
  });
});
afterAll(() => environment.remove());

const pack = async (yaml: string, targets: readonly string[] = []) => {
  return (await build(yaml, targets)).items.map(({ path }) => path);
};

const build = async (
  yaml: string,
  targets: readonly string[] = [],
  changes: Partial<PackageRequest> = {},
) => {
  const { select } = roleForPackage(await environment.role('packer', yaml));
  const request = {
    repo: environment.repository,
    settings: environment.settings,
    task: 'Fix refreshToken',
    targets,
  };
  return (await buildPackage({ ...request, select, ...changes })).pack;
};

describe('a package for a role', () => {
  it('has the files that the role includes if there is room, and none that it excludes', async () => {
    expect(await pack('context: {}\n')).toEqual(['src/a.ts']);
    const items = await pack('context: {include: ["docs/**", $RELATED], exclude: [docs/secret.md]}\n');
    expect(items).toEqual(['src/a.ts', 'docs/guide.md']);
  });

  it('has nothing but the targets for a role that is restricted to variables', async () => {
    expect(await pack('context: {path_restrictions: [$TARGET], include: ["**/*"]}\n', ['src/b.ts'])).toEqual([
      'src/b.ts',
    ]);
  });

  it('shows the staged change of a role with git_diff, and the changed files of one that names them', async () => {
    environment.write('docs/guide.md', '# Nothing about it\n\nA short walk in the hills.\n');
    environment.git('add', 'docs/guide.md');
    const reviewing = await build('context: {git_diff: true}\n');
    expect(reviewing.diff).toContain('+A short walk in the hills.');
    expect(reviewing.items.map(({ path }) => path)).toEqual(['docs/guide.md', 'src/a.ts']);
    const other = await build('context: {include: ["git diff --cached"]}\n');
    expect(other.diff).toBe(reviewing.diff);
    const named = await build('context: {include: [$CHANGED_FILES]}\n');
    expect(named.diff).toBe('');
    expect(named.items.map(({ path }) => path)).toContain('docs/guide.md');
    const without = await build('context: {include: [$RELATED]}\n');
    expect([without.diff, without.items.map(({ path }) => path)]).toEqual(['', ['src/a.ts']]);
    const restricted = await build('context: {git_diff: true, path_restrictions: ["src/**"]}\n');
    expect(restricted.diff).toBe('');
    const asked = await build('context: {git_diff: true}\n', [], { change: { base: 'HEAD~0' } });
    expect(asked.diff).toContain('+A short walk in the hills.');
    environment.git('reset', '--hard', '--quiet');
  });

  it('has the imports and the tests of the targets, when the role asks for them', async () => {
    environment.write('src/lib/deep.ts', 'export const deep = 3;\n');
    environment.write('src/lib/near.ts', "import { deep } from './deep.ts';\nexport const near = deep;\n");
    environment.write('src/main.ts', "import { near } from './lib/near.ts';\nexport const main = near;\n");
    environment.write('src/main.test.ts', "import { main } from './main.ts';\nit('works', () => main);\n");
    const imports = await pack('context: {include: [$TARGET_IMPORTS]}\n', ['src/main.ts']);
    expect(imports).toContain('src/lib/near.ts');
    expect(imports).not.toContain('src/lib/deep.ts');
    expect(await pack('context: {include: ["$TARGET_IMPORTS:2"]}\n', ['src/main.ts'])).toContain(
      'src/lib/deep.ts',
    );
    expect(await pack('context: {include: [$TESTS]}\n', ['src/main.ts'])).toContain('src/main.test.ts');
    expect(
      await pack('context: {path_restrictions: [$TARGET, $TARGET_IMPORTS], include: ["**/*"]}\n', [
        'src/main.ts',
      ]),
    ).toEqual(['src/main.ts', 'src/lib/near.ts']);
    const always = await build('context: {always_include: [$TARGET_IMPORTS]}\n', ['src/main.ts']);
    expect(always.items.find(({ path }) => path === 'src/lib/near.ts')?.source).toBe('always');
  });

  it('reports unknown variables, and works without git', async () => {
    const { diagnostics } = await build('context: {include: [$TARGETS]}\n');
    expect(diagnostics.map(({ code }) => code)).toContain('unknown-variable');
    rmSync(join(environment.repository, '.git'), { recursive: true });
    const ungit = await build('context: {git_diff: true}\n');
    expect(ungit.diagnostics.map(({ code }) => code)).toContain('no-staged-changes');
    expect(ungit.items.map(({ path }) => path)).toContain('src/a.ts');
  });

  it('packs everything that the role may see and nothing else', async () => {
    const { select } = roleForPackage(
      await environment.role('narrow', 'context: {path_restrictions: ["docs/**"]}\n'),
    );
    let text = '';
    const writer = documentWriter((piece) => {
      text += piece.toString();
    });
    await packAll({ repo: environment.repository, settings: environment.settings, select, writer });
    expect(text).toContain('docs/guide.md');
    expect(text).not.toContain('src/a.ts');
  });
});
