import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
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
