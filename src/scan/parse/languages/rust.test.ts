import { describe, expect, it } from 'vitest';
import { outline } from '../../../../test/support/parse-snippet.ts';
import { expectSurvivesMutations, parseWith, viewWith } from '../../../../test/support/parse-with.ts';
import { readRustImport, rust } from './rust.ts';

const SNIPPET = `//! Shapes.
use std::collections::HashMap;
pub use crate::x::*;
mod foo;

/// The most.
pub const LIMIT: usize = 10;
pub const TABLE: &[u32] = &[
    1,
    2,
];
static mut COUNTER: AtomicUsize = AtomicUsize::new(0);
pub type Result<T> = std::result::Result<T, Error>;

/// A point.
#[derive(Debug, Clone)]
#[repr(C)]
pub struct Point<T: Copy = f64>
where
    T: Add,
{
    #[serde(default)]
    pub x: T,
    y: T,
}
pub struct Unit;
pub struct Tuple(pub u32, String);
union Bits {
    a: u32,
}
enum Shape {
    Circle { r: f64 },
    #[default]
    Square(f64),
    Empty = 3,
}
pub trait Draw: Debug + 'static {
    type Output: Clone;
    const ID: u32 = 1;
    fn draw(&self) -> Self::Output;
    fn twice(&self) {
        fn local() {}
        const HIDDEN: u32 = 1;
        struct Hidden { a: u32 }
        self.draw();
    }
}
impl<T> Draw for Point<T>
where
    T: Copy,
{
    type Output = ();
    const ID: u32 = 2;
    #[inline]
    fn draw(&self) {
        todo!()
    }
    pub async unsafe fn multi<'a, F>(
        &'a mut self,
        f: F,
    ) -> Result<()>
    where
        F: Fn(u32) -> u32,
    {}
}
impl fmt::Display for &'a mut a::Shape<T> {
    #[inline]
    fn draw(&self) {
        todo!()
    }
}
#[macro_export]
macro_rules! my_vec {
    ($x:expr) => { vec![$x] };
}
extern "C" {
    fn c_func(x: i32) -> i32;
}
#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn works() {}
}
`;

/** Symbols by their name with all containers: `Shop.open`. */
async function symbolsByName(text: string) {
  const parsed = await parseWith(rust, text);
  const names = outline(parsed).map((line) => line.slice(line.indexOf(' ') + 1));
  return (name: string) => parsed.symbols[names.indexOf(name)];
}

describe('rust', () => {
  it('finds every definition, nested and in order', async () => {
    const parsed = await parseWith(rust, SNIPPET);
    expect(parsed.hasSyntaxErrors).toBe(false);
    expect(outline(parsed)).toEqual([
      'constant LIMIT',
      'constant TABLE',
      'variable COUNTER',
      'type Result',
      'struct Point',
      'property Point.x',
      'property Point.y',
      'struct Unit',
      'struct Tuple',
      'union Bits',
      'property Bits.a',
      'enum Shape',
      'enum-member Shape.Circle',
      'property Shape.Circle.r',
      'enum-member Shape.Square',
      'enum-member Shape.Empty',
      'trait Draw',
      'type Draw.Output',
      'constant Draw.ID',
      'method Draw.draw',
      'method Draw.twice',
      'class Point',
      'type Point.Output',
      'constant Point.ID',
      'method Point.draw',
      'method Point.multi',
      'class Shape',
      'method Shape.draw',
      'macro my_vec',
      'function c_func',
      'module tests',
      'function tests.works',
    ]);
  });

  it.each([
    ['LIMIT', 'pub const LIMIT: usize = 10;'],
    ['TABLE', 'pub const TABLE: &[u32] = &'],
    [
      'Point',
      `#[derive(Debug, Clone)]
#[repr(C)]
pub struct Point<T: Copy = f64>
where
    T: Add,`,
    ],
    [
      'Point.x',
      `#[serde(default)]
    pub x: T`,
    ],
    ['Tuple', 'pub struct Tuple(pub u32, String);'],
    ['Shape.Circle', 'Circle { r: f64 }'],
    [
      'Shape.Square',
      `#[default]
    Square(f64)`,
    ],
    ['Draw', "pub trait Draw: Debug + 'static"],
    ['Draw.draw', 'fn draw(&self) -> Self::Output;'],
    ['Draw.twice', 'fn twice(&self)'],
    [
      'my_vec',
      `#[macro_export]
macro_rules! my_vec`,
    ],
    ['c_func', 'fn c_func(x: i32) -> i32;'],
    [
      'tests',
      `#[cfg(test)]
mod tests`,
    ],
    [
      'tests.works',
      `#[test]
    fn works()`,
    ],
  ])('keeps the whole header of %s', async (name, signature) => {
    const symbol = await symbolsByName(SNIPPET);
    expect(symbol(name)?.signature).toBe(signature);
  });

  it('reads doc lines', async () => {
    const symbol = await symbolsByName(SNIPPET);
    expect(symbol('LIMIT')?.doc).toBe('The most.');
    expect(symbol('Point')?.doc).toBe('A point.');
  });

  it.each([
    ['use std::fmt;', [{ kind: 'import', specifier: 'std', names: ['fmt'] }]],
    ['use serde;', [{ kind: 'import', specifier: 'serde', names: [] }]],
    [
      'use a::{b, c::d as e, self};',
      [
        { kind: 'import', specifier: 'a', names: ['b'] },
        { kind: 'import', specifier: 'a::c', names: ['d as e'] },
        { kind: 'import', specifier: 'a', names: [] },
      ],
    ],
    [
      'use a::b::{self as x, *};',
      [
        { kind: 'import', specifier: 'a::b', names: [] },
        { kind: 'import', specifier: 'a::b', names: ['*'] },
      ],
    ],
    [
      `pub(crate) use super::{
    y, // why
    z::{q, r},
};`,
      [
        { kind: 'reexport', specifier: 'super', names: ['y'] },
        { kind: 'reexport', specifier: 'super::z', names: ['q'] },
        { kind: 'reexport', specifier: 'super::z', names: ['r'] },
      ],
    ],
    [
      'use {a::b, ::c::d};',
      [
        { kind: 'import', specifier: 'a', names: ['b'] },
        { kind: 'import', specifier: 'c', names: ['d'] },
      ],
    ],
    ['use r#type::r#fn;', [{ kind: 'import', specifier: 'type', names: ['fn'] }]],
    ['extern crate serde as s;', [{ kind: 'import', specifier: 'serde', names: [] }]],
    ['mod foo;', [{ kind: 'module', specifier: 'foo', names: [] }]],
    ['pub mod r#try;', [{ kind: 'module', specifier: 'try', names: [] }]],
    ['include!("generated.rs")', [{ kind: 'include', specifier: 'generated.rs', names: [] }]],
    ['include_str!(concat!("a", "b"))', []],
  ])('reads %j', (statement, imports) => {
    expect(readRustImport(statement)).toEqual(imports);
  });

  it('finds the imports of a file', async () => {
    const { imports } = await parseWith(rust, SNIPPET);
    expect(imports.map(({ kind, specifier, line }) => `${line} ${kind} ${specifier}`)).toEqual([
      '2 import std::collections',
      '3 reexport crate::x',
      '4 module foo',
      '81 import super',
    ]);
  });

  it('shows a file without its bodies', async () => {
    expect(await viewWith(rust, SNIPPET)).toMatchInlineSnapshot(`
      "⋮ 1
      use std::collections::HashMap;
      pub use crate::x::*;
      mod foo;
      ⋮ 6
      pub const LIMIT: usize = 10;
      pub const TABLE: &[u32] = & [ ⋮ 9-11 ];
      static mut COUNTER: AtomicUsize = AtomicUsize::new(0);
      pub type Result<T> = std::result::Result<T, Error>;
      ⋮ 15
      #[derive(Debug, Clone)]
      #[repr(C)]
      pub struct Point<T: Copy = f64>
      where
          T: Add,
      {
          #[serde(default)]
          pub x: T,
          y: T,
      }
      pub struct Unit;
      pub struct Tuple(pub u32, String);
      union Bits {
          a: u32,
      }
      enum Shape {
          Circle { r: f64 },
          #[default]
          Square(f64),
          Empty = 3,
      }
      pub trait Draw: Debug + 'static {
          type Output: Clone;
          const ID: u32 = 1;
          fn draw(&self) -> Self::Output;
          fn twice(&self) { ⋮ 42-46 }
      }
      impl<T> Draw for Point<T>
      where
          T: Copy,
      {
          type Output = ();
          const ID: u32 = 2;
          #[inline]
          fn draw(&self) { ⋮ 56-57 }
          pub async unsafe fn multi<'a, F>(
              &'a mut self,
              f: F,
          ) -> Result<()>
          where
              F: Fn(u32) -> u32, { ⋮ 64 }
      }
      impl fmt::Display for &'a mut a::Shape<T> {
          #[inline]
          fn draw(&self) { ⋮ 69-70 }
      }
      #[macro_export]
      macro_rules! my_vec { ⋮ 74-75 }
          ⋮ 76
          fn c_func(x: i32) -> i32;
      ⋮ 78
      #[cfg(test)]
      mod tests {
          use super::*;
          #[test]
          fn works() {}
      }"
    `);
  });

  it('finds the rest of a file that lacks a bracket', async () => {
    const broken = SNIPPET.replace(
      `        self.draw();
    }
`,
      `        self.draw();
`,
    );
    const parsed = await parseWith(rust, broken);
    const names = new Set(parsed.symbols.map(({ name }) => name));
    expect(parsed.hasSyntaxErrors).toBe(true);
    const lost = (await parseWith(rust, SNIPPET)).symbols.filter(({ name }) => !names.has(name));
    expect(lost.map(({ name }) => name)).toEqual([]);
  });

  it('survives any content', async () => {
    await expectSurvivesMutations(rust, SNIPPET);
  });

  it('knows its tests by their path', () => {
    expect(rust.testPaths?.test('tests/api.rs')).toBe(true);
    expect(rust.testedNames?.('tests/api.rs')).toContain('api.rs');
    expect(rust.testPaths?.test('src/net/tests.rs')).toBe(true);
    expect(rust.testedNames?.('src/net/tests.rs')).toContain('mod.rs');
    expect(rust.testPaths?.test('src/latest.rs')).toBe(false);
  });
});
