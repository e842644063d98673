import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CONFIG_SCHEMA_ADDRESS } from '../../config/settings-schema.ts';
import { referencePages, schemaFiles } from './reference-pages.ts';

const folder = new URL('../../../docs/reference/', import.meta.url);

describe('docs/reference', () => {
  it('says what the declarations say (else: node scripts/generate-reference.mjs)', async () => {
    const pages = await referencePages();
    for (const [name, text] of Object.entries(pages)) {
      expect(readFileSync(new URL(name, folder), 'utf8'), name).toBe(text);
    }
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(Object.keys(pages)));
  });
});

describe('schema', () => {
  it('says what the declarations say (else: node scripts/generate-reference.mjs)', async () => {
    for (const [name, text] of Object.entries(await schemaFiles())) {
      const file = readFileSync(new URL(`../../../schema/${name}`, import.meta.url), 'utf8');
      expect(JSON.parse(file), name).toEqual(JSON.parse(text));
    }
  });

  it('is published in the package whose name is in its address', () => {
    const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
    expect(CONFIG_SCHEMA_ADDRESS).toContain(`/${manifest.name}/schema/`);
    expect(manifest.files).toContain('schema');
  });
});
