// The address of a published JSON Schema. It is its `$id`, and what editors and SchemaStore load.

/** Where the folder `schema/` of the published package is. */
const PUBLISHED = 'https://unpkg.com/loadout/schema/';

/** The address of a file in `schema/`. */
export const schemaAddress = (file: string): string => `${PUBLISHED}${file}`;

/** The first two keys of every published schema. */
export const schemaHead = (file: string) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: schemaAddress(file),
});

/** Schemas of files that people write, by the name of the schema. */
export const FILE_SCHEMAS = {
  settings: 'loadout.config.schema.json',
  role: 'role.schema.json',
  guideline: 'guideline.schema.json',
  policy: 'context-policy.schema.json',
} as const;
