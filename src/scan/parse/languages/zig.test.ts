import { describe, expect, it } from 'vitest';
import { outline } from '../../../../test/support/parse-snippet.ts';
import { expectSurvivesMutations, parseWith, viewWith } from '../../../../test/support/parse-with.ts';
import { readZigImport, zig } from './zig.ts';

const SNIPPET = `//! Points.
const std = @import("std");
pub const Bar = @import("bar.zig").Bar;

/// The most.
pub const limit: usize = 10;
threadlocal var counter: u8 = undefined;
const table = [_]u8{
    1,
    2,
};

/// A point.
pub const Point = struct {
    /// Across.
    x: f32 = 0,
    const Self = @This();

    pub fn init(
        x: f32,
        y: f32,
    ) Point {
        const hidden = 1;
        return .{ .x = x };
    }
    pub inline fn add(self: *Self, comptime T: type) !void {
        _ = T;
    }
};
const Color = enum(u8) {
    red = 1,
    green,
    pub inline fn add(self: *Self, comptime T: type) !void {
        _ = T;
    }
};
const Value = union(enum) { int: i32, none };
const Failure = error{ OutOfMemory, Bad };
const Flags = packed struct(u8) { a: u4 };
extern fn cfn(x: c_int) c_int;
pub fn List(comptime T: type) type {
    return struct {
        items: []T,
        pub fn push(self: *@This(), x: T) void {
            _ = x;
        }
    };
}
test "adds" {
    try std.testing.expect(true);
}
`;

/** Symbols by their name with all containers: `Shop.open`. */
async function symbolsByName(text: string) {
  const parsed = await parseWith(zig, text);
  const names = outline(parsed).map((line) => line.slice(line.indexOf(' ') + 1));
  return (name: string) => parsed.symbols[names.indexOf(name)];
}

describe('zig', () => {
  it('finds every definition, nested and in order', async () => {
    const parsed = await parseWith(zig, SNIPPET);
    expect(parsed.hasSyntaxErrors).toBe(false);
    expect(outline(parsed)).toEqual([
      'constant Bar',
      'constant limit',
      'variable counter',
      'constant table',
      'struct Point',
      'property Point.x',
      'constant Point.Self',
      'method Point.init',
      'method Point.add',
      'enum Color',
      'enum-member Color.red',
      'enum-member Color.green',
      'method Color.add',
      'union Value',
      'property Value.int',
      'property Value.none',
      'enum Failure',
      'enum-member Failure.OutOfMemory',
      'enum-member Failure.Bad',
      'struct Flags',
      'property Flags.a',
      'function cfn',
      'struct List',
      'property List.items',
      'method List.push',
      'test adds',
    ]);
  });

  it.each([
    ['Bar', 'pub const Bar = @import("bar.zig").Bar;'],
    ['limit', 'pub const limit: usize = 10;'],
    ['counter', 'threadlocal var counter: u8 = undefined;'],
    ['table', 'const table = [_]u8'],
    ['Point', 'pub const Point = struct'],
    ['Point.x', 'x: f32 = 0'],
    [
      'Point.init',
      `pub fn init(
        x: f32,
        y: f32,
    ) Point`,
    ],
    ['Point.add', 'pub inline fn add(self: *Self, comptime T: type) !void'],
    ['Color', 'const Color = enum(u8)'],
    ['Value', 'const Value = union(enum)'],
    ['Failure', 'const Failure = error'],
    ['Flags', 'const Flags = packed struct(u8)'],
    ['cfn', 'extern fn cfn(x: c_int) c_int;'],
    ['List', 'pub fn List(comptime T: type) type'],
    ['adds', 'test "adds"'],
  ])('keeps the whole header of %s', async (name, signature) => {
    const symbol = await symbolsByName(SNIPPET);
    expect(symbol(name)?.signature).toBe(signature);
  });

  it('reads doc lines', async () => {
    const symbol = await symbolsByName(SNIPPET);
    expect(symbol('limit')?.doc).toBe('The most.');
    expect(symbol('Point')?.doc).toBe('A point.');
    expect(symbol('Point.x')?.doc).toBe('Across.');
  });

  it.each([
    ['@import("std")', [{ kind: 'import', specifier: 'std', names: [] }]],
    ['@import("../a.zig")', [{ kind: 'import', specifier: '../a.zig', names: [] }]],
    ['@cInclude("stdio.h")', [{ kind: 'include', specifier: 'stdio.h', names: [] }]],
    ['@embedFile("a.txt")', [{ kind: 'include', specifier: 'a.txt', names: [] }]],
    ['@import(name)', []],
  ])('reads %j', (statement, imports) => {
    expect(readZigImport(statement)).toEqual(imports);
  });

  it('finds the imports of a file', async () => {
    const { imports } = await parseWith(zig, SNIPPET);
    expect(imports.map(({ kind, specifier, line }) => `${line} ${kind} ${specifier}`)).toEqual([
      '2 import std',
      '3 import bar.zig',
    ]);
  });

  it('shows a file without its bodies', async () => {
    expect(await viewWith(zig, SNIPPET)).toMatchInlineSnapshot(`
      "⋮ 1
      const std = @import("std");
      pub const Bar = @import("bar.zig").Bar;
      ⋮ 5
      pub const limit: usize = 10;
      threadlocal var counter: u8 = undefined;
      const table = [_]u8 { ⋮ 9-11 };
      ⋮ 13
      pub const Point = struct {
          ⋮ 15
          x: f32 = 0,
          const Self = @This();
          pub fn init(
              x: f32,
              y: f32,
          ) Point { ⋮ 23-25 }
          pub inline fn add(self: *Self, comptime T: type) !void { ⋮ 27-28 }
      };
      const Color = enum(u8) {
          red = 1,
          green,
          pub inline fn add(self: *Self, comptime T: type) !void { ⋮ 34-35 }
      };
      const Value = union(enum) { int: i32, none };
      const Failure = error{ OutOfMemory, Bad };
      const Flags = packed struct(u8) { a: u4 };
      extern fn cfn(x: c_int) c_int;
      pub fn List(comptime T: type) type {
              ⋮ 42
              items: []T,
              pub fn push(self: *@This(), x: T) void { ⋮ 45-46 }
      ⋮ 47
      }
      test "adds" { ⋮ 50-51 }"
    `);
  });

  it('finds the rest of a file that lacks a bracket', async () => {
    const broken = SNIPPET.replace(
      `        const hidden = 1;
        return .{ .x = x };
    }
`,
      `        const hidden = 1;
        return .{ .x = x };
`,
    );
    const parsed = await parseWith(zig, broken);
    const names = new Set(parsed.symbols.map(({ name }) => name));
    expect(parsed.hasSyntaxErrors).toBe(true);
    const lost = (await parseWith(zig, SNIPPET)).symbols.filter(({ name }) => !names.has(name));
    expect(lost.map(({ name }) => name)).toEqual([]);
  });

  it('survives any content', async () => {
    await expectSurvivesMutations(zig, SNIPPET);
  });

  it('knows its tests by their path', () => {
    expect(zig.testPaths?.test('test/a.zig')).toBe(true);
    expect(zig.testPaths?.test('src/shop_test.zig')).toBe(true);
    expect(zig.testedNames?.('src/shop_test.zig')).toContain('shop.zig');
    expect(zig.testPaths?.test('src/shop.zig')).toBe(false);
  });
});
