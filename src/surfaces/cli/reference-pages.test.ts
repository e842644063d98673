import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SETTING_NAMES } from '../../config/settings.ts';
import { settingsJsonSchema } from '../../config/settings-json-schema.ts';
import { referencePages } from './reference-pages.ts';

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

describe('settingsJsonSchema', () => {
  it('describes every setting and nothing else', () => {
    const schema = settingsJsonSchema() as {
      properties: Record<string, { default?: unknown }>;
      additionalProperties: boolean;
    };
    expect(Object.keys(schema.properties)).toEqual(['$schema', ...SETTING_NAMES]);
    expect(schema.additionalProperties).toBe(false);
    expect(schema.properties.maxFileBytes!.default).toBe('2MB');
    expect(schema.properties.scanInterval!.default).toBe('5m');
  });
});
