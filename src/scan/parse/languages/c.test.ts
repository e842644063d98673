import { describe, expect, it } from 'vitest';
import { outline } from '../../../../test/support/parse-snippet.ts';
import { expectSurvivesMutations, parseWith, viewWith } from '../../../../test/support/parse-with.ts';
import { c } from './c.ts';

const SNIPPET = `/* License */
#include <stdio.h>
#include "util/x.h"
#define MAX_LEN 10
#define SQUARE(x) \\
  ((x) * (x))
#ifdef __cplusplus
extern "C" {
#endif
typedef unsigned int u32;
typedef struct point { int x, *y; char name[10]; void (*cb)(int); unsigned flag : 1; } point_t, *point_p;
typedef int (*compare_fn)(const void *, const void *);
struct node;
struct node { struct node *next; union { int a; float b; } u; };
enum color { RED, GREEN = 2 };
union num { int i; };
static const int limits[] = { 1, 2, 3 };
int a, b = 3;
extern int counter;
/** Adds. */
static inline int add(int a, int b);
char *name_of(struct node *n)
{
  int local = 1;
  return 0;
}
int **deep(void), other(int);
int old(a, b)
  int a; char *b;
{ return a; }
void (*signal(int sig, void (*func)(int)))(int) { return 0; }
static struct ops my_ops = {
  .open = do_open,
  .close = do_close,
};
__attribute__((noreturn)) void die(const char *msg) { }
EXPORT_API int exported(int x) { return x; }
MODULE_LICENSE("GPL");
static int __init my_init(void) { return 0; }
DEFINE_MUTEX(foo);
#ifdef __cplusplus
}
#endif
`;

async function signatureOf(name: string): Promise<string | undefined> {
  const { symbols } = await parseWith(c, SNIPPET);
  return symbols.find((symbol) => symbol.name === name)?.signature;
}

describe('C', () => {
  it('lists every definition in order, with its kind and container', async () => {
    expect(outline(await parseWith(c, SNIPPET))).toEqual([
      'macro MAX_LEN',
      'macro SQUARE',
      'type u32',
      'struct point',
      'property point.x',
      'property point.y',
      'property point.name',
      'property point.cb',
      'property point.flag',
      'type point.point_t',
      'type point.point_p',
      'type compare_fn',
      'struct node',
      'property node.next',
      'property node.a',
      'property node.b',
      'property node.u',
      'enum color',
      'enum-member color.RED',
      'enum-member color.GREEN',
      'union num',
      'property num.i',
      'constant limits',
      'variable a',
      'variable b',
      'variable counter',
      'function add',
      'function name_of',
      'function deep',
      'function other',
      'function old',
      'function signal',
      'variable my_ops',
      'function die',
      'function exported',
      'function my_init',
    ]);
  });

  it.each([
    ['name_of', 'char *name_of(struct node *n)'],
    ['old', 'int old(a, b)\n  int a; char *b;'],
    ['signal', 'void (*signal(int sig, void (*func)(int)))(int)'],
    ['compare_fn', 'typedef int (*compare_fn)(const void *, const void *);'],
    ['my_ops', 'static struct ops my_ops ='],
    ['my_init', 'static int __init my_init(void)'],
    ['die', '__attribute__((noreturn)) void die(const char *msg)'],
  ])('keeps the whole header of %s', async (name, signature) => {
    expect(await signatureOf(name)).toBe(signature);
  });

  it('reads imports of every shape', async () => {
    const { imports } = await parseWith(c, SNIPPET);
    expect(imports.map(({ endLine, ...reference }) => reference)).toEqual([
      { kind: 'include', specifier: 'stdio.h', names: ['<>'], line: 2 },
      { kind: 'include', specifier: 'util/x.h', names: [], line: 3 },
    ]);
  });

  it('takes the first line of the doc comment', async () => {
    const { symbols } = await parseWith(c, SNIPPET);
    expect(symbols.find((symbol) => symbol.name === 'add')?.doc).toBe('Adds.');
  });

  it('shows a file without its bodies, equal members included', async () => {
    expect(
      await viewWith(
        c,
        `#include "queue.h"

struct reader {
  int (*run)(struct context *ctx);
};

struct writer {
  int (*run)(struct context *ctx);
};

static const struct option table[] = {
  { "a", 1 },
  { "b", 2 },
};

int *run(struct context *ctx,
         int depth)
{
  return 0;
}
`,
      ),
    ).toMatchInlineSnapshot(`
      "#include "queue.h"
      struct reader {
        int (*run)(struct context *ctx);
      };
      struct writer {
        int (*run)(struct context *ctx);
      };
      static const struct option table[] = { ⋮ 12-14 };
      int *run(struct context *ctx,
               int depth) { ⋮ 18-20 }"
    `);
  });

  it('keeps most definitions of broken code', async () => {
    const broken = SNIPPET.replace(
      `struct node { struct node *next; union { int a; float b; } u; };`,
      `struct node { struct node *next; int a;`,
    );
    const parsed = await parseWith(c, broken);
    expect(parsed.symbols.map((symbol) => symbol.name)).toEqual(
      expect.arrayContaining(['name_of', 'add', 'signal', 'die', 'SQUARE', 'u32']),
    );
  });

  it.each([
    ['int a, *b;', ['variable a', 'variable b']],
    ['int f(void), g(int);', ['function f', 'function g']],
    [
      'typedef struct { int x; } Point, *PointRef;',
      ['struct Point', 'property Point.x', 'type Point.PointRef'],
    ],
    ['typedef struct node { int x; } node;', ['struct node', 'property node.x']],
    ['#ifndef A_H\n#define A_H\n#define FLAG\n#endif\n', ['macro FLAG']],
    ['API_FN(int) go(int a) { return a; }', ['function go']],
    ['void f(void) { int local; extern int g(int); }', ['function f']],
    ['int (*handlers[2])(int);', ['variable handlers']],
    ['START_TEST(adds) { }', ['test adds']],
  ])('reads %s', async (text, expected) => {
    expect(outline(await parseWith(c, text))).toEqual(expected);
  });

  it('finds most functions between unknown macros', async () => {
    const text = `
DECLARE_THING(a, b)
static int __init first(void) { return 0; }
EXPORT_SYMBOL(first);
API int API_CALL second(int a) { return a; }
WRAP_BEGIN
int third(int a, int b) {
  FOR_EACH(a, b) { use(a); }
  return 0;
}
WRAP_END
int fourth(void) { return 1; }
`;
    const { symbols } = await parseWith(c, text);
    expect(symbols.map((symbol) => symbol.name)).toEqual(
      expect.arrayContaining(['first', 'second', 'third', 'fourth']),
    );
  });

  it('survives any content', () => expectSurvivesMutations(c, SNIPPET), 20_000);

  it('a declaration with an unknown macro behind its parameters is found', async () => {
    const text =
      '#ifndef A_H\n#define A_H\nstatus add(struct node *n,\n  int x) MUST_CHECK;\nEXTERN SIZE(2) void *a;\n#endif\n';
    const parsed = await parseWith(c, text);
    const added = parsed.symbols.find(({ name }) => name === 'add');
    expect(added).toMatchObject({
      kind: 'function',
      signature: 'status add(struct node *n,\n  int x) MUST_CHECK',
    });
    expect(parsed.symbols.map(({ name }) => name)).not.toContain('SIZE');
  });
});
