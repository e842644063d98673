import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { align, createProgress, printable, printableText, renderStep } from './output.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

describe('printable', () => {
  it('prints no control character, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.nat({ max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
        (text) => {
          expect(printable(text)).not.toMatch(CONTROL);
        },
      ),
    );
  });

  it('shows raw bytes of a name and keeps ordinary text', () => {
    expect(printable('caf\udce9 \u001b[31m')).toBe('caf\\xe9 ⟨U+001B⟩[31m');
    expect(printable('naïve 日本 👍')).toBe('naïve 日本 👍');
    expect(printableText('naïve 日本 👍\n\t')).toBe('naïve 日本 👍\n\t');
    expect(printable('a\n## b')).toBe('a⟨U+000A⟩## b');
  });
});

describe('progress', () => {
  it('draws a bar, a count and a rate', () => {
    expect(renderStep({ label: 'reading', done: 50, total: 100 }, 1000)).toBe(
      'reading  [############------------] 50/100  50/s',
    );
    expect(renderStep({ label: 'listing', done: 3, total: 0 }, 10)).toBe('listing  3');
  });

  it('redraws one line, not too often, cut to the width, and takes it away', () => {
    const written: string[] = [];
    let time = 0;
    const progress = createProgress({
      write: (text) => void written.push(text),
      isOn: true,
      columns: 20,
      now: () => time,
    });
    for (let done = 0; done < 100; done += 1) {
      time += 10;
      progress.update({ label: 'reading files', done, total: 100 });
    }
    progress.clear();
    progress.clear();
    expect(written.length).toBe(14);
    expect(written.every((text) => text.startsWith('\r\u001b[2K') && text.length <= 5 + 19)).toBe(true);
    expect(written.at(-1)).toBe('\r\u001b[2K');
  });

  it('is silent when it is off', () => {
    const written: string[] = [];
    const progress = createProgress({ write: (text) => void written.push(text), isOn: false, columns: 80 });
    progress.update({ label: 'x', done: 1, total: 2 });
    progress.clear();
    expect(written).toEqual([]);
  });
});

describe('align', () => {
  it('pads all columns but the last', () => {
    expect(
      align([
        ['a', 'bb', 'c'],
        ['aaa', 'b', 'cc'],
      ]),
    ).toEqual(['a    bb  c', 'aaa  b   cc']);
    expect(align([])).toEqual([]);
  });
});
