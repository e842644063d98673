import { describe, expect, it } from 'vitest';
import { outline } from '../../../../test/support/parse-snippet.ts';
import { expectSurvivesMutations, parseWith, viewWith } from '../../../../test/support/parse-with.ts';
import { readSwiftImport, swift } from './swift.ts';

const SNIPPET = `import Foundation
@testable import MyApp

/// The most.
public let limit: Int = 10
var table: [String: Int] = [
    "a": 1,
]
typealias Handler = (Int) -> Void

/// A shop.
@MainActor
@objc(Shop)
public final class Shop<T: Item>: Base<T>, Seller where T: Hashable {
    static let shared = Shop()
    @Published private(set) var name: String = "x" {
        didSet { print() }
    }
    var count: Int {
        return 1
    }
    lazy var made = { () -> Int in
        return 1
    }()
    init?(
        name: String,
        _ x: Int = 3
    ) throws {
        let hidden = 1
        func local() {}
    }
    deinit { print() }
    @discardableResult
    override func find<K>(_ key: K, by: (K) -> Void = { _ in }) async throws -> [K] where K: Hashable {
        return []
    }
    subscript(i: Int) -> Int { get { i } set { } }
    static func == (a: Shop, b: Shop) -> Bool { true }
    enum Color: String {
        case red = "r"
        case mix(Int, b: String)
    }
    struct Pair {
        var left = 1
        mutating func open() {
            left = 2
        }
    }
}
protocol Seller: AnyObject {
    associatedtype Item: Hashable
    var sides: Int { get set }
    func sell(_ a: Int) throws -> Bool
    init(a: Int)
}
extension Shop: CustomStringConvertible where T: Codable {
    mutating func open() {
        left = 2
    }
}
func topLevel<T>(
    _ x: T
) -> some View {
    x
}
actor Bank { func pay() async {} }
`;

/** Symbols by their name with all containers: `Shop.open`. */
async function symbolsByName(text: string) {
  const parsed = await parseWith(swift, text);
  const names = outline(parsed).map((line) => line.slice(line.indexOf(' ') + 1));
  return (name: string) => parsed.symbols[names.indexOf(name)];
}

describe('swift', () => {
  it('finds every definition, nested and in order', async () => {
    const parsed = await parseWith(swift, SNIPPET);
    expect(parsed.hasSyntaxErrors).toBe(false);
    expect(outline(parsed)).toEqual([
      'variable limit',
      'variable table',
      'type Handler',
      'class Shop',
      'property Shop.shared',
      'property Shop.name',
      'property Shop.count',
      'property Shop.made',
      'constructor Shop.init',
      'method Shop.deinit',
      'method Shop.find',
      'property Shop.subscript',
      'method Shop.==',
      'enum Shop.Color',
      'enum-member Shop.Color.red',
      'enum-member Shop.Color.mix',
      'struct Shop.Pair',
      'property Shop.Pair.left',
      'method Shop.Pair.open',
      'interface Seller',
      'type Seller.Item',
      'property Seller.sides',
      'method Seller.sell',
      'constructor Seller.init',
      'class Shop',
      'method Shop.open',
      'function topLevel',
      'class Bank',
      'method Bank.pay',
    ]);
  });

  it.each([
    ['limit', 'public let limit: Int = 10'],
    ['table', 'var table: [String: Int] ='],
    ['Handler', 'typealias Handler = (Int) -> Void'],
    [
      'Shop',
      `@MainActor
@objc(Shop)
public final class Shop<T: Item>: Base<T>, Seller where T: Hashable`,
    ],
    ['Shop.name', '@Published private(set) var name: String = "x"'],
    ['Shop.count', 'var count: Int'],
    ['Shop.made', 'lazy var made ='],
    [
      'Shop.init',
      `init?(
        name: String,
        _ x: Int = 3
    ) throws`,
    ],
    [
      'Shop.find',
      `@discardableResult
    override func find<K>(_ key: K, by: (K) -> Void = { _ in }) async throws -> [K] where K: Hashable`,
    ],
    ['Shop.subscript', 'subscript(i: Int) -> Int { get { i } set { } }'],
    ['Shop.==', 'static func == (a: Shop, b: Shop) -> Bool'],
    ['Shop.Color.mix', 'case mix(Int, b: String)'],
    ['Seller.Item', 'associatedtype Item: Hashable'],
    ['Seller.sides', 'var sides: Int { get set }'],
    ['Seller.sell', 'func sell(_ a: Int) throws -> Bool'],
    [
      'topLevel',
      `func topLevel<T>(
    _ x: T
) -> some View`,
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
    ['import Foundation', [{ kind: 'import', specifier: 'Foundation', names: [] }]],
    ['@testable import MyApp', [{ kind: 'import', specifier: 'MyApp', names: [] }]],
    ['@_exported import Core', [{ kind: 'reexport', specifier: 'Core', names: [] }]],
    ['import struct Foo.Bar', [{ kind: 'import', specifier: 'Foo', names: ['Bar'] }]],
    ['import Foo.Sub', [{ kind: 'import', specifier: 'Foo.Sub', names: [] }]],
    ['public import Api', [{ kind: 'import', specifier: 'Api', names: [] }]],
  ])('reads %j', (statement, imports) => {
    expect(readSwiftImport(statement)).toEqual(imports);
  });

  it('finds the imports of a file', async () => {
    const { imports } = await parseWith(swift, SNIPPET);
    expect(imports.map(({ kind, specifier, line }) => `${line} ${kind} ${specifier}`)).toEqual([
      '1 import Foundation',
      '2 import MyApp',
    ]);
  });

  it('finds each name of a declaration that has many', async () => {
    const parsed = await parseWith(
      swift,
      `enum A { case left, right }
let a = 1, b = 2
`,
    );
    expect(parsed.symbols.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['left', 'right', 'a', 'b']),
    );
  });

  it('shows a file without its bodies', async () => {
    expect(await viewWith(swift, SNIPPET)).toMatchInlineSnapshot(`
      "import Foundation
      @testable import MyApp
      ⋮ 4
      public let limit: Int = 10
      var table: [String: Int] = [ ⋮ 7-8 ]
      typealias Handler = (Int) -> Void
      ⋮ 11
      @MainActor
      @objc(Shop)
      public final class Shop<T: Item>: Base<T>, Seller where T: Hashable {
          static let shared = Shop()
          @Published private(set) var name: String = "x" { ⋮ 17-18 }
          var count: Int { ⋮ 20-21 }
          lazy var made = { ⋮ 23-24 }()
          init?(
              name: String,
              _ x: Int = 3
          ) throws { ⋮ 29-31 }
          deinit { print() }
          @discardableResult
          override func find<K>(_ key: K, by: (K) -> Void = { _ in }) async throws -> [K] where K: Hashable { ⋮ 35-36 }
          subscript(i: Int) -> Int { get { i } set { } }
          static func == (a: Shop, b: Shop) -> Bool { true }
          enum Color: String {
              case red = "r"
              case mix(Int, b: String)
          }
          struct Pair {
              var left = 1
              mutating func open() { ⋮ 46-47 }
          }
      }
      protocol Seller: AnyObject {
          associatedtype Item: Hashable
          var sides: Int { get set }
          func sell(_ a: Int) throws -> Bool
          init(a: Int)
      }
      extension Shop: CustomStringConvertible where T: Codable {
          mutating func open() { ⋮ 58-59 }
      }
      func topLevel<T>(
          _ x: T
      ) -> some View { ⋮ 64-65 }
      actor Bank { func pay() async {} }"
    `);
  });

  it('finds the rest of a file that lacks a bracket', async () => {
    const broken = SNIPPET.replace(
      `        func local() {}
    }
`,
      `        func local() {}
`,
    );
    const parsed = await parseWith(swift, broken);
    const names = new Set(parsed.symbols.map(({ name }) => name));
    expect(parsed.hasSyntaxErrors).toBe(true);
    const lost = (await parseWith(swift, SNIPPET)).symbols.filter(({ name }) => !names.has(name));
    expect(lost.map(({ name }) => name)).toEqual(['deinit', 'find', 'subscript']);
  });

  it('survives any content', async () => {
    await expectSurvivesMutations(swift, SNIPPET);
  });

  it('knows its tests by their path', () => {
    expect(swift.testPaths?.test('Tests/ShopTests/Helper.swift')).toBe(true);
    expect(swift.testPaths?.test('a/ShopTests.swift')).toBe(true);
    expect(swift.testedNames?.('a/ShopTests.swift')).toContain('Shop.swift');
    expect(swift.testPaths?.test('a/Shop.swift')).toBe(false);
  });
});
