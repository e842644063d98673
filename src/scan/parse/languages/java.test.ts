import { describe, expect, it } from 'vitest';
import { outline } from '../../../../test/support/parse-snippet.ts';
import { expectSurvivesMutations, parseWith, viewWith } from '../../../../test/support/parse-with.ts';
import { java, readJavaImport } from './java.ts';

const SNIPPET = `package com.acme.shop;

import java.util.List;
import java.util.*;
import static java.lang.Math.max;

/**
 * Sells things.
 */
@Service
@Entity(name = "x")
public abstract class Shop<T extends Item & Comparable<T>>
    extends Base<T>
    implements Seller, AutoCloseable {
  public static final int LIMIT = 10;
  private final Map<String, Integer> table = new HashMap<>() {{
    put("a", 1);
  }};
  static final Comparator<Item> BY_NAME = new Comparator<>() {
    @Override public int compare(Item x, Item y) { return 0; }
  };

  @Inject
  public Shop(
      @Named("x") String name,
      int... sizes) throws IOException {
    super(name);
    int local = 1;
  }

  @Override
  public <K> List<K> find(K key) throws A, B {
    Runnable hidden = () -> {};
    return null;
  }

  protected abstract void open();

  enum Color implements Paint {
    RED("r") {
      void hidden() {}
    },
    @Deprecated GREEN;
    private final String code;
    Color(String code) { this.code = code; }
    @Override
    public <K> List<K> find(K key) throws A, B {
      return null;
    }
  }

  interface Seller {
    int MAX = 1;
    void sell();
    default void stop() {
    }
  }

  record Point(int x, @NonNull int y) implements Serializable {
    Point {
      check(x);
    }
    static Point zero() {
      return null;
    }
  }

  @interface Marker {
    String value() default "x";
  }
}
`;

/** Symbols by their name with all containers: `Shop.open`. */
async function symbolsByName(text: string) {
  const parsed = await parseWith(java, text);
  const names = outline(parsed).map((line) => line.slice(line.indexOf(' ') + 1));
  return (name: string) => parsed.symbols[names.indexOf(name)];
}

describe('java', () => {
  it('finds every definition, nested and in order', async () => {
    const parsed = await parseWith(java, SNIPPET);
    expect(parsed.hasSyntaxErrors).toBe(false);
    expect(outline(parsed)).toEqual([
      'module com.acme.shop',
      'class Shop',
      'constant Shop.LIMIT',
      'property Shop.table',
      'constant Shop.BY_NAME',
      'constructor Shop.Shop',
      'method Shop.find',
      'method Shop.open',
      'enum Shop.Color',
      'enum-member Shop.Color.RED',
      'enum-member Shop.Color.GREEN',
      'property Shop.Color.code',
      'constructor Shop.Color.Color',
      'method Shop.Color.find',
      'interface Shop.Seller',
      'constant Shop.Seller.MAX',
      'method Shop.Seller.sell',
      'method Shop.Seller.stop',
      'class Shop.Point',
      'property Shop.Point.x',
      'property Shop.Point.y',
      'constructor Shop.Point.Point',
      'method Shop.Point.zero',
      'interface Shop.Marker',
      'method Shop.Marker.value',
    ]);
  });

  it.each([
    [
      'Shop',
      `@Service
@Entity(name = "x")
public abstract class Shop<T extends Item & Comparable<T>>
    extends Base<T>
    implements Seller, AutoCloseable`,
    ],
    ['Shop.LIMIT', 'public static final int LIMIT = 10;'],
    ['Shop.table', 'private final Map<String, Integer> table = new HashMap<>()'],
    [
      'Shop.Shop',
      `@Inject
  public Shop(
      @Named("x") String name,
      int... sizes) throws IOException`,
    ],
    [
      'Shop.find',
      `@Override
  public <K> List<K> find(K key) throws A, B`,
    ],
    ['Shop.open', 'protected abstract void open();'],
    ['Shop.Color', 'enum Color implements Paint'],
    ['Shop.Color.GREEN', '@Deprecated GREEN'],
    ['Shop.Seller.stop', 'default void stop()'],
    ['Shop.Point', 'record Point(int x, @NonNull int y) implements Serializable'],
    ['Shop.Point.y', '@NonNull int y'],
    ['Shop.Point.Point', 'Point'],
    ['Shop.Marker.value', 'String value() default "x";'],
  ])('keeps the whole header of %s', async (name, signature) => {
    const symbol = await symbolsByName(SNIPPET);
    expect(symbol(name)?.signature).toBe(signature);
  });

  it('reads doc lines', async () => {
    const symbol = await symbolsByName(SNIPPET);
    expect(symbol('Shop')?.doc).toBe('Sells things.');
  });

  it.each([
    ['import a.b.C;', [{ kind: 'import', specifier: 'a.b', names: ['C'] }]],
    ['import a.b.*;', [{ kind: 'import', specifier: 'a.b', names: ['*'] }]],
    ['import static a.b.C.m;', [{ kind: 'import', specifier: 'a.b.C', names: ['m'] }]],
    ['import static a.b.C.*;', [{ kind: 'import', specifier: 'a.b.C', names: ['*'] }]],
    ['import a . b . C ;', [{ kind: 'import', specifier: 'a.b', names: ['C'] }]],
    ['package com.acme.shop;', [{ kind: 'package', specifier: 'com.acme.shop', names: [] }]],
    ['@Deprecated package a;', [{ kind: 'package', specifier: 'a', names: [] }]],
  ])('reads %j', (statement, imports) => {
    expect(readJavaImport(statement)).toEqual(imports);
  });

  it('finds the imports of a file', async () => {
    const { imports } = await parseWith(java, SNIPPET);
    expect(imports.map(({ kind, specifier, line }) => `${line} ${kind} ${specifier}`)).toEqual([
      '1 package com.acme.shop',
      '3 import java.util',
      '4 import java.util',
      '5 import java.lang.Math',
    ]);
  });

  it('finds each name of a declaration that has many', async () => {
    const parsed = await parseWith(java, 'class A { int left, right = 2; }');
    expect(parsed.symbols.map(({ name }) => name)).toEqual(expect.arrayContaining(['left', 'right']));
  });

  it('shows a file without its bodies', async () => {
    expect(await viewWith(java, SNIPPET)).toMatchInlineSnapshot(`
      "package com.acme.shop;
      import java.util.List;
      import java.util.*;
      import static java.lang.Math.max;
      ⋮ 7-9
      @Service
      @Entity(name = "x")
      public abstract class Shop<T extends Item & Comparable<T>>
          extends Base<T>
          implements Seller, AutoCloseable {
        public static final int LIMIT = 10;
        private final Map<String, Integer> table = new HashMap<>() { ⋮ 17-18 };
        static final Comparator<Item> BY_NAME = new Comparator<>() { ⋮ 20-21 };
        @Inject
        public Shop(
            @Named("x") String name,
            int... sizes) throws IOException { ⋮ 27-29 }
        @Override
        public <K> List<K> find(K key) throws A, B { ⋮ 33-35 }
        protected abstract void open();
        enum Color implements Paint {
          RED("r") { ⋮ 41-42 }
          @Deprecated GREEN;
          private final String code;
          Color(String code) { this.code = code; }
          @Override
          public <K> List<K> find(K key) throws A, B { ⋮ 48-49 }
        }
        interface Seller {
          int MAX = 1;
          void sell();
          default void stop() { ⋮ 56 }
        }
        record Point(int x, @NonNull int y) implements Serializable {
          Point { ⋮ 61-62 }
          static Point zero() { ⋮ 64-65 }
        }
        @interface Marker {
          String value() default "x";
        }
      }"
    `);
  });

  it('finds the rest of a file that lacks a bracket', async () => {
    const broken = SNIPPET.replace(
      `    Runnable hidden = () -> {};
    return null;
  }
`,
      `    Runnable hidden = () -> {};
    return null;
`,
    );
    const parsed = await parseWith(java, broken);
    const names = new Set(parsed.symbols.map(({ name }) => name));
    expect(parsed.hasSyntaxErrors).toBe(true);
    const lost = (await parseWith(java, SNIPPET)).symbols.filter(({ name }) => !names.has(name));
    expect(lost.map(({ name }) => name)).toEqual(['open', 'code', 'MAX', 'x', 'y']);
  });

  it('survives any content', async () => {
    await expectSurvivesMutations(java, SNIPPET);
  });

  it('knows its tests by their path', () => {
    expect(java.testPaths?.test('src/test/java/a/ShopHelper.java')).toBe(true);
    expect(java.testPaths?.test('a/ShopTest.java')).toBe(true);
    expect(java.testedNames?.('a/ShopTest.java')).toContain('Shop.java');
    expect(java.testPaths?.test('a/TestShop.java')).toBe(true);
    expect(java.testedNames?.('a/TestShop.java')).toContain('Shop.java');
    expect(java.testPaths?.test('a/ShopIT.java')).toBe(true);
    expect(java.testedNames?.('a/ShopIT.java')).toContain('Shop.java');
    expect(java.testPaths?.test('a/Contest.java')).toBe(false);
  });
});
