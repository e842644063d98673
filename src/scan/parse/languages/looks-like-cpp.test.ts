import { describe, expect, it } from 'vitest';
import { outline, parseSnippet } from '../../../../test/support/parse-snippet.ts';
import { looksLikeCpp } from './c.ts';

describe('looksLikeCpp', () => {
  it.each([
    'namespace a {\nint x;\n}',
    'namespace a::b\n{\n}',
    'template <typename T>\nT max(T a, T b);',
    'class Reader;',
    'class API_EXPORT Reader final : public Base {',
    'struct A {\n public:\n  int x;\n};',
    'using Name = int;',
    'std::string name();',
    '#include <string_view>\nint x;',
    'enum class Color : int { Red };',
  ])('%j is C++', (text) => {
    expect(looksLikeCpp(`/* licence */\n#include <stdio.h>\n${text}`)).toBe(true);
  });

  it.each([
    'struct reader { int class; };',
    '/* namespace a { */ int x; // std::string',
    'const char *address = "::1 std::x";',
    '#ifdef __cplusplus\nextern "C" {\nnamespace a {}\n#endif\nint x;',
    '#if defined(__cplusplus)\ntemplate <class T> T f();\n#endif\nint template;',
    'int a = b ? c : d;',
    'switch (x) { default: break; }',
  ])('%j is C', (text) => {
    expect(looksLikeCpp(`${text}\n`)).toBe(false);
  });

  it('a header is read by the grammar that it needs', async () => {
    const parsed = await parseSnippet(
      'c',
      'namespace a {\nclass Reader {\n public:\n  int size() const;\n};\n}\n',
    );
    expect(outline(parsed)).toEqual(['module a', 'class a.Reader', 'method a.Reader.size']);
    expect(parsed.language).toBe('c');
  });
});
