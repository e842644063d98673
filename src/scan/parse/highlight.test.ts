import { describe, expect, it } from 'vitest';
import { readGrammar } from '../../../test/support/parse-snippet.ts';
import { MARK_KINDS, type MarkKind } from '../../model/text-mark.ts';
import { createHighlight } from './highlight.ts';
import { LANGUAGES, languageById } from './languages/table.ts';

const highlight = createHighlight({ readGrammar, now: () => performance.now(), limitMs: 10_000 });

/** What is coloured, as text by kind. */
async function coloured(language: string, text: string): Promise<Partial<Record<MarkKind, string[]>>> {
  const marks = await highlight(text, languageById(language));
  const found: Partial<Record<MarkKind, string[]>> = {};
  for (let at = 0; at < marks!.length; at += 3) {
    const kind = MARK_KINDS[marks![at + 2]!]!;
    const texts = found[kind] ?? [];
    found[kind] = texts;
    texts.push(text.slice(marks![at]!, marks![at + 1]!));
  }
  return found;
}

describe('colours', () => {
  it('are those of the grammar', async () => {
    const text = 'def f(a: int) -> str:\n    # why\n    return "x" + str(12) if a else None\n';
    expect(await coloured('python', text)).toMatchObject({
      comment: ['# why'],
      string: ['"x"'],
      number: ['12'],
      keyword: ['def', 'return', 'if', 'else'],
      constant: ['None'],
    });
  });

  it('leave code inside a string as code', async () => {
    const { string, number } = await coloured('python', 'x = f"a {b + 1} c"\n');
    expect(number).toEqual(['1']);
    expect(string!.join('')).toBe('f"a  c"');
  });

  it('are those of scripts, where a word may be a keyword or a name', async () => {
    const text = [
      "import type { A } from './a.ts'; // from here",
      'const of: A = /\\/\\* no comment/; /* two\nlines */',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is a template itself.
      'for (const type of [1, true]) say(`x ${type} // y`);',
    ].join('\n');
    expect(await coloured('typescript', text)).toEqual({
      comment: ['// from here', '/* two\nlines */'],
      string: ["'./a.ts'", '/\\/\\* no comment/', '`x ${', '} // y`'],
      number: ['1'],
      keyword: ['import', 'type', 'from', 'const', 'for', 'const', 'of'],
      type: ['A'],
      constant: ['true'],
    });
  });

  it('leave text between tags alone', async () => {
    const { keyword, string } = await coloured('tsx', 'const a = <b title="t">for // you</b>;\n');
    expect([keyword, string]).toEqual([['const'], ['"t"']]);
  });

  it('are those of the parts of a file', async () => {
    const text = '<template>let it be</template>\n<script lang="ts">\nlet a = 1;\n</script>\n';
    expect(await coloured('vue', text)).toEqual({ keyword: ['let'], number: ['1'] });
  });

  it('are comments and strings where there is no grammar, and an apostrophe opens nothing', async () => {
    const text = "say 'one \\' two' # it's so\ndon't \"stop\"\n";
    expect(await coloured('perl', text)).toEqual({
      string: ["'one \\' two'", '"stop"'],
      comment: ["# it's so"],
    });
  });

  it('are absent for a text that is too large, minified or in no language', async () => {
    const python = languageById('python');
    expect(await highlight('a = 1\n'.repeat(100_000), python)).toBeNull();
    expect(await highlight(`a = "${'x'.repeat(30_000)}"`, python)).toBeNull();
    expect(await highlight('text', null)).toBeNull();
  });

  it.each(LANGUAGES.map(({ id }) => id))('never overlap and stay inside the text: %s', async (id) => {
    const text = 'a(b) { "c" /* d */ } # é\n<x y="z">\n{{ 1 + \'2\' }}\n-- e\n'.repeat(20);
    const marks = (await highlight(text, languageById(id))) ?? [];
    let end = 0;
    for (let at = 0; at < marks.length; at += 3) {
      expect(marks[at]).toBeGreaterThanOrEqual(end);
      end = marks[at + 1]!;
    }
    expect(end).toBeLessThanOrEqual(text.length);
  });
});
