import { describe, expect, it } from 'vitest';
import { outline, parseSnippet, viewOf } from '../../../../test/support/parse-snippet.ts';
import { readPythonImport } from './python.ts';

const SOURCE = `import os
from .models import (User,  # the user
    Group as G)

LIMIT: int = 3
TABLE = {
    'a': 1,
}

class A(Base, metaclass=Meta):
    """Doc of A.

    More of it.
    """

    x = 1
    y: int

    @property
    @cached(
        key='run')
    def run(self,
            a: int = 3,
            *args) -> None:
        """Runs it."""
        local = 1

        def inner(b):
            return b
        return inner(local)

class B:
    def run(self, a: int = 3, *args) -> None:
        return 1

async def fetch(url): return await get(url)
`;

describe('parsing Python', () => {
  it('finds every definition, also equal methods of two classes', async () => {
    expect(outline(await parseSnippet('python', SOURCE))).toEqual([
      'variable LIMIT',
      'variable TABLE',
      'class A',
      'property A.x',
      'property A.y',
      'method A.run',
      'function A.run.inner',
      'class B',
      'method B.run',
      'function fetch',
    ]);
  });

  it('keeps decorators and signatures of several lines', async () => {
    const { symbols } = await parseSnippet('python', SOURCE);
    const run = symbols.find(({ name }) => name === 'run')!;
    expect(run.signature).toBe(
      "@property\n    @cached(\n        key='run')\n    def run(self,\n            a: int = 3,\n            *args) -> None:",
    );
    expect(run.doc).toBe('Runs it.');
  });

  it('knows the lines of docstrings', async () => {
    const source =
      'def run():\n    """Runs it.\n\n    Twice.\n    """\n    return 1\n\ndef stop():\n    return 0\n';
    const { symbols } = await parseSnippet('python', source);
    expect(symbols.map(({ docLines }) => docLines)).toEqual([{ startLine: 2, endLine: 5 }, undefined]);
  });

  it('shows it all in the signature view', async () => {
    expect(await viewOf('python', SOURCE)).toMatchInlineSnapshot(`
      "import os
      from .models import (User,  # the user
          Group as G)
      LIMIT: int = 3
      TABLE = { ⋮ 7-8 }
      class A(Base, metaclass=Meta):
          ⋮ 11-15
          x = 1
          y: int
          @property
          @cached(
              key='run')
          def run(self,
                  a: int = 3,
                  *args) -> None:
              ⋮ 25-27
              def inner(b): ⋮ 29
            ⋮ 30
      class B:
          def run(self, a: int = 3, *args) -> None: ⋮ 34
      async def fetch(url): return await get(url)"
    `);
  });

  it.each([
    [
      'import a.b as c, d',
      [
        ['a.b', ''],
        ['d', ''],
      ],
    ],
    ['from . import x', [['.', 'x']]],
    ['from ..a.b import (c as d,\n  e, # note\n)', [['..a.b', 'c as d,e']]],
    ['from a import *', [['a', '*']]],
    ['from a \\\n  import b', [['a', 'b']]],
  ])('reads %j', (statement, expected) => {
    expect(readPythonImport(statement).map(({ specifier, names }) => [specifier, names.join(',')])).toEqual(
      expected,
    );
  });
});
