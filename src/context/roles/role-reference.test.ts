import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WORKER_NAMES } from '../../agents/table.ts';
import { nearestName } from '../../schema/value-issues.ts';
import { assembleRole } from './assemble-role.ts';
import { matchesSchema } from './json-schema.test-kit.ts';
import { readRoleDocument } from './read-role-document.ts';
import { roleAsData } from './role-as-data.ts';
import { nameInFile, roleFields } from './role-fields.ts';
import { renderRoleFields, roleJsonSchema, roleSchemaFile } from './role-reference.ts';

const fileAt = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

describe('documents made from the fields', () => {
  it('schema/role.schema.json is up to date (else: npx vitest run -u src/context/roles/role-reference.test.ts)', async () => {
    expect(JSON.parse(roleSchemaFile())).toEqual(JSON.parse(JSON.stringify(roleJsonSchema())));
    await expect(roleSchemaFile()).toMatchFileSnapshot(fileAt('schema/role.schema.json'));
  });

  it('docs/guides/roles.md has the table of fields (else: put the expected text there)', () => {
    expect(readFileSync(fileAt('docs/guides/roles.md'), 'utf8')).toContain(renderRoleFields());
  });
});

const table = roleFields();
const patterns = fc.array(fc.constantFrom('src/**', '$TARGET', 'docs', 'git diff --cached'), {
  maxLength: 3,
});
const wholeNumber = (min: number, max: number) => fc.integer({ min, max });

const sensible = {
  top: {
    description: fc.string(),
    cli: fc.constantFrom(...WORKER_NAMES),
    system_prompt: fc.string(),
    system_prompt_additions: fc.string(),
    extends: fc.constant('parent'),
    flags: fc.array(fc.stringMatching(/^[^\0]*$/), { maxLength: 3 }),
    gates: fc.array(fc.constantFrom('npm test', 'make'), { maxLength: 3 }),
    'x-model': fc.oneof(fc.constantFrom('opus', 'sonnet[1m]'), fc.constantFrom('opus', '', '-x', 3)),
    'x-own': fc.jsonValue({ maxDepth: 1 }),
  },
  context: {
    include: patterns,
    exclude: patterns,
    always_include: patterns,
    path_restrictions: patterns,
    priority_order: fc.array(fc.string(), { maxLength: 3 }),
    token_budget: wholeNumber(1000, 100_000),
    git_diff: fc.boolean(),
    own: fc.jsonValue({ maxDepth: 1 }),
  },
  config: {
    max_retries: wholeNumber(1, 10),
    timeout: wholeNumber(30, 3600),
    tdd: fc.boolean(),
    coverage_target: wholeNumber(0, 100),
    'x-own': fc.jsonValue({ maxDepth: 1 }),
  },
};
const some = (fields: Record<string, fc.Arbitrary<unknown>>) => fc.record(fields, { requiredKeys: [] });
const sensibleMap = fc
  .tuple(some(sensible.top), some(sensible.context), some(sensible.config))
  .map(([top, context, config]) => ({ name: 'role', ...top, context, config }));

const anything = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.integer({ min: -5, max: 120_000 }),
  fc.boolean(),
  fc.constant(null),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.array(fc.oneof(fc.constantFrom('src/**', '\0', ' ', ''), fc.integer(), fc.string({ maxLength: 3 })), {
    maxLength: 3,
  }),
  fc.dictionary(fc.constantFrom('own', 'x-b', 'tdd'), fc.boolean(), { maxKeys: 2 }),
);
const knownNames = Object.keys(table).map(nameInFile);
// The checks refuse a probable slip inside a map, which a schema cannot do.
const stranger = fc.stringMatching(/^[a-z]{1,9}$/).filter((name) => nearestName(name, groupNames()) === null);
const groupNames = () =>
  [...Object.keys(table.context.fields), ...Object.keys(table.config.fields)].map(nameInFile);

interface Change {
  readonly group: 'top' | 'context' | 'config';
  readonly name: string;
  readonly value: unknown;
}

const change: fc.Arbitrary<Change> = fc.constantFrom('top', 'context', 'config').chain((group) =>
  fc.record({
    group: fc.constant(group),
    name: fc.oneof(
      fc.constantFrom(...Object.keys(sensible[group]), ...(group === 'top' ? knownNames : [])),
      stranger,
    ),
    value: anything,
  }),
);

/** Mostly right, with a few changes that are mostly wrong. */
const roleMap = fc
  .tuple(sensibleMap, fc.array(change, { maxLength: 2 }))
  .map(([whole, changes]) => changes.reduce<Record<string, unknown>>(applyChange, whole));

function applyChange(data: Record<string, unknown>, { group, name, value }: Change): Record<string, unknown> {
  if (group === 'top') return { ...data, [name]: value };
  return { ...data, [group]: { ...(data[group] as object), [name]: value } };
}

const read = (data: unknown, isTrusted = true) =>
  readRoleDocument(
    {
      name: 'role',
      place: 'user',
      file: 'role.yaml',
      isTrusted,
      content: { text: JSON.stringify(data) },
    },
    table,
  );

describe('one definition', () => {
  it('the checks and the schema agree on every file', async () => {
    const schema = roleJsonSchema('file');
    let valid = 0;
    await fc.assert(
      fc.asyncProperty(roleMap, async (data) => {
        const document = await read(data);
        // A schema cannot say that a pattern is well-formed, how the file is called, or what YAML refuses.
        fc.pre(!/"(__proto__|<<)":/.test(JSON.stringify(data)));
        fc.pre(
          !document.findings.some(({ code, field }) => code === 'bad-value' && /^context\.\w+\[/.test(field)),
        );
        const errors = document.findings.filter(
          ({ code, severity }) => severity === 'error' && code !== 'name-differs',
        );
        const isMissing = !('extends' in data) && assembleRole([document], table).findings.length > 0;
        const isValid = errors.length === 0 && !isMissing;
        if (isValid) valid += 1;
        expect(matchesSchema(schema, data), JSON.stringify(document.findings)).toBe(isValid);
      }),
      { numRuns: 400 },
    );
    expect(valid).toBeGreaterThan(40);
  });

  it('a merged role fits the schema of merged roles', async () => {
    const schema = roleJsonSchema('merged');
    let merged = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(roleMap, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        async (layers, isTrusted) => {
          const documents = await Promise.all(layers.map((layer) => read(layer, isTrusted)));
          const clean = documents.filter(({ findings }) =>
            findings.every(({ severity }) => severity !== 'error'),
          );
          if (clean.length === 0) return;
          const { role } = assembleRole(clean, table);
          if (!role) return;
          merged += 1;
          const { base_role: _, ...data } = roleAsData(role);
          expect(matchesSchema(schema, data)).toBe(true);
        },
      ),
      { numRuns: 120 },
    );
    expect(merged).toBeGreaterThan(40);
  });
});
