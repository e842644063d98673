import { describe, expect, it } from 'vitest';
import { outline, parseSnippet, viewOf } from '../../../../test/support/parse-snippet.ts';

const SOURCE = `import * as ns from 'a';
import './side-effect';
export { x } from './x';
export * from './y';
import d, { e as f, type G } from 'z';
import legacy = require('legacy');

/** How many at most. */
export const LIMIT = 10;
export const TABLE: Record<string, number> = {
  firstEntryOfTheTable: 1,
  secondEntryOfTheTable: 2,
};

// The methods that both classes have.
@Injectable({ scope: 'request' })
export class Reader<T extends object = {}> extends Base<T> implements Runs {
  static shared = new Map<string, Reader<object>>();
  readonly #secret: string;
  constructor(private readonly name: string) {
    super(name);
    this.#secret = name;
  }
  async run(ctx: Ctx): Promise<void> {
    const local = () => 1;
    await local();
  }
  get size(): number { return 1; }
  main(opts: { deep: boolean } = { deep: true }): void {
    this.run(opts);
  }
}
class Writer {
  async run(ctx: Ctx): Promise<void> {
    await ctx.write();
  }
}
export function multi(
  a: string,
  b: number,
)
{
  return 1;
}
export function Panel({ a, b }: { a: string; b: number }) {
  return a;
}
const Button: React.FC<Props> = ({ label }) => {
  return label;
};
const onClick = useCallback((event) => {
  event.stop();
}, []);
export interface Options {
  deep?: boolean;
  run(task: string): Promise<void>;
  [key: string]: unknown;
}
export type Id = string | number;
export enum Color {
  Red = 'red',
  Blue = 'blue',
}
declare module 'global-thing' {
  export function helper(): void;
}
export const { first, second: [third] } = load();
describe('suite', () => {
  it('works with "quotes"', () => {
    expect(1).toBe(1);
  });
});
const lazy = () => import('./lazy');
const old = require('./old').thing;
export default { name: 'component', data() { return {}; } };
`;

describe('parsing TypeScript', () => {
  it('finds every definition, nested, and no locals', async () => {
    expect(outline(await parseSnippet('typescript', SOURCE))).toEqual([
      'constant LIMIT',
      'constant TABLE',
      'class Reader',
      'property Reader.shared',
      'property Reader.#secret',
      'constructor Reader.constructor',
      'method Reader.run',
      'method Reader.size',
      'method Reader.main',
      'class Writer',
      'method Writer.run',
      'function multi',
      'function Panel',
      'function Button',
      'function onClick',
      'interface Options',
      'property Options.deep',
      'method Options.run',
      'property Options.[index]',
      'type Id',
      'enum Color',
      'enum-member Color.Red',
      'enum-member Color.Blue',
      'module global-thing',
      'function global-thing.helper',
      'constant first',
      'constant third',
      'test suite',
      'test suite.works with "quotes"',
      'function lazy',
      'variable default',
      'method default.data',
    ]);
  });

  it('reads imports and re-exports of every shape', async () => {
    const { imports } = await parseSnippet('typescript', SOURCE);
    expect(
      imports.map(({ kind, specifier, names }) => `${kind} ${specifier} ${names.join(',')}`.trim()),
    ).toEqual([
      'import a * as ns',
      'import ./side-effect',
      'reexport ./x x',
      'reexport ./y *',
      'import z default as d,e as f,G',
      'import legacy',
      'import ./lazy *',
      'import ./old thing as old',
    ]);
  });

  it('keeps whole headers: several lines, destructuring, defaults, decorators, generics', async () => {
    const { symbols } = await parseSnippet('typescript', SOURCE);
    const signature = (name: string) => symbols.find((symbol) => symbol.name === name)?.signature;
    expect(signature('multi')).toBe('export function multi(\n  a: string,\n  b: number,\n)');
    expect(signature('Panel')).toBe('export function Panel({ a, b }: { a: string; b: number })');
    expect(signature('main')).toBe('main(opts: { deep: boolean } = { deep: true }): void');
    expect(signature('Button')).toBe('const Button: React.FC<Props> = ({ label }) =>');
    expect(signature('Reader')).toBe(
      "@Injectable({ scope: 'request' })\nexport class Reader<T extends object = {}> extends Base<T> implements Runs",
    );
  });

  it('takes the first line of the doc comment', async () => {
    const { symbols } = await parseSnippet('typescript', SOURCE);
    const docs = symbols.filter(({ doc }) => doc !== '').map(({ name, doc }) => `${name}: ${doc}`);
    expect(docs).toEqual(['LIMIT: How many at most.', 'Reader: The methods that both classes have.']);
  });

  it('shows it all in the signature view, with the lines it leaves out', async () => {
    expect(await viewOf('typescript', SOURCE)).toMatchInlineSnapshot(`
      "import * as ns from 'a';
      import './side-effect';
      export { x } from './x';
      export * from './y';
      import d, { e as f, type G } from 'z';
      import legacy = require('legacy');
      ⋮ 8
      export const LIMIT = 10;
      export const TABLE: Record<string, number> = {
        firstEntryOfTheTable: 1,
        secondEntryOfTheTable: 2,
      };
      ⋮ 15
      @Injectable({ scope: 'request' })
      export class Reader<T extends object = {}> extends Base<T> implements Runs {
        static shared = new Map<string, Reader<object>>();
        readonly #secret: string;
        constructor(private readonly name: string) { ⋮ 21-23 }
        async run(ctx: Ctx): Promise<void> { ⋮ 25-27 }
        get size(): number { return 1; }
        main(opts: { deep: boolean } = { deep: true }): void { ⋮ 30-31 }
      }
      class Writer {
        async run(ctx: Ctx): Promise<void> { ⋮ 35-36 }
      }
      export function multi(
        a: string,
        b: number,
      ) { ⋮ 42-44 }
      export function Panel({ a, b }: { a: string; b: number }) { ⋮ 46-47 }
      const Button: React.FC<Props> = ({ label }) => { ⋮ 49-50 };
      const onClick = useCallback((event) => { ⋮ 52-53 }, []);
      export interface Options {
        deep?: boolean;
        run(task: string): Promise<void>;
        [key: string]: unknown;
      }
      export type Id = string | number;
      export enum Color {
        Red = 'red',
        Blue = 'blue',
      }
      declare module 'global-thing' {
        export function helper(): void;
      }
      export const { first, second: [third] } = load();
      describe('suite', () => {
        it('works with "quotes"', () => { ⋮ 70-71 });
      });
      const lazy = () => import('./lazy');
      const old = require('./old').thing;
      export default { name: 'component', data() { return {}; } };"
    `);
  });

  it('takes names that a required module gives as imports, and defines only what the file makes itself', async () => {
    const text = [
      "const { first, second: renamed } = require('./names');",
      "const whole = require('./whole');",
      "const { inner } = await import('./later');",
      "const made = require('./make')();",
      "const { rest, ...others } = require('./rest');",
      "export const { passed } = require('./passed');",
    ].join('\n');
    const parsed = await parseSnippet('javascript', text);
    expect(outline(parsed)).toEqual(['constant made', 'constant rest', 'constant others', 'constant passed']);
    expect(parsed.imports.map(({ specifier, names }) => `${specifier} ${names.join(',')}`)).toEqual([
      './names first,second as renamed',
      './whole * as whole',
      './later inner',
      './make *',
      './rest *',
      './passed *',
    ]);
  });

  it('reads broken code as far as it goes', async () => {
    const parsed = await parseSnippet(
      'typescript',
      'export function good(a: string) { return a }\nclass Half {\n  open(',
    );
    expect(outline(parsed)).toContain('function good');
    expect(outline(parsed)).toContain('class Half');
    expect(parsed.hasSyntaxErrors).toBe(true);
  });

  it('looks inside wrappers that old modules put around everything', async () => {
    const text =
      "(function (root) {\n  'use strict';\n  function inner(a) { return a; }\n  root.api = { inner };\n})(this);\n";
    expect(outline(await parseSnippet('javascript', text))).toContain('function inner');
  });
});
