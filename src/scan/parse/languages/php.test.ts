import { describe, expect, it } from 'vitest';
import { outline } from '../../../../test/support/parse-snippet.ts';
import { expectSurvivesMutations, parseWith, viewWith } from '../../../../test/support/parse-with.ts';
import { php, readPhpImport } from './php.ts';

const SNIPPET = `<?php
declare(strict_types=1);

namespace App\\Shop;

use App\\Models\\User;
use App\\Models\\{Item, Order as O};

require_once __DIR__ . '/vendor/autoload.php';

const LIMIT = 10;
define('MAX', 3);
$routes = [
    'a' => 1,
];

/**
 * A shop.
 */
#[Entity(name: "x")]
#[Table]
abstract class Shop extends Base implements Seller, Other
{
    use Loggable;

    const ?string TYPED = null;
    private static array $table = [
        'a' => 1,
    ];
    #[Inject]
    protected readonly ?string $name;

    #[Pure]
    public function __construct(
        private readonly string $title,
        protected int $x = 3,
    ) {
        $this->a = 1;
        function local() {}
    }

    /** Finds. */
    final public static function find(string $key, int ...$rest): ?array {
        return [];
    }
    abstract protected function open(): void;
}
interface Seller extends A, B {
    const X = 1;
    public function sell(): void;
}
trait Loggable {
    final public static function find(string $key, int ...$rest): ?array {
        return [];
    }
}
enum Color: string implements Paint {
    case Red = 'r';
    #[X] case Green = 'g';
    public function code(): string { return ''; }
}
function &helper(array $a = [], callable $f = null): iterable {
    yield 1;
}
$anonymous = new class extends Foo {
    public function hidden() {}
};
if (!function_exists('polyfill')) {
    function polyfill() {}
}
`;

/** Symbols by their name with all containers: `Shop.open`. */
async function symbolsByName(text: string) {
  const parsed = await parseWith(php, text);
  const names = outline(parsed).map((line) => line.slice(line.indexOf(' ') + 1));
  return (name: string) => parsed.symbols[names.indexOf(name)];
}

describe('php', () => {
  it('finds every definition, nested and in order', async () => {
    const parsed = await parseWith(php, SNIPPET);
    expect(parsed.hasSyntaxErrors).toBe(false);
    expect(outline(parsed)).toEqual([
      'module App\\Shop',
      'constant LIMIT',
      'constant MAX',
      'variable routes',
      'class Shop',
      'constant Shop.TYPED',
      'property Shop.table',
      'property Shop.name',
      'constructor Shop.__construct',
      'method Shop.find',
      'method Shop.open',
      'interface Seller',
      'constant Seller.X',
      'method Seller.sell',
      'trait Loggable',
      'method Loggable.find',
      'enum Color',
      'enum-member Color.Red',
      'enum-member Color.Green',
      'method Color.code',
      'function helper',
      'variable anonymous',
      'function polyfill',
    ]);
  });

  it.each([
    ['App\\Shop', 'namespace App\\Shop;'],
    ['LIMIT', 'const LIMIT = 10;'],
    ['MAX', "define('MAX', 3);"],
    ['routes', '$routes ='],
    [
      'Shop',
      `#[Entity(name: "x")]
#[Table]
abstract class Shop extends Base implements Seller, Other`,
    ],
    ['Shop.TYPED', 'const ?string TYPED = null;'],
    ['Shop.table', 'private static array $table ='],
    [
      'Shop.name',
      `#[Inject]
    protected readonly ?string $name;`,
    ],
    [
      'Shop.__construct',
      `#[Pure]
    public function __construct(
        private readonly string $title,
        protected int $x = 3,
    )`,
    ],
    ['Shop.find', 'final public static function find(string $key, int ...$rest): ?array'],
    ['Shop.open', 'abstract protected function open(): void;'],
    ['Color', 'enum Color: string implements Paint'],
    ['Color.Green', "#[X] case Green = 'g';"],
    ['helper', 'function &helper(array $a = [], callable $f = null): iterable'],
    ['anonymous', '$anonymous = new class extends Foo'],
  ])('keeps the whole header of %s', async (name, signature) => {
    const symbol = await symbolsByName(SNIPPET);
    expect(symbol(name)?.signature).toBe(signature);
  });

  it('reads doc lines', async () => {
    const symbol = await symbolsByName(SNIPPET);
    expect(symbol('Shop')?.doc).toBe('A shop.');
    expect(symbol('Shop.find')?.doc).toBe('Finds.');
  });

  it.each([
    ['use App\\Models\\User;', [{ kind: 'import', specifier: 'App\\Models\\User', names: [] }]],
    [
      'use \\App\\User as U, Q\\R;',
      [
        { kind: 'import', specifier: 'App\\User', names: ['User as U'] },
        { kind: 'import', specifier: 'Q\\R', names: [] },
      ],
    ],
    [
      'use App\\Models\\{Item, Order as O, function foo\\bar,};',
      [
        { kind: 'import', specifier: 'App\\Models\\Item', names: [] },
        { kind: 'import', specifier: 'App\\Models\\Order', names: ['Order as O'] },
        { kind: 'import', specifier: 'App\\Models\\foo\\bar', names: [] },
      ],
    ],
    ['use function App\\format;', [{ kind: 'import', specifier: 'App\\format', names: [] }]],
    ['use function App\\f AS ä;', [{ kind: 'import', specifier: 'App\\f', names: ['f as ä'] }]],
    ['use const App\\LIMIT;', [{ kind: 'import', specifier: 'App\\LIMIT', names: [] }]],
    ['namespace App\\Shop;', [{ kind: 'package', specifier: 'App\\Shop', names: [] }]],
    ['namespace A { class B {} }', [{ kind: 'package', specifier: 'A', names: [] }]],
    ['namespace { }', []],
    ["require 'a.php'", [{ kind: 'include', specifier: 'a.php', names: [] }]],
    ["include_once('b.php')", [{ kind: 'include', specifier: 'b.php', names: [] }]],
    ["require_once __DIR__ . '/c.php'", [{ kind: 'include', specifier: './c.php', names: [] }]],
    ["require dirname(__DIR__) . '/d.php'", [{ kind: 'include', specifier: '../d.php', names: [] }]],
    ["require dirname(__FILE__) . '/e.php'", [{ kind: 'include', specifier: './e.php', names: [] }]],
    ["require dirname(__DIR__, 2) . '/f.php'", [{ kind: 'include', specifier: '../../f.php', names: [] }]],
    ['require $path', []],
    ['require "$dir/x.php"', []],
  ])('reads %j', (statement, imports) => {
    expect(readPhpImport(statement)).toEqual(imports);
  });

  it('finds the imports of a file', async () => {
    const { imports } = await parseWith(php, SNIPPET);
    expect(imports.map(({ kind, specifier, line }) => `${line} ${kind} ${specifier}`)).toEqual([
      '4 package App\\Shop',
      '6 import App\\Models\\User',
      '7 import App\\Models\\Item',
      '7 import App\\Models\\Order',
      '9 include ./vendor/autoload.php',
    ]);
  });

  it('finds each name of a declaration that has many', async () => {
    const parsed = await parseWith(
      php,
      '<?php class A { public const LEFT = 1, RIGHT = 2; public int $a = 1, $b; }',
    );
    expect(parsed.symbols.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['LEFT', 'RIGHT', 'a', 'b']),
    );
  });

  it('shows a file without its bodies', async () => {
    expect(await viewWith(php, SNIPPET)).toMatchInlineSnapshot(`
      "⋮ 1-3
      namespace App\\Shop;
      use App\\Models\\User;
      use App\\Models\\{Item, Order as O};
      require_once __DIR__ . '/vendor/autoload.php';
      const LIMIT = 10;
      define('MAX', 3);
      $routes = [ ⋮ 14-15 ];
      ⋮ 17-19
      #[Entity(name: "x")]
      #[Table]
      abstract class Shop extends Base implements Seller, Other
      {
          ⋮ 24-25
          const ?string TYPED = null;
          private static array $table = [ ⋮ 28-29 ];
          #[Inject]
          protected readonly ?string $name;
          #[Pure]
          public function __construct(
              private readonly string $title,
              protected int $x = 3,
          ) { ⋮ 38-40 }
          ⋮ 42
          final public static function find(string $key, int ...$rest): ?array { ⋮ 44-45 }
          abstract protected function open(): void;
      }
      interface Seller extends A, B {
          const X = 1;
          public function sell(): void;
      }
      trait Loggable {
          final public static function find(string $key, int ...$rest): ?array { ⋮ 54-55 }
      }
      enum Color: string implements Paint {
          case Red = 'r';
          #[X] case Green = 'g';
          public function code(): string { return ''; }
      }
      function &helper(array $a = [], callable $f = null): iterable { ⋮ 63-64 }
      $anonymous = new class extends Foo { ⋮ 66-67 };
          ⋮ 68
          function polyfill() {}
      ⋮ 70"
    `);
  });

  it('finds the rest of a file that lacks a bracket', async () => {
    const broken = SNIPPET.replace(
      `        function local() {}
    }
`,
      `        function local() {}
`,
    );
    const parsed = await parseWith(php, broken);
    const names = new Set(parsed.symbols.map(({ name }) => name));
    expect(parsed.hasSyntaxErrors).toBe(true);
    const lost = (await parseWith(php, SNIPPET)).symbols.filter(({ name }) => !names.has(name));
    expect(lost.map(({ name }) => name)).toEqual(['open']);
  });

  it('survives any content', async () => {
    await expectSurvivesMutations(php, SNIPPET);
  });

  it('knows its tests by their path', () => {
    expect(php.testPaths?.test('a/ShopTest.php')).toBe(true);
    expect(php.testedNames?.('a/ShopTest.php')).toContain('Shop.php');
    expect(php.testPaths?.test('a/Shop.php')).toBe(false);
  });
});
