import { describe, expect, it } from 'vitest';
import { readGrammar } from '../../../test/support/parse-snippet.ts';
import { detectLanguage } from './detect-language.ts';
import { createCommentFinder } from './find-comments.ts';

const find = createCommentFinder({ readGrammar, now: () => performance.now(), limitMs: 5_000 });

/** The comments of a text as texts, or why there are none. */
async function comments(path: string, text: string): Promise<readonly string[] | string> {
  const found = await find(text, detectLanguage(path, text));
  return found.kind === 'found' ? found.ranges.map(({ start, end }) => text.slice(start, end)) : found.kind;
}

describe('comments', () => {
  it.each([
    [
      'a.ts',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
      'const a = "// no"; // yes\nconst b = `/* no ${1 /* inner */} // no`;\nconst c = /\\/\\/[/*]no/g; /** doc\n */\ntype T = `//${string}`;\n',
      ['// yes', '/* inner */', '/** doc\n */'],
    ],
    ['a.tsx', 'const a = <p title="// no">// no {/* yes */} /* no */</p>; // end', ['/* yes */', '// end']],
    ['a.js', '#!/usr/bin/env node\n// yes\nlet x = a / b / c; //z', ['// yes', '//z']],
    ['a.py', '#!/usr/bin/python\nx = "# no"  # yes\n"""# no"""\n', ['# yes']],
    ['a.go', '//go:build linux\npackage a // yes\nvar s = `// no`\n', ['//go:build linux', '// yes']],
    ['a.rs', '/// doc\nfn a() { let s = r#"// no"#; /* yes */ }\n', ['/// doc', '/* yes */']],
    ['a.c', 'char *s = "/* no */"; /* yes */\n#define URL "http://x"\n// end\n', ['/* yes */', '// end']],
    ['a.java', 'class A { String s = "//no"; /* b */ } // l\n', ['/* b */', '// l']],
    ['a.rb', 's = "#{1} # no" # yes\n=begin\nlong\n=end\n', ['# yes', '=begin\nlong\n=end']],
    ['a.sh', '#!/bin/sh\necho "# no" # yes\ncat <<E\n# no\nE\n', ['# yes']],
    ['a.yaml', 'a: "# no" # yes\nb: |\n  # no\n', ['# yes']],
    ['a.html', '<p>// no</p><!-- yes -->\n', ['<!-- yes -->']],
    ['a.css', 'a { b: url(//no) } /* yes */\n', ['/* yes */']],
    ['a.sql', "select '-- no'; -- yes\n", ['-- yes']],
    ['a.lua', 'x = "-- no" -- yes\n--[[ long\n]]\n', ['-- yes', '--[[ long\n]]']],
    ['a.kt', 'val s = "// no" // yes\n', ['// yes']],
    [
      'a.vue',
      '<script>\n// yes\nconst a = "// no";\n</script>\n<script setup>\n/* too */\n</script>\n',
      ['// yes', '/* too */'],
    ],
  ])('of %s are those of its parser', async (path, text, expected) => {
    expect(await comments(path, text)).toEqual(expected);
  });

  it('are not known without a parser, or in a text with mistakes', async () => {
    expect(await comments('Makefile', '# comment\n')).toBe('no-parser');
    expect(await comments('a.md', '<!-- comment -->\n')).toBe('no-parser');
    expect(await comments('a.unknown', '# comment\n')).toBe('no-parser');
    expect(await comments('a.ts', 'const a = ;; "\n// in a string?\n')).toBe('not-parsed');
    expect(await comments('a.js', `${'x'.repeat(30_000)} // minified`)).toBe('not-parsed');
  });

  it('inside what a grammar does not understand are left', async () => {
    const found = await comments('a.py', 'x = 1  # sure\ndef f(:\n    y = ( # unsure\n');
    expect(found).not.toContain('# unsure');
  });

  it('of a deep tree need no deep stack', async () => {
    const depth = 5_000;
    const found = await comments('a.ts', `let a = ${'['.repeat(depth)}${']'.repeat(depth)}; // end`);
    expect([['// end'], 'not-parsed']).toContainEqual(found);
  });
});
