import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

it('fits the types of the frameworks', () => {
  const compiler = path('../../node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', path('tsconfig.json')], {
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
  expect(status).toBe(0);
});
