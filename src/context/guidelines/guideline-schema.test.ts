import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_GUIDELINES } from './built-in-guidelines.ts';
import { guidelineJsonSchema } from './guideline-schema.ts';

const FILE = new URL('../../../schema/guideline.schema.json', import.meta.url);

describe('the published schema', () => {
  it('is the one that files are checked with', () => {
    const published = JSON.parse(readFileSync(FILE, 'utf8'));
    expect(published).toEqual(JSON.parse(JSON.stringify(guidelineJsonSchema())));
  });

  it('asks for an id, a name and an action, and has every kind of action', () => {
    const { guideline } = (guidelineJsonSchema() as { $defs: Record<string, Record<string, never>> }).$defs;
    expect(guideline!.required).toEqual(['id', 'name', 'action']);
    const kinds = BUILT_IN_GUIDELINES.map(({ action }) => action.type);
    const text = JSON.stringify(guideline);
    for (const kind of new Set(kinds)) expect(text).toContain(`"enum":["${kind}"]`);
  });
});
