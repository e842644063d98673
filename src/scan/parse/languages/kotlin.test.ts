import { describe, expect, it } from 'vitest';
import { outline, parseSnippet } from '../../../../test/support/parse-snippet.ts';
import { expectSurvivesMutations, parseWith, viewWith } from '../../../../test/support/parse-with.ts';
import { kotlin, readKotlinImport } from './kotlin.ts';

const SNIPPET = `@file:JvmName("Shop")
package com.acme.shop

import java.util.*
import com.acme.Foo as Bar
import com.acme.topLevel

/** The most. */
const val LIMIT: Int = 10
var counter = mapOf(
    "a" to 1,
)
val String.shout: String
    get() = uppercase()
typealias Handler<T> = (T) -> Unit

/** A user. */
@Serializable
data class User<out T : Any>(
    val name: String,
    private var age: Int = 3,
    plain: Int,
) : Base(name), Named where T : Comparable<T> {
    lateinit var later: String
    constructor(x: Int) : this("a", x) {
        run()
    }
    override suspend fun <K> find(
        key: K,
        block: (K) -> Unit = {},
    ): List<K> where K : Any {
        val hidden = 1
        fun local() {}
        return emptyList()
    }
    abstract fun open()
    companion object {
        const val MAX = 1
        fun create() = User()
    }
    object Single : Foo {
        abstract fun open()
    }
}
sealed interface Shape {
    fun draw()
    val sides: Int
}
fun interface Op {
    fun go(x: Int): Int
}
enum class Color(val rgb: Int) : Paint {
    RED(1),
    GREEN(2);
    fun code() = rgb
}
internal inline fun <reified T> List<T>.go(): Int {
    return 1
}
`;

/** Symbols by their name with all containers: `Shop.open`. */
async function symbolsByName(text: string) {
  const parsed = await parseWith(kotlin, text);
  const names = outline(parsed).map((line) => line.slice(line.indexOf(' ') + 1));
  return (name: string) => parsed.symbols[names.indexOf(name)];
}

describe('kotlin', () => {
  it('finds every definition, nested and in order', async () => {
    const parsed = await parseWith(kotlin, SNIPPET);
    expect(parsed.hasSyntaxErrors).toBe(true);
    expect(outline(parsed)).toEqual([
      'module com.acme.shop',
      'constant LIMIT',
      'variable counter',
      'variable shout',
      'type Handler',
      'class User',
      'property User.name',
      'property User.age',
      'property User.later',
      'constructor User.constructor',
      'method User.find',
      'method User.open',
      'class User.Companion',
      'constant User.Companion.MAX',
      'method User.Companion.create',
      'class User.Single',
      'method User.Single.open',
      'interface Shape',
      'method Shape.draw',
      'property Shape.sides',
      'interface Op',
      'method Op.go',
      'enum Color',
      'property Color.rgb',
      'enum-member Color.RED',
      'enum-member Color.GREEN',
      'method Color.code',
      'function go',
    ]);
  });

  it.each([
    ['LIMIT', 'const val LIMIT: Int = 10'],
    ['counter', 'var counter = mapOf'],
    ['shout', 'val String.shout: String'],
    ['Handler', 'typealias Handler<T> = (T) -> Unit'],
    [
      'User',
      `@Serializable
data class User<out T : Any>(
    val name: String,
    private var age: Int = 3,
    plain: Int,
) : Base(name), Named where T : Comparable<T>`,
    ],
    ['User.age', 'private var age: Int = 3'],
    ['User.constructor', 'constructor(x: Int) : this("a", x)'],
    [
      'User.find',
      `override suspend fun <K> find(
        key: K,
        block: (K) -> Unit = {},
    ): List<K> where K : Any`,
    ],
    ['User.Companion', 'companion object'],
    ['User.Companion.create', 'fun create()'],
    ['Op', 'fun interface Op'],
    ['Color', 'enum class Color(val rgb: Int) : Paint'],
    ['Color.RED', 'RED(1)'],
    ['go', 'internal inline fun <reified T> List<T>.go(): Int'],
  ])('keeps the whole header of %s', async (name, signature) => {
    const symbol = await symbolsByName(SNIPPET);
    expect(symbol(name)?.signature).toBe(signature);
  });

  it('reads doc lines', async () => {
    const symbol = await symbolsByName(SNIPPET);
    expect(symbol('LIMIT')?.doc).toBe('The most.');
    expect(symbol('User')?.doc).toBe('A user.');
  });

  it.each([
    ['import a.b.C', [{ kind: 'import', specifier: 'a.b', names: ['C'] }]],
    ['import a.b.*', [{ kind: 'import', specifier: 'a.b', names: ['*'] }]],
    ['import a.b.C as D', [{ kind: 'import', specifier: 'a.b', names: ['C as D'] }]],
    ['import a.b.`is` as `in`', [{ kind: 'import', specifier: 'a.b', names: ['is as in'] }]],
    ['import a.`in`.C', [{ kind: 'import', specifier: 'a.in', names: ['C'] }]],
    ['import solo', [{ kind: 'import', specifier: 'solo', names: [] }]],
    ['package com.acme.shop', [{ kind: 'package', specifier: 'com.acme.shop', names: [] }]],
  ])('reads %j', (statement, imports) => {
    expect(readKotlinImport(statement)).toEqual(imports);
  });

  it('finds the imports of a file', async () => {
    const { imports } = await parseWith(kotlin, SNIPPET);
    expect(imports.map(({ kind, specifier, line }) => `${line} ${kind} ${specifier}`)).toEqual([
      '2 package com.acme.shop',
      '4 import java.util',
      '5 import com.acme',
      '6 import com.acme',
    ]);
  });

  it('shows a file without its bodies', async () => {
    expect(await viewWith(kotlin, SNIPPET)).toMatchInlineSnapshot(`
      "⋮ 1
      package com.acme.shop
      import java.util.*
      import com.acme.Foo as Bar
      import com.acme.topLevel

      /** The most. */
      const val LIMIT: Int = 10
      var counter = mapOf ( ⋮ 11-12 )
      val String.shout: String
      ⋮ 14
      typealias Handler<T> = (T) -> Unit
      ⋮ 17
      @Serializable
      data class User<out T : Any>(
          val name: String,
          private var age: Int = 3,
          plain: Int,
      ) : Base(name), Named where T : Comparable<T> {
          lateinit var later: String
          constructor(x: Int) : this("a", x) { ⋮ 26-27 }
          override suspend fun <K> find(
              key: K,
              block: (K) -> Unit = {},
          ): List<K> where K : Any { ⋮ 32-35 }
          abstract fun open()
          companion object {
              const val MAX = 1
              fun create() = User()
          }
          object Single : Foo {
              abstract fun open()
          }
      }
      sealed interface Shape {
          fun draw()
          val sides: Int
      }
      fun interface Op {
          fun go(x: Int): Int
      }
      enum class Color(val rgb: Int) : Paint {
          RED(1),
          GREEN(2);
          fun code() = rgb
      }
      internal inline fun <reified T> List<T>.go(): Int { ⋮ 58-59 }"
    `);
  });

  it('finds the rest of a file that lacks a bracket', async () => {
    const broken = SNIPPET.replace(
      `        run()
    }
`,
      `        run()
`,
    );
    const parsed = await parseWith(kotlin, broken);
    const names = new Set(parsed.symbols.map(({ name }) => name));
    expect(parsed.hasSyntaxErrors).toBe(true);
    const lost = (await parseWith(kotlin, SNIPPET)).symbols.filter(({ name }) => !names.has(name));
    expect(lost.map(({ name }) => name)).toEqual(['find', 'Companion', 'MAX']);
  });

  it('survives any content', async () => {
    await expectSurvivesMutations(kotlin, SNIPPET);
  });

  it('knows its tests by their path', () => {
    expect(kotlin.testPaths?.test('src/test/kotlin/Helper.kt')).toBe(true);
    expect(kotlin.testPaths?.test('a/ShopTest.kt')).toBe(true);
    expect(kotlin.testedNames?.('a/ShopTest.kt')).toContain('Shop.kt');
    expect(kotlin.testPaths?.test('a/Shop.kt')).toBe(false);
  });

  it('reads a class with its primary constructor below its name', async () => {
    const header = 'class Secret\n@Inject\ninternal constructor(val key: Key) : Base<Key>()';
    const text = `${header} {\n  fun reveal(): String {\n    return key.text\n  }\n}\n`;
    const symbol = await symbolsByName(text);
    expect(symbol('Secret')).toMatchObject({ kind: 'class', signature: header, end: text.length - 1 });
    expect(symbol('Secret.reveal')).toMatchObject({ kind: 'method', signature: 'fun reveal(): String' });
  });

  it('an expression that the grammar cannot read loses only itself', async () => {
    const text =
      'class Outer {\n  fun first() = run {\n    when { else -> return exclude@{ it -> for (a in this) 1 } }\n  }\n  fun second() {}\n}\n';
    expect(outline(await parseSnippet('kotlin', text))).toEqual([
      'class Outer',
      'method Outer.first',
      'method Outer.second',
    ]);
  });
});
