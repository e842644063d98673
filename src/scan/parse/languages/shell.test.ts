import { describe, expect, it } from 'vitest';
import { outline } from '../../../../test/support/parse-snippet.ts';
import { expectSurvivesMutations, parseWith, viewWith } from '../../../../test/support/parse-with.ts';
import { readShellImport, shell } from './shell.ts';

const SNIPPET = `#!/bin/bash
source ./lib.sh
. "$(dirname "$0")/x.sh"
. ~/.nvm/nvm.sh
[ -f a ] && . a.sh
export FOO=bar
export A B=2
readonly LIMIT=10
declare -r X=1
declare -A map=(
 [a]=1
)
NAME=value
ARR=(a b
 c)
# Doc.
greet() {
  local x=1
  Y=2
}
function other { echo; }
function third() ( echo )
alias ll='ls -l'
@test "adds numbers" {
  run x
}
if true; then cond() { :; }; fi
`;

async function signatureOf(name: string): Promise<string | undefined> {
  const { symbols } = await parseWith(shell, SNIPPET);
  return symbols.find((symbol) => symbol.name === name)?.signature;
}

describe('Shell', () => {
  it('lists every definition in order, with its kind and container', async () => {
    expect(outline(await parseWith(shell, SNIPPET))).toEqual([
      'variable FOO',
      'variable B',
      'constant LIMIT',
      'constant X',
      'variable map',
      'variable NAME',
      'variable ARR',
      'function greet',
      'function other',
      'function third',
      'function ll',
      'test adds numbers',
      'function cond',
    ]);
  });

  it.each([
    ['greet', 'greet()'],
    ['third', 'function third()'],
    ['LIMIT', 'readonly LIMIT=10'],
    ['map', 'declare -A map='],
  ])('keeps the whole header of %s', async (name, signature) => {
    expect(await signatureOf(name)).toBe(signature);
  });

  it('reads imports of every shape', async () => {
    const { imports } = await parseWith(shell, SNIPPET);
    expect(imports.map(({ endLine, ...reference }) => reference)).toEqual([
      { kind: 'include', specifier: './lib.sh', names: [], line: 2 },
      { kind: 'include', specifier: './x.sh', names: [], line: 3 },
      { kind: 'include', specifier: '~/.nvm/nvm.sh', names: [], line: 4 },
      { kind: 'include', specifier: 'a.sh', names: [], line: 5 },
    ]);
  });

  it('takes the first line of the doc comment', async () => {
    const { symbols } = await parseWith(shell, SNIPPET);
    const greet = symbols.find((symbol) => symbol.name === 'greet')!;
    expect(greet.doc).toBe('Doc.');
    expect(greet.docLines?.endLine).toBe(greet.startLine - 1);
  });

  it('shows a file without its bodies, equal members included', async () => {
    expect(
      await viewWith(
        shell,
        `#!/bin/sh
. ./lib/common.sh

export TARGET=build

start() {
  local name=$1
  echo "$name"
}

stop()
{
  echo done
}
`,
      ),
    ).toMatchInlineSnapshot(`
      "⋮ 1
      . ./lib/common.sh
      export TARGET=build
      start() { ⋮ 7-9 }
      stop() { ⋮ 12-14 }"
    `);
  });

  it('keeps most definitions of broken code', async () => {
    const broken = SNIPPET.replace(`function other { echo; }`, `function other { echo;`);
    const parsed = await parseWith(shell, broken);
    expect(parsed.symbols.map((symbol) => symbol.name)).toEqual(
      expect.arrayContaining(['FOO', 'LIMIT', 'greet', 'NAME']),
    );
  });

  it.each([
    ['source ./a.sh', './a.sh'],
    ['. a.sh arg', 'a.sh'],
    ['. "$(dirname "$0")/lib/a.sh"', './lib/a.sh'],
    ['source "$HOME/a.sh"', './a.sh'],
    ['source $HERE/a.sh', './a.sh'],
    ["source 'my file.sh'", 'my file.sh'],
    ['source "$FILE"', undefined],
    ['. <(make_it)', undefined],
  ])('reads %s', (statement, expected) => {
    expect(readShellImport(statement)[0]?.specifier).toBe(expected);
  });

  it('survives any content', () => expectSurvivesMutations(shell, SNIPPET), 20_000);
});
