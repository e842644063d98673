import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSnippet } from '../../../test/support/parse-snippet.ts';
import { partialView, type ViewSource, wholeView } from './render-map.ts';

const TEXT = `import os

LIMIT = 10

class Reader:
    """Reads."""

    def read(self, path):
        return open(path).read()

    def close(self):
        self.done = True

def helper(value):
    return value + 1

def main():
    print(helper(1))
`;

async function source(): Promise<ViewSource> {
  const { symbols } = await parseSnippet('python', TEXT);
  return { text: TEXT, language: 'python', symbols };
}

const namesOf = ({ symbols }: ViewSource) => symbols.map(({ name }) => name);

describe('partialView', () => {
  it('shows the best symbols in the order of the file and says which lines are missing', async () => {
    const file = await source();
    expect(namesOf(file)).toEqual(['LIMIT', 'Reader', 'read', 'close', 'helper', 'main']);
    const view = partialView(file, [5, 1, 3], () => true);
    expect(view?.text).toBe(
      [
        '⋮ 1-4',
        'class Reader:',
        '    ⋮ 6-10',
        '    def close(self): ⋮ 12',
        '⋮ 14-16',
        'def main(): ⋮ 18',
      ].join('\n'),
    );
    expect(view?.shown).toEqual({ count: 3, of: 6 });
  });

  it('takes as many as fit, and nothing when not even one does', async () => {
    const file = await source();
    const best = [4, 1, 0, 2, 3, 5];
    for (let limit = 0; limit < wholeView(file).text.length + 20; limit++) {
      const view = partialView(file, best, ({ text }) => text.length <= limit);
      if (view) expect(view.text.length).toBeLessThanOrEqual(limit);
    }
    expect(partialView(file, best, () => false)).toBeNull();
    expect(partialView(file, [], () => true)).toBeNull();
  });

  it('keeps every chosen header, whichever are chosen', async () => {
    const file = await source();
    const all = file.symbols.map((_, at) => at);
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: 1 }), (best) => {
        const view = partialView(file, best, () => true)!;
        for (const at of all) {
          const [first = ''] = file.symbols[at]!.signature.split('\n');
          expect(view.text.includes(first)).toBe(best.includes(at));
        }
      }),
    );
  });
});
