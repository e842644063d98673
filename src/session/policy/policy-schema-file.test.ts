import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { contextPolicySchema } from './policy-fields.ts';

const FILE = fileURLToPath(new URL('../../../schema/context-policy.schema.json', import.meta.url));

it('schema/context-policy.schema.json says what the fields say (else: npx vitest run src/session/policy -u)', async () => {
  await expect(`${JSON.stringify(contextPolicySchema(), null, 2)}\n`).toMatchFileSnapshot(FILE);
});
