import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseYamlSafely } from '../../schema/parse-yaml-safely.ts';
import { builtInRolesFolder } from './role-loader.ts';

interface Parsed {
  readonly text: string;
  readonly value: unknown;
  readonly positions: readonly (readonly [string, unknown])[];
}

describe('roles that the build has parsed', () => {
  it('are all built-in roles, with the content of their files', async () => {
    const file = fileURLToPath(new URL('../../../dist/roles.json', import.meta.url));
    const built: readonly Parsed[] = JSON.parse(readFileSync(file, 'utf8'));
    const folder = builtInRolesFolder();
    const names = readdirSync(folder).sort();
    expect(built).toHaveLength(names.length);
    for (const name of names) {
      const text = readFileSync(`${folder}/${name}`, 'utf8');
      const { value, positions } = await parseYamlSafely(text, name);
      expect(built).toContainEqual({ text, value, positions: [...positions] });
    }
  });
});
