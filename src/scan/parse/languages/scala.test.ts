import { describe, expect, it } from 'vitest';
import { outline } from '../../../../test/support/parse-snippet.ts';
import { expectSurvivesMutations, parseWith, viewWith } from '../../../../test/support/parse-with.ts';
import { readScalaImport, scala } from './scala.ts';

const SNIPPET = `// the shop
package com.acme
package shop

import scala.collection.mutable
import a.b.{C, D => E, F as G, _}

@deprecated("x", "1")
sealed abstract class Shop[T <: Item](val name: String, plain: Int)(implicit ec: Ctx)
    extends Base[T](name)
    with Seller {
  type Out = Int
  val limit: Int = 10
  lazy val table = Map(
    "a" -> 1,
  )
  def this(x: Int) = this("a", x)
  /** Finds. */
  override def find[K](
      key: K,
  )(implicit ord: Ordering[K]): List[K] = {
    val hidden = 1
    def local() = 2
    Nil
  }
  def open(): Unit
  var state: Int
}
case class Point(x: Int, y: Int)
object Shop {
  def open(): Unit
}
trait Seller { self: Shop =>
  def sell(): Unit
}
enum Color(val rgb: Int) extends Paint:
  case Red extends Color(1)
  case Green, Blue
  case Mix(m: Int)
  def code = rgb
given intOrd: Ordering[Int] with
  def compare(x: Int, y: Int): Int = 0
given Ordering[String] = ???
extension [T](xs: List[T])(using q: Q)
  def second: T = xs(1)
  def third(n: Int): T = xs(n)
def topLevel(x: Int): Int =
  val q = 1
  q
opaque type Id = Long
implicit class Rich(val s: String) extends AnyVal { def size = s }
`;

/** Symbols by their name with all containers: `Shop.open`. */
async function symbolsByName(text: string) {
  const parsed = await parseWith(scala, text);
  const names = outline(parsed).map((line) => line.slice(line.indexOf(' ') + 1));
  return (name: string) => parsed.symbols[names.indexOf(name)];
}

describe('scala', () => {
  it('finds every definition, nested and in order', async () => {
    const parsed = await parseWith(scala, SNIPPET);
    expect(parsed.hasSyntaxErrors).toBe(false);
    expect(outline(parsed)).toEqual([
      'module com.acme',
      'module shop',
      'class Shop',
      'property Shop.name',
      'type Shop.Out',
      'property Shop.limit',
      'property Shop.table',
      'constructor Shop.this',
      'method Shop.find',
      'method Shop.open',
      'property Shop.state',
      'class Point',
      'property Point.x',
      'property Point.y',
      'class Shop',
      'method Shop.open',
      'trait Seller',
      'method Seller.sell',
      'enum Color',
      'property Color.rgb',
      'enum-member Color.Red',
      'enum-member Color.Green',
      'enum-member Color.Blue',
      'enum-member Color.Mix',
      'method Color.code',
      'class intOrd',
      'method intOrd.compare',
      'variable Ordering[String]',
      'class List',
      'method List.second',
      'method List.third',
      'function topLevel',
      'type Id',
      'class Rich',
      'property Rich.s',
      'method Rich.size',
    ]);
  });

  it.each([
    [
      'Shop',
      `@deprecated("x", "1")
sealed abstract class Shop[T <: Item](val name: String, plain: Int)(implicit ec: Ctx)
    extends Base[T](name)
    with Seller`,
    ],
    ['Shop.limit', 'val limit: Int = 10'],
    ['Shop.table', 'lazy val table = Map'],
    ['Shop.this', 'def this(x: Int) ='],
    [
      'Shop.find',
      `override def find[K](
      key: K,
  )(implicit ord: Ordering[K]): List[K] =`,
    ],
    ['Shop.open', 'def open(): Unit'],
    ['Shop.state', 'var state: Int'],
    ['Point', 'case class Point(x: Int, y: Int)'],
    ['Color', 'enum Color(val rgb: Int) extends Paint'],
    ['Color.Mix', 'Mix(m: Int)'],
    ['intOrd', 'given intOrd: Ordering[Int] with'],
    ['Ordering[String]', 'given Ordering[String] = ???'],
    ['List', 'extension [T](xs: List[T])(using q: Q)'],
    ['List.third', 'def third(n: Int): T ='],
    ['topLevel', 'def topLevel(x: Int): Int ='],
    ['Id', 'opaque type Id = Long'],
  ])('keeps the whole header of %s', async (name, signature) => {
    const symbol = await symbolsByName(SNIPPET);
    expect(symbol(name)?.signature).toBe(signature);
  });

  it('reads doc lines', async () => {
    const symbol = await symbolsByName(SNIPPET);
    expect(symbol('Shop.find')?.doc).toBe('Finds.');
  });

  it.each([
    ['import a.b.C', [{ kind: 'import', specifier: 'a.b', names: ['C'] }]],
    ['import a.b._', [{ kind: 'import', specifier: 'a.b', names: ['*'] }]],
    ['import a.b.*', [{ kind: 'import', specifier: 'a.b', names: ['*'] }]],
    ['import a.b.given', [{ kind: 'import', specifier: 'a.b', names: ['*'] }]],
    [
      'import a.b.{C, D => E, F as G, H => _, given Q, _}',
      [{ kind: 'import', specifier: 'a.b', names: ['C', 'D as E', 'F as G', '*'] }],
    ],
    [
      'import x.y.Z, q.r.{S, T}',
      [
        { kind: 'import', specifier: 'x.y', names: ['Z'] },
        { kind: 'import', specifier: 'q.r', names: ['S', 'T'] },
      ],
    ],
    ['import a.b.{C=>D}', [{ kind: 'import', specifier: 'a.b', names: ['C as D'] }]],
    [
      'import a.b.C as D, e.F',
      [
        { kind: 'import', specifier: 'a.b', names: ['C as D'] },
        { kind: 'import', specifier: 'e', names: ['F'] },
      ],
    ],
    ['export inner.{a as b}', [{ kind: 'reexport', specifier: 'inner', names: ['a as b'] }]],
    ['import solo', [{ kind: 'import', specifier: 'solo', names: [] }]],
    ['export inner.{a, b}', [{ kind: 'reexport', specifier: 'inner', names: ['a', 'b'] }]],
    [
      `package a.b
package c

object X`,
      [
        { kind: 'package', specifier: 'a.b', names: [] },
        { kind: 'package', specifier: 'a.b.c', names: [] },
      ],
    ],
    [
      `// c
package a {`,
      [{ kind: 'package', specifier: 'a', names: [] }],
    ],
  ])('reads %j', (statement, imports) => {
    expect(readScalaImport(statement)).toEqual(imports);
  });

  it('finds the imports of a file', async () => {
    const { imports } = await parseWith(scala, SNIPPET);
    expect(imports.map(({ kind, specifier, line }) => `${line} ${kind} ${specifier}`)).toEqual([
      '1 package com.acme',
      '1 package com.acme.shop',
      '5 import scala.collection',
      '6 import a.b',
    ]);
  });

  it('finds each name of a declaration that has many', async () => {
    const parsed = await parseWith(scala, 'class A { val (left, right) = (1, 2); var a, b = 3 }');
    expect(parsed.symbols.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['left', 'right', 'a', 'b']),
    );
  });

  it('shows a file without its bodies', async () => {
    expect(await viewWith(scala, SNIPPET)).toMatchInlineSnapshot(`
      "⋮ 1
      package com.acme
      package shop
      import scala.collection.mutable
      import a.b.{C, D => E, F as G, _}
      @deprecated("x", "1")
      sealed abstract class Shop[T <: Item](val name: String, plain: Int)(implicit ec: Ctx)
          extends Base[T](name)
          with Seller {
        type Out = Int
        val limit: Int = 10
        lazy val table = Map ( ⋮ 15-16 )
        def this(x: Int) = this("a", x)
        ⋮ 18
        override def find[K](
            key: K,
        )(implicit ord: Ordering[K]): List[K] = { ⋮ 22-25 }
        def open(): Unit
        var state: Int
      }
      case class Point(x: Int, y: Int)
      object Shop {
        def open(): Unit
      }
      trait Seller { self: Shop =>
        def sell(): Unit
      }
      enum Color(val rgb: Int) extends Paint:
        case Red extends Color(1)
        case Green, Blue
        case Mix(m: Int)
        def code = rgb
      given intOrd: Ordering[Int] with
        def compare(x: Int, y: Int): Int = 0
      given Ordering[String] = ???
      extension [T](xs: List[T])(using q: Q)
        def second: T = xs(1)
        def third(n: Int): T = xs(n)
      def topLevel(x: Int): Int = ⋮ 48-49
      opaque type Id = Long
      implicit class Rich(val s: String) extends AnyVal { def size = s }"
    `);
  });

  it('finds the rest of a file that lacks a bracket', async () => {
    const broken = SNIPPET.replace(
      `    def local() = 2
    Nil
  }
`,
      `    def local() = 2
    Nil
`,
    );
    const parsed = await parseWith(scala, broken);
    const names = new Set(parsed.symbols.map(({ name }) => name));
    expect(parsed.hasSyntaxErrors).toBe(true);
    const lost = (await parseWith(scala, SNIPPET)).symbols.filter(({ name }) => !names.has(name));
    expect(lost.map(({ name }) => name)).toEqual(['state']);
  });

  it('survives any content', async () => {
    await expectSurvivesMutations(scala, SNIPPET);
  });

  it('knows its tests by their path', () => {
    expect(scala.testPaths?.test('core/src/test/scala/a/Helper.scala')).toBe(true);
    expect(scala.testPaths?.test('a/ShopSpec.scala')).toBe(true);
    expect(scala.testedNames?.('a/ShopSpec.scala')).toContain('Shop.scala');
    expect(scala.testPaths?.test('a/Shop.scala')).toBe(false);
  });
});
