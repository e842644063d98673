import { describe, expect, it } from 'vitest';
import { outline } from '../../../../test/support/parse-snippet.ts';
import { expectSurvivesMutations, parseWith, viewWith } from '../../../../test/support/parse-with.ts';
import { dart, readDartImport } from './dart.ts';

const SNIPPET = `library my.lib;

import 'package:flutter/material.dart' as m show Widget hide Foo;
export 'src/x.dart' show Y;
part 'shop.g.dart';

/// The most.
const int limit = 10;
final table = <String, int>{
  'a': 1,
};
late final String name;
typedef Handler<T> = void Function(T x);
typedef int Old(int x);

/// A shop.
@immutable
@JsonSerializable(explicitToJson: true)
abstract class Shop<T extends Item> extends Base<T> with Mixed implements Seller {
  static const int max = 3;
  final String title;
  late final Map<String, int> big = load(
    'a',
  );
  const Shop(
    this.title, {
    required super.key,
    this.x = 3,
  }) : assert(true),
       super(title);
  factory Shop.fromJson(Map<String, dynamic> json) => make(json);
  @override
  Future<List<K>> find<K>(
    K key, {
    int q = 1,
  }) async {
    final hidden = 1;
    void local() {}
    return [];
  }
  String get full => title;
  bool operator ==(Object o) => true;
  void open();
  static int count() {
    return 1;
  }
}
mixin Mixed<T> on Base<T> {
  static int count() {
    return 1;
  }
}
enum Color implements Paint {
  red(1),
  @deprecated
  green(2);
  final int rgb;
  const Color(this.rgb);
}
extension StringX on String {
  int twice() => 2;
}
extension on int {
  int half() => 1;
}
class Alias = Base with Mixed;
int get answer => 42;
@pragma('vm:entry-point')
Future<void> main() async {
  print(1);
}
`;

/** Symbols by their name with all containers: `Shop.open`. */
async function symbolsByName(text: string) {
  const parsed = await parseWith(dart, text);
  const names = outline(parsed).map((line) => line.slice(line.indexOf(' ') + 1));
  return (name: string) => parsed.symbols[names.indexOf(name)];
}

describe('dart', () => {
  it('finds every definition, nested and in order', async () => {
    const parsed = await parseWith(dart, SNIPPET);
    expect(parsed.hasSyntaxErrors).toBe(false);
    expect(outline(parsed)).toEqual([
      'module my.lib',
      'constant limit',
      'variable table',
      'variable name',
      'type Handler',
      'type Old',
      'class Shop',
      'constant Shop.max',
      'property Shop.title',
      'property Shop.big',
      'constructor Shop.Shop',
      'constructor Shop.fromJson',
      'method Shop.find',
      'property Shop.full',
      'method Shop.==',
      'method Shop.open',
      'method Shop.count',
      'trait Mixed',
      'method Mixed.count',
      'enum Color',
      'enum-member Color.red',
      'enum-member Color.green',
      'property Color.rgb',
      'constructor Color.Color',
      'class StringX',
      'method StringX.twice',
      'class int',
      'method int.half',
      'class Alias',
      'variable answer',
      'function main',
    ]);
  });

  it.each([
    ['limit', 'const int limit = 10'],
    ['table', 'final table = <String, int>'],
    ['name', 'late final String name'],
    ['Handler', 'typedef Handler<T> = void Function(T x);'],
    ['Old', 'typedef int Old(int x);'],
    [
      'Shop',
      `@immutable
@JsonSerializable(explicitToJson: true)
abstract class Shop<T extends Item> extends Base<T> with Mixed implements Seller`,
    ],
    ['Shop.max', 'static const int max = 3'],
    ['Shop.big', 'late final Map<String, int> big = load'],
    [
      'Shop.Shop',
      `const Shop(
    this.title, {
    required super.key,
    this.x = 3,
  }) : assert(true),
       super(title)`,
    ],
    ['Shop.fromJson', 'factory Shop.fromJson(Map<String, dynamic> json)'],
    [
      'Shop.find',
      `@override
  Future<List<K>> find<K>(
    K key, {
    int q = 1,
  }) async`,
    ],
    ['Shop.==', 'bool operator ==(Object o)'],
    ['Shop.open', 'void open()'],
    ['Shop.count', 'static int count()'],
    ['Mixed', 'mixin Mixed<T> on Base<T>'],
    [
      'Color.green',
      `@deprecated
  green(2)`,
    ],
    ['StringX', 'extension StringX on String'],
    ['int', 'extension on int'],
    ['Alias', 'class Alias = Base with Mixed;'],
    [
      'main',
      `@pragma('vm:entry-point')
Future<void> main() async`,
    ],
  ])('keeps the whole header of %s', async (name, signature) => {
    const symbol = await symbolsByName(SNIPPET);
    expect(symbol(name)?.signature).toBe(signature);
  });

  it('reads doc lines', async () => {
    const symbol = await symbolsByName(SNIPPET);
    expect(symbol('limit')?.doc).toBe('The most.');
    expect(symbol('Shop')?.doc).toBe('A shop.');
  });

  it.each([
    ["import 'dart:async';", [{ kind: 'import', specifier: 'dart:async', names: [] }]],
    [
      "import 'package:a/b.dart' as m show C, D hide E;",
      [{ kind: 'import', specifier: 'package:a/b.dart', names: ['C', 'D'] }],
    ],
    [
      "import 'a.dart' if (dart.library.io) 'b.dart';",
      [
        { kind: 'import', specifier: 'a.dart', names: [] },
        { kind: 'import', specifier: 'b.dart', names: [] },
      ],
    ],
    [
      "import 'http://x/y.dart' deferred as d;",
      [{ kind: 'import', specifier: 'http://x/y.dart', names: [] }],
    ],
    ["export 'src/x.dart' show Y;", [{ kind: 'reexport', specifier: 'src/x.dart', names: ['Y'] }]],
    ["part 'shop.g.dart';", [{ kind: 'module', specifier: 'shop.g.dart', names: [] }]],
    ["part of 'shop.dart';", [{ kind: 'import', specifier: 'shop.dart', names: [] }]],
    ['part of my.lib;', [{ kind: 'package', specifier: 'my.lib', names: [] }]],
    ['library my.lib;', [{ kind: 'package', specifier: 'my.lib', names: [] }]],
    ['library;', []],
  ])('reads %j', (statement, imports) => {
    expect(readDartImport(statement)).toEqual(imports);
  });

  it('finds the imports of a file', async () => {
    const { imports } = await parseWith(dart, SNIPPET);
    expect(imports.map(({ kind, specifier, line }) => `${line} ${kind} ${specifier}`)).toEqual([
      '1 package my.lib',
      '3 import package:flutter/material.dart',
      '4 reexport src/x.dart',
      '5 module shop.g.dart',
    ]);
  });

  it('finds each name of a declaration that has many', async () => {
    const parsed = await parseWith(
      dart,
      `var left = 1, right = 2;
class A { int? x, y = 2; }
`,
    );
    expect(parsed.symbols.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['left', 'right', 'x', 'y']),
    );
  });

  it('shows a file without its bodies', async () => {
    expect(await viewWith(dart, SNIPPET)).toMatchInlineSnapshot(`
      "library my.lib;
      import 'package:flutter/material.dart' as m show Widget hide Foo;
      export 'src/x.dart' show Y;
      part 'shop.g.dart';
      ⋮ 7
      const int limit = 10;
      final table = <String, int> { ⋮ 10-11 }
      late final String name;
      typedef Handler<T> = void Function(T x);
      typedef int Old(int x);
      ⋮ 16
      @immutable
      @JsonSerializable(explicitToJson: true)
      abstract class Shop<T extends Item> extends Base<T> with Mixed implements Seller {
        static const int max = 3;
        final String title;
        late final Map<String, int> big = load ( ⋮ 23-24 )
        const Shop(
          this.title, {
          required super.key,
          this.x = 3,
        }) : assert(true),
             super(title);
        factory Shop.fromJson(Map<String, dynamic> json) => make(json);
        @override
        Future<List<K>> find<K>(
          K key, {
          int q = 1,
        }) async { ⋮ 37-40 }
        String get full => title;
        bool operator ==(Object o) => true;
        void open();
        static int count() { ⋮ 45-46 }
      }
      mixin Mixed<T> on Base<T> {
        static int count() { ⋮ 50-51 }
      }
      enum Color implements Paint {
        red(1),
        @deprecated
        green(2);
        final int rgb;
        const Color(this.rgb);
      }
      extension StringX on String {
        int twice() => 2;
      }
      extension on int {
        int half() => 1;
      }
      class Alias = Base with Mixed;
      int get answer => 42;
      @pragma('vm:entry-point')
      Future<void> main() async { ⋮ 70-71 }"
    `);
  });

  it('finds the rest of a file that lacks a bracket', async () => {
    const broken = SNIPPET.replace(
      `    void local() {}
    return [];
  }
`,
      `    void local() {}
    return [];
`,
    );
    const parsed = await parseWith(dart, broken);
    const names = new Set(parsed.symbols.map(({ name }) => name));
    expect(parsed.hasSyntaxErrors).toBe(true);
    const lost = (await parseWith(dart, SNIPPET)).symbols.filter(({ name }) => !names.has(name));
    expect(lost.map(({ name }) => name)).toEqual(['full', '==', 'Mixed']);
  });

  it('survives any content', async () => {
    await expectSurvivesMutations(dart, SNIPPET);
  });

  it('knows its tests by their path', () => {
    expect(dart.testPaths?.test('test/helper.dart')).toBe(true);
    expect(dart.testPaths?.test('lib/shop_test.dart')).toBe(true);
    expect(dart.testedNames?.('lib/shop_test.dart')).toContain('shop.dart');
    expect(dart.testPaths?.test('lib/shop.dart')).toBe(false);
  });
});
