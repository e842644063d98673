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

  it('ranks by links, not by namesakes, puts support last and leaves out code of others', async () => {
    const declared = Array.from({ length: 9 }, (_, at) => `int core_call_${at}(int value);\n`).join('');
    const repository = temporaryRepository({
      'src/core.h': declared,
      'src/core.c': `#include "core.h"\n${declared.replaceAll(';', ' { return value; }')}`,
      ...Object.fromEntries(
        Array.from({ length: 5 }, (_, at) => [
          `src/user_${at}.c`,
          `#include "core.h"\nint user_${at}(void) { return core_call_${at}(1) + log_line(2) + lua_push(3); }\n`,
        ]),
      ),
      'deps/lua/lua.h': 'int lua_push(int value);\nint lua_pop(int value);\n',
      'deps/lua/lua.c': '#include "lua.h"\nint lua_push(int value) { return lua_pop(value); }\n',
      'deps/lua/more.c': '#include "lua.h"\nint lua_more(int value) { return lua_push(value); }\n',
      'release.sh': 'log_line() {\n  echo "$1"\n}\n',
    });
    const settings = settingsFor(repository.cache, { tokenBudget: 4_000 });
    const { files } = await mapRepository({ repo: repository.path, settings, focus: [] });
    const paths = files.map(({ path }) => path);
    // the source of a header counts as its header does, though no file includes it
    expect(paths.slice(0, 2).sort()).toEqual(['src/core.c', 'src/core.h']);
    expect(paths.filter((path) => path.startsWith('deps/'))).toEqual([]);
    expect(paths.indexOf('release.sh')).toBeGreaterThan(paths.indexOf('src/user_4.c'));
  });

  it('shows a file whole when there is room', async () => {
    const repository = temporaryRepository(FILES);
    const settings = settingsFor(repository.cache, { tokenBudget: 60_000 });
    const map = await mapRepository({ repo: repository.path, settings, focus: [] });
    expect(map.files[0]).toMatchObject({ path: 'big.py', form: 'signatures' });
    expect(map.text).toContain('def never_used_59(first, second, third): ⋮');
  });
});
