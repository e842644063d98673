import { describe, expect, it } from 'vitest';
import { outline } from '../../../../test/support/parse-snippet.ts';
import { expectSurvivesMutations, parseWith, viewWith } from '../../../../test/support/parse-with.ts';
import { go, readGoImport } from './go.ts';

const SNIPPET = `// Package shop sells things.
package shop

import "fmt"
import (
	"net/http"
	log "github.com/sirupsen/logrus" // "not/this"
	. "math"
	_ "embed"
)

// Limit is the most.
const Limit = 10

const (
	Red Color = iota
	Green
)

var (
	table = map[string]int{
		"x": 1,
	}
	ErrGone = errors.New("gone")
	handler = func(x int) error {
		return nil
	}
)

type Color int
type Alias = http.Handler

// Point is a point.
type Point struct {
	*Base
	http.Client
	X     int \`json:"x"\`
	Inner struct {
		Deep string
	}
}

type (
	Set[T comparable] map[T]struct{}
	Pair              struct{ Left string }
)

type Store interface {
	Base
	Get(
		key string,
		opts ...Option,
	) (value string, err error)
}

// New makes a store.
func New[T any, K comparable](a T) (*Store, error) {
	local := func() {}
	var inner = 1
	type hidden struct{ A int }
	return nil, nil
}

func (s *Set[T]) Run(
	v T,
) error {
	return nil
}

func (p *Pair) Run(
	v T,
) error {
	return nil
}

func external(x int) int
`;

/** Symbols by their name with all containers: `Shop.open`. */
async function symbolsByName(text: string) {
  const parsed = await parseWith(go, text);
  const names = outline(parsed).map((line) => line.slice(line.indexOf(' ') + 1));
  return (name: string) => parsed.symbols[names.indexOf(name)];
}

describe('go', () => {
  it('finds every definition, nested and in order', async () => {
    const parsed = await parseWith(go, SNIPPET);
    expect(parsed.hasSyntaxErrors).toBe(false);
    expect(outline(parsed)).toEqual([
      'module shop',
      'constant Limit',
      'constant Red',
      'constant Green',
      'variable table',
      'variable ErrGone',
      'variable handler',
      'type Color',
      'type Alias',
      'struct Point',
      'property Point.Base',
      'property Point.Client',
      'property Point.X',
      'property Point.Inner',
      'property Point.Inner.Deep',
      'type Set',
      'struct Pair',
      'property Pair.Left',
      'interface Store',
      'method Store.Get',
      'function New',
      'method Run',
      'method Run',
      'function external',
    ]);
  });

  it.each([
    ['Limit', 'const Limit = 10'],
    ['table', 'table = map[string]int'],
    ['ErrGone', 'ErrGone = errors.New("gone")'],
    ['handler', 'handler = func(x int) error'],
    ['Point.X', 'X     int `json:"x"`'],
    ['Set', 'Set[T comparable] map[T]struct{}'],
    ['Pair', 'Pair              struct'],
    ['Store', 'type Store interface'],
    [
      'Store.Get',
      `Get(
		key string,
		opts ...Option,
	) (value string, err error)`,
    ],
    ['New', 'func New[T any, K comparable](a T) (*Store, error)'],
    [
      'Run',
      `func (s *Set[T]) Run(
	v T,
) error`,
    ],
    ['external', 'func external(x int) int'],
  ])('keeps the whole header of %s', async (name, signature) => {
    const symbol = await symbolsByName(SNIPPET);
    expect(symbol(name)?.signature).toBe(signature);
  });

  it('reads doc lines', async () => {
    const symbol = await symbolsByName(SNIPPET);
    expect(symbol('shop')?.doc).toBe('Package shop sells things.');
    expect(symbol('Limit')?.doc).toBe('Limit is the most.');
    expect(symbol('Point')?.doc).toBe('Point is a point.');
    expect(symbol('New')?.doc).toBe('New makes a store.');
  });

  it.each([
    ['import "fmt"', [{ kind: 'import', specifier: 'fmt', names: [] }]],
    ['import f "fmt"', [{ kind: 'import', specifier: 'fmt', names: [] }]],
    ['import . "math"', [{ kind: 'import', specifier: 'math', names: ['*'] }]],
    ['import _ `embed`', [{ kind: 'import', specifier: 'embed', names: [] }]],
    [
      `import (
	"a/b" // "no"
	x "c"
	/* "no" */
)`,
      [
        { kind: 'import', specifier: 'a/b', names: [] },
        { kind: 'import', specifier: 'c', names: [] },
      ],
    ],
    ['package shop', [{ kind: 'package', specifier: 'shop', names: [] }]],
  ])('reads %j', (statement, imports) => {
    expect(readGoImport(statement)).toEqual(imports);
  });

  it('finds the imports of a file', async () => {
    const { imports } = await parseWith(go, SNIPPET);
    expect(imports.map(({ kind, specifier, line }) => `${line} ${kind} ${specifier}`)).toEqual([
      '2 package shop',
      '4 import fmt',
      '5 import net/http',
      '5 import github.com/sirupsen/logrus',
      '5 import math',
      '5 import embed',
    ]);
  });

  it('finds each name of a declaration that has many', async () => {
    const parsed = await parseWith(
      go,
      `package a

var left, right = 1, 2

type P struct{ X, Y int }

const (
	A, B = 1, 2
)
`,
    );
    expect(parsed.symbols.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['left', 'right', 'X', 'Y', 'A', 'B']),
    );
  });

  it('shows a file without its bodies', async () => {
    expect(await viewWith(go, SNIPPET)).toMatchInlineSnapshot(`
      "⋮ 1
      package shop
      import "fmt"
      import (
      	"net/http"
      	log "github.com/sirupsen/logrus" // "not/this"
      	. "math"
      	_ "embed"
      )
      ⋮ 12
      const Limit = 10
      	⋮ 15
      	Red Color = iota
      	Green
      	⋮ 18-20
      	table = map[string]int { ⋮ 22-23 }
      	ErrGone = errors.New("gone")
      	handler = func(x int) error { ⋮ 26-27 }
      ⋮ 28-29
      type Color int
      type Alias = http.Handler
      ⋮ 33
      type Point struct {
      	*Base
      	http.Client
      	X     int \`json:"x"\`
      	Inner struct {
      		Deep string
      	}
      }
      	⋮ 43
      	Set[T comparable] map[T]struct{}
      	Pair              struct{ Left string }
      ⋮ 46-47
      type Store interface {
      	⋮ 49
      	Get(
      		key string,
      		opts ...Option,
      	) (value string, err error)
      }
      ⋮ 56
      func New[T any, K comparable](a T) (*Store, error) { ⋮ 58-62 }
      func (s *Set[T]) Run(
      	v T,
      ) error { ⋮ 67-68 }
      func (p *Pair) Run(
      	v T,
      ) error { ⋮ 73-74 }
      func external(x int) int"
    `);
  });

  it('finds the rest of a file that lacks a bracket', async () => {
    const broken = SNIPPET.replace(
      `	return nil, nil
}
`,
      `	return nil, nil
`,
    );
    const parsed = await parseWith(go, broken);
    const names = new Set(parsed.symbols.map(({ name }) => name));
    expect(parsed.hasSyntaxErrors).toBe(true);
    const lost = (await parseWith(go, SNIPPET)).symbols.filter(({ name }) => !names.has(name));
    expect(lost.map(({ name }) => name)).toEqual(['Run', 'Run']);
  });

  it('survives any content', async () => {
    await expectSurvivesMutations(go, SNIPPET);
  });

  it('knows its tests by their path', () => {
    expect(go.testPaths?.test('shop/cart_test.go')).toBe(true);
    expect(go.testedNames?.('shop/cart_test.go')).toContain('cart.go');
    expect(go.testPaths?.test('shop/cart.go')).toBe(false);
  });
});
