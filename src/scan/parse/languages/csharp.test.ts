import { describe, expect, it } from 'vitest';
import { outline } from '../../../../test/support/parse-snippet.ts';
import { expectSurvivesMutations, parseWith, viewWith } from '../../../../test/support/parse-with.ts';
import { csharp, readCSharpImport } from './csharp.ts';

const SNIPPET = `global using System;
using System.Collections.Generic;
using static System.Math;
using Json = Newtonsoft.Json.JsonConvert;

namespace Acme.Shop
{
    /// <summary>Sells things.</summary>
    [Serializable]
    [Route("x")]
    public abstract partial class Shop<T> : Base<T>, ISeller
        where T : class, new()
    {
        public const int Limit = 10;
        private readonly Dictionary<string, int> table = new() {
            ["a"] = 1,
        };
        [Obsolete] public string Name { get; set; } = "x";
        public int Age {
            get { return 1; }
            private set { }
        }
        public int this[int i] { get => i; }
        public event EventHandler Changed;
        public Shop(
            [FromBody] string name,
            int x = 3) : base(name) {
            int hidden = 1;
            int Local(int q) { return q; }
        }
        ~Shop() { }
        public override async Task<List<K>> Find<K>(K key) where K : struct {
            return null;
        }
        protected abstract void Open();
        public int Sum()
            => 1;
        void ISeller.Sell() { }
        public static Shop<T> operator +(Shop<T> a, Shop<T> b) { return a; }
        public static implicit operator int(Shop<T> a) => 1;
        public delegate void Handler(int x);
        private enum Color : byte { Red = 1, [Description("g")] Green }
        interface ISeller {
            void Sell();
            protected abstract void Open();
        }
        struct Pair { public int Left; }
    }
}
record Point(int X, [property: A] int Y) : IFoo { public int Sum => 1; }
public readonly record struct Size(int Width);
`;

/** Symbols by their name with all containers: `Shop.open`. */
async function symbolsByName(text: string) {
  const parsed = await parseWith(csharp, text);
  const names = outline(parsed).map((line) => line.slice(line.indexOf(' ') + 1));
  return (name: string) => parsed.symbols[names.indexOf(name)];
}

describe('csharp', () => {
  it('finds every definition, nested and in order', async () => {
    const parsed = await parseWith(csharp, SNIPPET);
    expect(parsed.hasSyntaxErrors).toBe(false);
    expect(outline(parsed)).toEqual([
      'module Acme.Shop',
      'class Acme.Shop.Shop',
      'constant Acme.Shop.Shop.Limit',
      'property Acme.Shop.Shop.table',
      'property Acme.Shop.Shop.Name',
      'property Acme.Shop.Shop.Age',
      'property Acme.Shop.Shop.this',
      'property Acme.Shop.Shop.Changed',
      'constructor Acme.Shop.Shop.Shop',
      'method Acme.Shop.Shop.~Shop',
      'method Acme.Shop.Shop.Find',
      'method Acme.Shop.Shop.Open',
      'method Acme.Shop.Shop.Sum',
      'method Acme.Shop.Shop.Sell',
      'method Acme.Shop.Shop.operator +',
      'method Acme.Shop.Shop.operator int',
      'type Acme.Shop.Shop.Handler',
      'enum Acme.Shop.Shop.Color',
      'enum-member Acme.Shop.Shop.Color.Red',
      'enum-member Acme.Shop.Shop.Color.Green',
      'interface Acme.Shop.Shop.ISeller',
      'method Acme.Shop.Shop.ISeller.Sell',
      'method Acme.Shop.Shop.ISeller.Open',
      'struct Acme.Shop.Shop.Pair',
      'property Acme.Shop.Shop.Pair.Left',
      'class Point',
      'property Point.X',
      'property Point.Y',
      'property Point.Sum',
      'struct Size',
      'property Size.Width',
    ]);
  });

  it.each([
    ['Acme.Shop', 'namespace Acme.Shop'],
    [
      'Acme.Shop.Shop',
      `[Serializable]
    [Route("x")]
    public abstract partial class Shop<T> : Base<T>, ISeller
        where T : class, new()`,
    ],
    ['Acme.Shop.Shop.Limit', 'public const int Limit = 10;'],
    ['Acme.Shop.Shop.table', 'private readonly Dictionary<string, int> table = new()'],
    ['Acme.Shop.Shop.Name', '[Obsolete] public string Name { get; set; } = "x";'],
    ['Acme.Shop.Shop.Age', 'public int Age'],
    ['Acme.Shop.Shop.this', 'public int this[int i] { get => i; }'],
    [
      'Acme.Shop.Shop.Shop',
      `public Shop(
            [FromBody] string name,
            int x = 3) : base(name)`,
    ],
    ['Acme.Shop.Shop.Find', 'public override async Task<List<K>> Find<K>(K key) where K : struct'],
    ['Acme.Shop.Shop.Open', 'protected abstract void Open();'],
    ['Acme.Shop.Shop.Sum', 'public int Sum()'],
    ['Acme.Shop.Shop.Sell', 'void ISeller.Sell()'],
    ['Acme.Shop.Shop.operator +', 'public static Shop<T> operator +(Shop<T> a, Shop<T> b)'],
    ['Acme.Shop.Shop.operator int', 'public static implicit operator int(Shop<T> a)'],
    ['Acme.Shop.Shop.Handler', 'public delegate void Handler(int x);'],
    ['Acme.Shop.Shop.Color.Green', '[Description("g")] Green'],
    ['Point', 'record Point(int X, [property: A] int Y) : IFoo'],
    ['Size', 'public readonly record struct Size(int Width);'],
  ])('keeps the whole header of %s', async (name, signature) => {
    const symbol = await symbolsByName(SNIPPET);
    expect(symbol(name)?.signature).toBe(signature);
  });

  it.each([
    ['using System;', [{ kind: 'import', specifier: 'System', names: [] }]],
    ['global using System.Text;', [{ kind: 'import', specifier: 'System.Text', names: [] }]],
    ['using static System.Math;', [{ kind: 'import', specifier: 'System.Math', names: ['*'] }]],
    [
      'using Json = Newtonsoft.Json.JsonConvert;',
      [{ kind: 'import', specifier: 'Newtonsoft.Json.JsonConvert', names: [] }],
    ],
    [
      'using L = System.Collections.Generic.List<int>;',
      [{ kind: 'import', specifier: 'System.Collections.Generic.List', names: [] }],
    ],
    ['using global::A.B;', [{ kind: 'import', specifier: 'A.B', names: [] }]],
    ['namespace A.B;', [{ kind: 'package', specifier: 'A.B', names: [] }]],
    [
      `namespace A.B
{
    class C { }
}`,
      [{ kind: 'package', specifier: 'A.B', names: [] }],
    ],
    ['using P = (int, int);', []],
  ])('reads %j', (statement, imports) => {
    expect(readCSharpImport(statement)).toEqual(imports);
  });

  it('finds the imports of a file', async () => {
    const { imports } = await parseWith(csharp, SNIPPET);
    expect(imports.map(({ kind, specifier, line }) => `${line} ${kind} ${specifier}`)).toEqual([
      '1 import System',
      '2 import System.Collections.Generic',
      '3 import System.Math',
      '4 import Newtonsoft.Json.JsonConvert',
      '6 package Acme.Shop',
    ]);
  });

  it('finds each name of a declaration that has many', async () => {
    const parsed = await parseWith(csharp, 'class A { public const int Left = 1, Right = 2; }');
    expect(parsed.symbols.map(({ name }) => name)).toEqual(expect.arrayContaining(['Left', 'Right']));
  });

  it('shows a file without its bodies', async () => {
    expect(await viewWith(csharp, SNIPPET)).toMatchInlineSnapshot(`
      "global using System;
      using System.Collections.Generic;
      using static System.Math;
      using Json = Newtonsoft.Json.JsonConvert;
      namespace Acme.Shop
      {
          ⋮ 8
          [Serializable]
          [Route("x")]
          public abstract partial class Shop<T> : Base<T>, ISeller
              where T : class, new()
          {
              public const int Limit = 10;
              private readonly Dictionary<string, int> table = new() { ⋮ 16-17 };
              [Obsolete] public string Name { get; set; } = "x";
              public int Age { ⋮ 20-22 }
              public int this[int i] { get => i; }
              public event EventHandler Changed;
              public Shop(
                  [FromBody] string name,
                  int x = 3) : base(name) { ⋮ 28-30 }
              ~Shop() { }
              public override async Task<List<K>> Find<K>(K key) where K : struct { ⋮ 33-34 }
              protected abstract void Open();
              public int Sum() ⋮ 37
              void ISeller.Sell() { }
              public static Shop<T> operator +(Shop<T> a, Shop<T> b) { return a; }
              public static implicit operator int(Shop<T> a) => 1;
              public delegate void Handler(int x);
              private enum Color : byte { Red = 1, [Description("g")] Green }
              interface ISeller {
                  void Sell();
                  protected abstract void Open();
              }
              struct Pair { public int Left; }
          }
      }
      record Point(int X, [property: A] int Y) : IFoo { public int Sum => 1; }
      public readonly record struct Size(int Width);"
    `);
  });

  it('finds the rest of a file that lacks a bracket', async () => {
    const broken = SNIPPET.replace(
      `            private set { }
        }
`,
      `            private set { }
`,
    );
    const parsed = await parseWith(csharp, broken);
    const names = new Set(parsed.symbols.map(({ name }) => name));
    expect(parsed.hasSyntaxErrors).toBe(true);
    const lost = (await parseWith(csharp, SNIPPET)).symbols.filter(({ name }) => !names.has(name));
    expect(lost.map(({ name }) => name)).toEqual(['this', 'Changed']);
  });

  it('survives any content', async () => {
    await expectSurvivesMutations(csharp, SNIPPET);
  });

  it('knows its tests by their path', () => {
    expect(csharp.testPaths?.test('src/Shop.Tests/Helper.cs')).toBe(true);
    expect(csharp.testPaths?.test('src/ShopTests.cs')).toBe(true);
    expect(csharp.testedNames?.('src/ShopTests.cs')).toContain('Shop.cs');
    expect(csharp.testPaths?.test('src/Shop.cs')).toBe(false);
  });

  it('reads a doc line', async () => {
    const symbol = await symbolsByName('/** Sells things. */\nclass Shop { }');
    expect(symbol('Shop')?.doc).toBe('Sells things.');
  });
});
