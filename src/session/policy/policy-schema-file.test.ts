import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { contextPolicySchema } from './context-policy.ts';

const FILE = fileURLToPath(new URL('../../../schema/context-policy.schema.json', import.meta.url));

it('schema/context-policy.schema.json says what the fields say', () => {
  expect(JSON.parse(readFileSync(FILE, 'utf8'))).toEqual(JSON.parse(JSON.stringify(contextPolicySchema())));
});
