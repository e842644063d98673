import { describe, expect, it } from 'vitest';
import { PATIENT, settingsFor } from '../../test/support/scan-kit.ts';
import { temporaryRepository } from '../../test/support/temporary-repository.ts';
import { loadTokenCounter } from './fit/count-tokens.ts';
import { mapRepository } from './map.ts';

const functions = (name: string, count: number) =>
  Array.from(
    { length: count },
    (_, at) => `def ${name}_${at}(first, second, third):\n    return first\n`,
  ).join('\n');

const FILES = {
  'big.py': `${functions('seldom_used', 60)}\ndef often_used(value):\n    return value\n\n${functions('never_used', 60)}`,
  ...Object.fromEntries(
    Array.from({ length: 8 }, (_, at) => [
      `user_${at}.py`,
      `from big import often_used${at === 0 ? ', seldom_used_7' : ''}\n\ndef run_${at}():\n    return often_used(${at === 0 ? 'seldom_used_7(1, 2, 3)' : '1'})\n`,
    ]),
  ),
};

describe('mapRepository', PATIENT, () => {
  it('shows of a large central file what others use, inside the budget, the same every time', async () => {
    const repository = temporaryRepository(FILES);
    const count = await loadTokenCounter('o200k_base');
    for (const tokenBudget of [400, 700, 1_500]) {
      const settings = settingsFor(repository.cache, { tokenBudget });
      const map = await mapRepository({ repo: repository.path, settings, focus: [] });
      expect(count(map.text)).toBeLessThanOrEqual(tokenBudget);
      expect(map.files[0]).toMatchObject({ path: 'big.py', form: 'partial' });
      expect(map.text).toContain('## big.py (2 of 121 definitions)');
      expect(map.text).toContain('def often_used(value):');
      expect(map.text).toContain('def seldom_used_7(');
      expect(map.text).not.toContain('never_used');
      const again = await mapRepository({ repo: repository.path, settings, focus: [] });
      expect(again.text).toBe(map.text);
    }
  });

  it('shows a file whole when there is room', async () => {
    const repository = temporaryRepository(FILES);
    const settings = settingsFor(repository.cache, { tokenBudget: 60_000 });
    const map = await mapRepository({ repo: repository.path, settings, focus: [] });
    expect(map.files[0]).toMatchObject({ path: 'big.py', form: 'signatures' });
    expect(map.text).toContain('def never_used_59(first, second, third): ⋮');
  });
});
