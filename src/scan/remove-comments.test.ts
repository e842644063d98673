import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { settingsFor } from '../../test/support/scan-kit.ts';
import { temporaryFolder } from '../../test/support/temporary-repository.ts';
import { openCommentStripper, stripComments } from './remove-comments.ts';

/** Ranges of everything between `«` and `»`, and the text without these marks. */
function marked(text: string) {
  const ranges: { start: number; end: number }[] = [];
  let plain = '';
  for (const [, before, inside = ''] of text.matchAll(/([^«]*)(?:«([^»]*)»)?/g)) {
    plain += before;
    if (inside !== '') ranges.push({ start: plain.length, end: plain.length + inside.length });
    plain += inside;
  }
  return { plain, ranges };
}

const strip = (text: string): string => {
  const { plain, ranges } = marked(text);
  return stripComments(plain, ranges).text;
};

describe('a text without its comments', () => {
  it.each([
    ['a «// c»\nb', 'a\nb'],
    ['  «// c»  \nb', '\nb'],
    ['«/* one\ntwo */» a', '\n a'],
    ['a «/* one\r\ntwo */»\r\nb', 'a\r\n\r\nb'],
    ['a«/* c */»b', 'a b'],
    ['a «/* c */» b', 'a  b'],
    ['f(«/* c */»x)', 'f( x)'],
    ['«/* a */»«/* b */»\nc', '\nc'],
    ['a «# end»', 'a'],
    ['', ''],
  ])('%j is %j', (text, expected) => expect(strip(text)).toBe(expected));

  it('has the same lines, and every character that is left is where its offset leads', () => {
    const piece = fc.oneof(
      fc.constantFrom(' ', '\t', '\n', '\r\n', 'x', 'yy', '«// c»', '«/* a\n b */»', '«/**/»'),
      fc.string({ maxLength: 3 }).map((text) => text.replace(/[«»]/g, '')),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const { plain, ranges } = marked(pieces.join(''));
        const { text, moveOffset } = stripComments(plain, ranges);
        expect(text.split('\n')).toHaveLength(plain.split('\n').length);
        for (let at = 0; at < plain.length; at++) {
          const isGone = ranges.some(({ start, end }) => at >= start && at < end);
          if (!isGone && /\S/.test(plain[at]!)) expect(text[moveOffset(at)]).toBe(plain[at]);
        }
        expect(moveOffset(plain.length)).toBe(text.length);
      }),
    );
  });
});

describe('a stripper', () => {
  const open = () => {
    const { cache } = temporaryFolder();
    return openCommentStripper({ settings: settingsFor(cache) });
  };

  it('strips what it has prepared, and names what it leaves', async () => {
    const stripper = open();
    const files = [
      { path: 'a.ts', text: 'const a = "// no"; // yes\n' },
      { path: 'main.tf', text: '# stays\n' },
      { path: 'notes.txt', text: '# stays\n' },
      { path: 'broken.ts', text: 'const = = "\n// stays\n' },
    ];
    await stripper.prepare(files);
    expect(files.map((file) => stripper.strip(file).text)).toEqual([
      'const a = "// no";\n',
      ...files.slice(1).map(({ text }) => text),
    ]);
    // another text of that path was never parsed
    expect(stripper.strip({ path: 'a.ts', text: 'const b = "// no"; // yes\n' }).text).toContain('// yes');
    expect(stripper.diagnostics().map(({ message }) => message)).toEqual([
      'comments are left as they are in languages without a parser: Terraform',
      'comments are left as they are in files that could not be parsed without mistakes: broken.ts',
    ]);
    stripper.close();
  });

  it('goes on behind a text that takes longer than it may', async () => {
    const stripper = openCommentStripper({
      settings: settingsFor(temporaryFolder().cache, { parseTimeout: 1 }),
    });
    const slow = { path: 'slow.py', text: `x = ${'('.repeat(300)}1${')'.repeat(300)}\n`.repeat(400) };
    const after = { path: 'a.ts', text: 'let a; // yes\n' };
    await stripper.prepare([slow, after]);
    expect(stripper.strip(slow).text).toBe(slow.text);
    expect(stripper.strip(after).text).toBe('let a;\n');
    stripper.close();
  });
});
