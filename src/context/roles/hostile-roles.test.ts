import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LoadoutError } from '../../model/loadout-error.ts';
import { MAX_DOCUMENT_BYTES } from '../../schema/parsed-document.ts';
import { assembleRole } from './assemble-role.ts';
import { type RoleText, readRoleDocument } from './read-role-document.ts';
import { renderRoleYaml, roleAsData } from './role-as-data.ts';
import { roleFields } from './role-fields.ts';
import { problemsOf, type RoleFolders, roleFolders } from './role-folders.test-kit.ts';
import { resolveChain } from './role-loader.ts';
import type { RolePlace } from './role-places.ts';

let folders: RoleFolders;
beforeAll(() => {
  folders = roleFolders();
});
afterAll(() => folders.remove());

const table = roleFields();
const readDocument = (text: RoleText) => readRoleDocument(text, table);
const HEAD = 'name: role\ndescription: d\ncli: claude\nsystem_prompt: p\n';
const fill = (piece: string, room = MAX_DOCUMENT_BYTES - 200): string =>
  piece.repeat(Math.floor(room / piece.length));

function aliasBomb(): string {
  const names = [...'abcdefghi'];
  const lines = names.map((name, index) => {
    const items = Array<string>(9).fill(index === 0 ? 'x' : `*${names[index - 1]}`);
    return `x-${name}: &${name} [${items.join(', ')}]`;
  });
  return `${HEAD}${lines.join('\n')}\n`;
}

/** Few values, but each expands to 200 KB. */
const textBomb = `${HEAD}x-a: &a "${'y'.repeat(200_000)}"\nx-b: [${Array(90).fill('*a').join(', ')}]\n`;

describe('hostile YAML ends in a clear error within milliseconds', () => {
  beforeEach(async () => {
    // The library is loaded once; its loading is not what is measured.
    await problemsOf(folders.loader(), 'planner');
  });

  it.each([
    ['an alias bomb', aliasBomb(), /values with the aliases written out/],
    ['a text bomb', textBomb, /more than 1048576 characters with the aliases written out/],
    [
      'many aliases',
      `${HEAD}x-a: &a 1\nx-b: [${Array(101).fill('*a').join(', ')}]\n`,
      /more than 100 aliases/,
    ],
    ['an alias of itself', `${HEAD}x-a: &a [*a]\n`, /no finished anchor/],
    ['deep lists', `${HEAD}x-a: ${fill('[')}`, /more than 64 levels/],
    ['deep maps', `${HEAD}x-a: ${fill('{a: ')}`, /more than 64 levels/],
    ['deep blocks', `${HEAD}x-a:\n${fill('- ')}`, /more than 64 levels/],
    ['a huge file', HEAD + fill('#', MAX_DOCUMENT_BYTES), /more than 262144 bytes/],
    [
      'a huge wrong value',
      `${HEAD}context: {token_budget: "${fill('9')}"}\n`,
      /token_budget is "9+"…; allowed is/,
    ],
    ['a huge unknown name', `${HEAD}${fill('k', 1000)}: 1\n`, /there is no field "k{80}"/],
    ['a key twice', `${HEAD}name: role\n`, /:5:1: "name" is set twice/],
    ['a tag', `${HEAD}x-a: !!js/function "() => 1"\n`, /tag/i],
    ['a tag of its own', `${HEAD}flags: !include /etc/passwd\n`, /:5:8: Unresolved tag/],
    ['a merge key', `${HEAD}x-a: &a {b: 1}\ncontext:\n  <<: *a\n`, /merge keys/],
    ['a directive', `%YAML 1.1\n---\n${HEAD}`, /directives/],
    ['two documents', `${HEAD}---\n${HEAD}`, /second document/],
    ['__proto__', `${HEAD}__proto__: {polluted: true}\n`, /a field cannot be called "__proto__"/],
    [
      '__proto__ inside',
      `${HEAD}context: {__proto__: {polluted: true}}\n`,
      /a field cannot be called "__proto__"/,
    ],
    ['constructor', `${HEAD}constructor: {prototype: {polluted: true}}\n`, /there is no field "constructor"/],
    ['100,000 mistakes', fill('"\\#" '), /.yaml:1:/],
    ['a NUL in a flag', `${HEAD}flags: ["a\\0b"]\n`, /flags\[0\] is .*; allowed is text without a NUL/],
    ['binary', `${HEAD}\u0000\u0001\u0002${fill('\u0003', 300)}`, /not a text file/],
  ])('%s', async (_what, text, message) => {
    folders.write('repository', 'role.yaml', text);
    const loader = folders.loader();
    // Time on the processor: the machine may be busy with something else.
    const start = process.cpuUsage();
    const problems = await problemsOf(loader, 'role');
    const { user, system } = process.cpuUsage(start);
    expect(problems[0]).toMatch(message);
    expect(problems[0]).toMatch(/^\.loadout\/roles\/role\.yaml:\d+:\d+: /);
    expect(problems.join('').length).toBeLessThan(20_000);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect((user + system) / 1000).toBeLessThan(500);
  });
});

/** A place that exists in memory alone. */
function memoryPlace(kind: RolePlace['kind'], files: ReadonlyMap<string, string>): RolePlace {
  return {
    kind,
    label: kind,
    folder: '',
    names: () => [...files.keys()],
    read: (name): RoleText | null => {
      const text = files.get(name);
      return text === undefined
        ? null
        : {
            name,
            place: kind,
            file: `${kind}/${name}.yaml`,
            isTrusted: kind !== 'repository',
            content: { text },
          };
    },
    diagnostics: () => [],
  };
}

const NAMES = ['a', 'b', 'c', 'd', '__proto__', 'constructor', 'toString'];
const FIELDS = [
  ...['name', 'description', 'extends', 'cli', 'flags', 'system_prompt', 'system_prompt_additions'],
  ...['context', 'gates', 'config', 'x-own', '__proto__', 'constructor', 'include', 'toString'],
];
const chained = fc
  .record(
    { name: fc.constantFrom('SELF', 'SELF', 'SELF', 'a'), extends: fc.constantFrom(...NAMES) },
    { requiredKeys: ['name'] },
  )
  .map((data) => ({ description: 'd', cli: 'claude', system_prompt: 'p', ...data }));
const roleMap = fc.oneof(
  { weight: 5, arbitrary: chained },
  {
    weight: 2,
    arbitrary: fc.dictionary(fc.constantFrom(...FIELDS), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 }),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);
const roleFile = fc.oneof(
  { weight: 6, arbitrary: roleMap.map((data) => JSON.stringify(data)) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 80 }) },
  { weight: 2, arbitrary: fc.string({ unit: fc.constantFrom(...'ab:[]{}&*!|>-?\n "\'#%@'), maxLength: 60 }) },
);
const fileSet = fc
  .dictionary(fc.constantFrom(...NAMES), roleFile, { maxKeys: 5 })
  .map(
    (files) => new Map(Object.entries(files).map(([name, text]) => [name, text.replaceAll('SELF', name)])),
  );

describe('random roles and chains', () => {
  it('never crash: each gives a role or findings with positions', async () => {
    let loaded = 0;
    await fc.assert(
      fc.asyncProperty(fileSet, fileSet, async (repository, user) => {
        const places = [memoryPlace('repository', repository), memoryPlace('user', user)];
        for (const place of places) {
          for (const name of place.names()) {
            const own = await readDocument(place.read(name)!);
            const { documents, findings } = await resolveChain(own, places, readDocument);
            const errors = findings.filter(({ severity }) => severity === 'error');
            if (errors.length > 0) {
              for (const { file, line, column, message } of errors)
                expect(message.startsWith(`${file}:${line}:${column}: `)).toBe(true);
              continue;
            }
            const { role, findings: missing } = assembleRole(documents, table);
            expect(role === null).toBe(missing.length > 0);
            if (!role) continue;
            loaded += 1;
            expect(role.name).toBe(name);
            expect(role.baseRole).toBe(documents.length > 1 ? documents.at(-1)!.name : null);
          }
        }
      }),
      { numRuns: 500 },
    );
    expect(loaded).toBeGreaterThan(100);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('a chain of any shape ends and reports the cycle or the missing parent', async () => {
    const links = fc.array(fc.integer({ min: 0, max: 11 }), { minLength: 10, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(links, async (parents) => {
        const texts = parents.map((parent, at): [string, string] => [
          `r${at}`,
          `name: r${at}\nextends: r${parent}\n`,
        ]);
        texts.push(['r10', HEAD.replace('role', 'r10')]);
        const places = [memoryPlace('user', new Map(texts))];
        for (const [name] of texts) {
          const seen: string[] = [];
          let at = name;
          while (at !== 'r10' && at !== 'r11' && !seen.includes(at)) {
            seen.push(at);
            at = `r${parents[Number(at.slice(1))]}`;
          }
          const own = await readDocument(places[0]!.read(name)!);
          const { documents, findings } = await resolveChain(own, places, readDocument);
          const chain = [...seen, at].join(' -> ');
          if (at === 'r10') expect(documents.map((one) => one.name).join(' -> ')).toBe(chain);
          else {
            expect(findings[0]).toMatchObject({ code: at === 'r11' ? 'missing-parent' : 'cycle' });
            expect(findings[0]!.message).toContain(`(chain: ${chain})`);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('a role that is written as YAML reads back as the same role', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 60 });
    const role = fc.record({
      name: fc.constant('role'),
      description: text,
      cli: fc.constant('codex'),
      system_prompt: text,
      flags: fc.array(text, { maxLength: 3 }),
      'x-own': fc.jsonValue({ maxDepth: 2 }),
      config: fc.record({ tdd: fc.boolean(), own: text }),
    });
    await fc.assert(
      fc.asyncProperty(role, async (data) => {
        fc.pre(!/"(__proto__|<<)":/.test(JSON.stringify(data)));
        const load = async (content: string) => {
          const place = memoryPlace('user', new Map([['role', content]]));
          const own = await readDocument(place.read('role')!);
          expect(own.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
          return assembleRole([own], table).role!;
        };
        const first = await load(JSON.stringify(data));
        const { base_role: _, ...shown } = roleAsData(first);
        expect(await load(await renderRoleYaml(shown))).toEqual(first);
      }),
      { numRuns: 100 },
    );
  });

  it('a name that cannot be a file name is never looked up on disk', async () => {
    const loader = folders.loader();
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string(), fc.constantFrom('../x', '/etc/passwd', '.', '..', '')),
        async (name) => {
          fc.pre(!loader.names().includes(name));
          const error: unknown = await loader.load(name).catch((thrown: unknown) => thrown);
          expect(error).toBeInstanceOf(LoadoutError);
          expect((error as LoadoutError).code).toBe('unknown-role');
        },
      ),
      { numRuns: 200 },
    );
  });
});
