import { describe, expect, it } from 'vitest';
import { outline } from '../../../../test/support/parse-snippet.ts';
import { expectSurvivesMutations, parseWith, viewWith } from '../../../../test/support/parse-with.ts';
import { haskell, readHaskellImport } from './haskell.ts';

const SNIPPET = `{-# LANGUAGE GADTs #-}
-- | Module doc
module A.B.C (foo, Bar(..)) where
import Data.List
import qualified Data.Map as M
import Data.Set (Set, fromList, (<>))
import Data.Char hiding (isDigit)
import "pkg" Foo.Bar as FB
-- | A data.
data Shape a = Circle { radius :: Double, name :: String } | Rect Double Double deriving (Show, Eq)
newtype Wrap a = Wrap { unWrap :: a } deriving Show
type Alias a = [a]
data G a where
  GInt :: Int -> G Int
class (Eq a) => Sized a where
  size :: a -> Int
  size _ = 0
  type Elem a
instance Sized (Shape a) where
  size (Circle r _) = 1
deriving instance Show (G a)
type family F a where
  F Int = Bool
-- | Runs.
run :: Int
    -> Int
run 0 = 1
run n
  | n > 1 = 2
  | otherwise = helper n
  where helper x = x
a, b :: Int
a = 1
b = 2
(<+>) :: Int -> Int -> Int
x <+> y = x
infixl 6 <+>
pattern P x = Just x
foreign import ccall "sin" c_sin :: Double -> Double
main = do
  let y = 1
  print y
(p, q) = (1, 2)
`;

async function signatureOf(name: string): Promise<string | undefined> {
  const { symbols } = await parseWith(haskell, SNIPPET);
  return symbols.find((symbol) => symbol.name === name)?.signature;
}

describe('Haskell', () => {
  it('lists every definition in order, with its kind and container', async () => {
    expect(outline(await parseWith(haskell, SNIPPET))).toEqual([
      'struct Shape',
      'enum-member Shape.Circle',
      'property Shape.Circle.radius',
      'property Shape.Circle.name',
      'enum-member Shape.Rect',
      'struct Wrap',
      'enum-member Wrap.Wrap',
      'property Wrap.Wrap.unWrap',
      'type Alias',
      'struct G',
      'enum-member G.GInt',
      'trait Sized',
      'method Sized.size',
      'type Sized.Elem',
      'class Shape a',
      'method Shape a.size',
      'type F',
      'function run',
      'variable a',
      'variable b',
      'function <+>',
      'function P',
      'function c_sin',
      'variable main',
    ]);
  });

  it.each([
    ['run', 'run :: Int\n    -> Int'],
    ['<+>', '(<+>) :: Int -> Int -> Int'],
    [
      'Shape',
      'data Shape a = Circle { radius :: Double, name :: String } | Rect Double Double deriving (Show, Eq)',
    ],
    ['Sized', 'class (Eq a) => Sized a where'],
    ['main', 'main'],
    ['c_sin', 'foreign import ccall "sin" c_sin :: Double -> Double'],
  ])('keeps the whole header of %s', async (name, signature) => {
    expect(await signatureOf(name)).toBe(signature);
  });

  it('reads imports of every shape', async () => {
    const { imports } = await parseWith(haskell, SNIPPET);
    expect(imports.map(({ endLine, ...reference }) => reference)).toEqual([
      { kind: 'package', specifier: 'A.B.C', names: [], line: 3 },
      { kind: 'import', specifier: 'Data.List', names: [], line: 4 },
      { kind: 'import', specifier: 'Data.Map', names: [], line: 5 },
      { kind: 'import', specifier: 'Data.Set', names: ['Set', 'fromList', '<>'], line: 6 },
      { kind: 'import', specifier: 'Data.Char', names: [], line: 7 },
      { kind: 'import', specifier: 'Foo.Bar', names: [], line: 8 },
    ]);
  });

  it('shows a file without its bodies, equal members included', async () => {
    expect(
      await viewWith(
        haskell,
        `module Reader (run) where

import qualified Data.Map as Map

data Mode
  = Fast
  | Slow
  deriving (Show)

class Runner a where
  run :: a -> IO ()

instance Runner Mode where
  run Fast = go
  run Slow = stop

instance Runner Bool where
  run _ = stop

loop :: Int
     -> IO ()
loop 0 = stop
loop n = go >> loop (n - 1)
`,
      ),
    ).toMatchInlineSnapshot(`
      "⋮ 1-2
      import qualified Data.Map as Map
      data Mode
        = Fast
        | Slow
        ⋮ 8
      class Runner a where
        run :: a -> IO ()
      instance Runner Mode where
        run Fast ⋮ 15
      instance Runner Bool where
        run _ = stop
      loop :: Int
           -> IO () ⋮ 22-23"
    `);
  });

  it('keeps most definitions of broken code', async () => {
    const broken = SNIPPET.replace(`run 0 = 1`, `run 0 = (1`);
    const parsed = await parseWith(haskell, broken);
    expect(parsed.symbols.map((symbol) => symbol.name)).toEqual(
      expect.arrayContaining(['Wrap', 'Alias', 'run', 'Sized']),
    );
  });

  it.each([
    ['import A.B', 'A.B', []],
    ['import qualified A.B as C', 'A.B', []],
    ['import A.B qualified as C', 'A.B', []],
    ['import A (b, C(..), D(E, F), (<>))', 'A', ['b', 'C', 'D', 'E', 'F', '<>']],
    ['import A hiding (b)', 'A', []],
    ['import safe "pkg" A (b)', 'A', ['b']],
    ['import A\n  ( b -- why\n  , c\n  )', 'A', ['b', 'c']],
  ])('reads %s', (statement, specifier, names) => {
    expect(readHaskellImport(statement)).toEqual([{ kind: 'import', specifier, names }]);
  });

  it('survives any content', () => expectSurvivesMutations(haskell, SNIPPET), 20_000);
});
