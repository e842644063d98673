import { describe, expect, it } from 'vitest';
import { outline } from '../../../../test/support/parse-snippet.ts';
import { expectSurvivesMutations, parseWith, viewWith } from '../../../../test/support/parse-with.ts';
import { elixir, readElixirImport } from './elixir.ts';

const SNIPPET = `defmodule A.B do
  @moduledoc """
  Mod doc.
  """
  use GenServer, restart: :x
  import Ecto.Query, only: [from: 2]
  alias A.{B, C.D}
  alias Foo.Bar, as: Baz
  require Logger
  @timeout 5_000
  @type t :: %__MODULE__{a: integer}
  @typep p(x) :: x
  @callback handle(a :: integer, b) :: :ok
  @doc """
  Runs it.
  """
  @spec run(integer) :: :ok
  def run(a, b \\\\ 1) when is_integer(a) do
    local = 1
  end
  def run(x), do: x
  defp hidden, do: 1
  def bare
  defmacro mac(x) do
    x
  end
  defmacrop pm(x), do: x
  defguard is_ok(x) when x == 1
  defdelegate foo(a), to: Other
  defstruct [:a, b: 1]
  defexception [:message]
  @impl true
  def a + b, do: 1
end
defprotocol Size do
  @doc "Size."
  def size(d)
end
defimpl Size, for: Map do
  def size(m), do: 1
end
defimpl Size, for: [List, BitString] do
end
test "top" do
end
describe "grp" do
  test "adds", %{a: a} do
  end
end
`;

async function signatureOf(name: string): Promise<string | undefined> {
  const { symbols } = await parseWith(elixir, SNIPPET);
  return symbols.find((symbol) => symbol.name === name)?.signature;
}

describe('Elixir', () => {
  it('lists every definition in order, with its kind and container', async () => {
    expect(outline(await parseWith(elixir, SNIPPET))).toEqual([
      'module A.B',
      'constant A.B.timeout',
      'type A.B.t',
      'type A.B.p',
      'method A.B.handle',
      'function A.B.run',
      'function A.B.run',
      'function A.B.hidden',
      'function A.B.bare',
      'macro A.B.mac',
      'macro A.B.pm',
      'macro A.B.is_ok',
      'function A.B.foo',
      'struct A.B.defstruct',
      'struct A.B.defexception',
      'function A.B.+',
      'interface Size',
      'method Size.size',
      'class Map',
      'method Map.size',
      'class List',
      'test top',
      'test grp',
      'test grp.adds',
    ]);
  });

  it.each([
    ['run', '@spec run(integer) :: :ok\n  def run(a, b \\\\ 1) when is_integer(a)'],
    ['mac', 'defmacro mac(x)'],
    ['handle', '@callback handle(a :: integer, b) :: :ok'],
    ['foo', 'defdelegate foo(a), to: Other'],
    ['t', '@type t :: %__MODULE__{a: integer}'],
    ['+', '@impl true\n  def a + b'],
  ])('keeps the whole header of %s', async (name, signature) => {
    expect(await signatureOf(name)).toBe(signature);
  });

  it('reads imports of every shape', async () => {
    const { imports } = await parseWith(elixir, SNIPPET);
    expect(imports.map(({ endLine, ...reference }) => reference)).toEqual([
      { kind: 'package', specifier: 'A.B', names: [], line: 1 },
      { kind: 'import', specifier: 'GenServer', names: [], line: 5 },
      { kind: 'import', specifier: 'Ecto.Query', names: ['from'], line: 6 },
      { kind: 'import', specifier: 'A.B', names: [], line: 7 },
      { kind: 'import', specifier: 'A.C.D', names: [], line: 7 },
      { kind: 'import', specifier: 'Foo.Bar', names: [], line: 8 },
      { kind: 'import', specifier: 'Logger', names: [], line: 9 },
    ]);
  });

  it('takes the first line of the doc comment', async () => {
    const { symbols } = await parseWith(elixir, SNIPPET);
    expect(symbols.find((symbol) => symbol.name === 'run')?.doc).toBe('Runs it.');
  });

  it('shows a file without its bodies, equal members included', async () => {
    expect(
      await viewWith(
        elixir,
        `defmodule Reader do
  @moduledoc false
  alias App.{Context, Log}

  @doc """
  Runs it.
  """
  @spec run(Context.t()) :: :ok
  def run(context) do
    Log.info(context)
  end
end

defmodule Writer do
  def run(context), do: context
  def run(context) do
    context.stop()
  end
end
`,
      ),
    ).toMatchInlineSnapshot(`
      "defmodule Reader do
        ⋮ 2
        alias App.{Context, Log}
        ⋮ 5-7
        @spec run(Context.t()) :: :ok
        def run(context) ⋮ 10-11
      end
      defmodule Writer do
        def run(context), do: context
        def run(context) ⋮ 17-18
      end"
    `);
  });

  it('keeps most definitions of broken code', async () => {
    const broken = SNIPPET.replace(
      `  defp hidden, do: 1
`,
      `  defp hidden(, do: 1
`,
    );
    const parsed = await parseWith(elixir, broken);
    expect(parsed.symbols.map((symbol) => symbol.name)).toEqual(
      expect.arrayContaining(['run', 'mac', 'Size', 'handle', 'adds']),
    );
  });

  it.each([
    ['alias A.B', [{ kind: 'import', specifier: 'A.B', names: [] }]],
    [
      'alias A.{B, C.D}',
      [
        { kind: 'import', specifier: 'A.B', names: [] },
        { kind: 'import', specifier: 'A.C.D', names: [] },
      ],
    ],
    [
      'alias A.{\n  B,\n  C\n}',
      [
        { kind: 'import', specifier: 'A.B', names: [] },
        { kind: 'import', specifier: 'A.C', names: [] },
      ],
    ],
    ['import A.B, only: [x: 1, y?: 2]', [{ kind: 'import', specifier: 'A.B', names: ['x', 'y?'] }]],
    ['use A, opt: true', [{ kind: 'import', specifier: 'A', names: [] }]],
    ['use(A.B)', [{ kind: 'import', specifier: 'A.B', names: [] }]],
    ['@behaviour Plug', [{ kind: 'import', specifier: 'Plug', names: [] }]],
    ['alias unquote(x)', []],
  ])('reads %s', (statement, expected) => {
    expect(readElixirImport(statement)).toEqual(expected);
  });

  it('survives any content', () => expectSurvivesMutations(elixir, SNIPPET), 20_000);
});
