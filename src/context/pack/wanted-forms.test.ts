import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { settingsFor } from '../../../test/support/scan-kit.ts';
import { ITEM_FORMS, type ItemForm } from '../../model/context-pack.ts';
import { buildPackage } from '../pack.ts';
import { SHOP_FILES, SHOP_TASK } from './pack-fixture.test-kit.ts';
import type { PackageRequest } from './package-request.ts';

const LONG = Array.from(
  { length: 60 },
  (_, at) => `export function step${at}(): number {\n  return ${at};\n}\n`,
);
const FILES: Readonly<Record<string, string>> = {
  ...SHOP_FILES,
  'src/steps.ts': LONG.join('\n'),
  'notes/plain.txt': 'One line of text.\n'.repeat(40),
  'src/short.ts': 'export const short = 1;\n',
};

let home: string;
beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'loadout-forms-')));
  for (const [name, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(home, 'repo', name)), { recursive: true });
    writeFileSync(join(home, 'repo', name), content);
  }
  return () => rmSync(home, { recursive: true, force: true });
});

async function build(
  forms: Record<string, ItemForm>,
  more: Partial<PackageRequest> = {},
  tokenBudget = 6_000,
) {
  const settings = settingsFor(join(home, 'cache'), { tokenBudget });
  const built = await buildPackage({ repo: join(home, 'repo'), task: SHOP_TASK, settings, forms, ...more });
  const formOf = (path: string) => built.pack.items.find((item) => item.path === path)?.form;
  return { ...built, formOf };
}

describe('a form that is asked for', () => {
  it.each(ITEM_FORMS)('is the form of a file that the task brings along: %s', async (form) => {
    expect((await build({ 'src/auth/session.ts': form })).formOf('src/auth/session.ts')).toBe(form);
  });

  it.each(ITEM_FORMS)('brings a file along that the task does not need: %s', async (form) => {
    const usual = await build({});
    expect(usual.formOf('src/steps.ts')).toBeUndefined();
    const { pack, formOf } = await build({ 'src/steps.ts': form });
    expect(formOf('src/steps.ts')).toBe(form);
    expect(pack.items.find(({ path }) => path === 'src/steps.ts')!.reason).toBe(`asked for as ${form}`);
  });

  it.each([{ fill: true }, { strategy: 'relevance' }] as const)(
    'holds in every way of choosing: %j',
    async (more) => {
      const forms = { 'src/steps.ts': 'signatures', 'src/auth/session.ts': 'mention' } as const;
      const { formOf } = await build(forms, more);
      expect([formOf('src/steps.ts'), formOf('src/auth/session.ts')]).toEqual(['signatures', 'mention']);
    },
  );

  it('holds for a target', async () => {
    const { formOf } = await build({ 'src/steps.ts': 'signatures' }, { targets: ['src/steps.ts'] });
    expect(formOf('src/steps.ts')).toBe('signatures');
  });

  it('is left out where the budget has no room for it, and never in another form', async () => {
    const { pack, formOf } = await build({ 'src/steps.ts': 'full' }, {}, 900);
    expect(formOf('src/steps.ts')).toBeUndefined();
    expect(pack.omitted.find(({ path }) => path === 'src/steps.ts')!.reason).toBe('no room');
    expect(pack.tokenCount).toBeLessThanOrEqual(900);
  });

  it.each([
    ['notes/plain.txt', 'signatures', 'it has no definitions'],
    ['src/short.ts', 'excerpt', 'it is short enough to be shown whole'],
  ] as const)('says what a file does not have: %s as %s', async (path, form, why) => {
    const { pack } = await build({ [path]: form });
    expect(pack.diagnostics).toContainEqual(
      expect.objectContaining({ code: 'form-not-possible', message: `${path} has no form ${form}: ${why}` }),
    );
  });

  it('does not show what a guideline or the caller keeps out', async () => {
    const { formOf } = await build({ 'src/steps.ts': 'full' }, { allow: (path) => path !== 'src/steps.ts' });
    expect(formOf('src/steps.ts')).toBeUndefined();
  });

  it.each([
    [{ 'src/none.ts': 'full' }, 'does not exist'],
    [{ '../out.ts': 'full' }, 'outside'],
    [{ './src/steps.ts': 'full' }, 'cannot be used'],
    [{ 'src/steps.ts': 'half' }, 'the form "half" of "src/steps.ts" cannot be used'],
  ] as const)('is refused when it cannot be: %j', async (forms, message) => {
    await expect(build(forms as unknown as Record<string, ItemForm>)).rejects.toThrow(message);
  });
});
