import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryRepository } from '../../support/temporary-repository.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Speaks like the real one. */
const CLAUDE = `#!/bin/sh
case "$1" in --version) echo 2.1.0; exit 0;; esac
cat > /dev/null; echo written > result.txt
printf '%s\\n' '{"type":"result","subtype":"success","is_error":false,"result":"ok\\n\`\`\`json\\n{\\"status\\":\\"SUCCESS\\",\\"action_taken\\":\\"x\\",\\"next_step\\":null}\\n\`\`\`","session_id":"s1"}'
`;

const PROGRAM = `
import { createRunEnvironment, runRole } from 'loadout/run';
const [repository] = process.argv.slice(1);
const handle = runRole({ repository, task: 'Write it', role: 'implementer' }, createRunEnvironment());
const types = [];
for await (const event of handle.events) types.push(event.type);
const { outcome, changedFiles, packageId } = await handle.result;
console.log(JSON.stringify({ first: types[0], last: types.at(-1), outcome, changedFiles, packageId }));
`;

it('loadout/run is an entry of the package, with types, and runs a worker', () => {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  for (const target of Object.values<string>(exports['./run']))
    expect(existsSync(join(ROOT, target)), target).toBe(true);
  const { path, home, cache } = temporaryRepository({ 'a.ts': 'export const a = 1;\n' });
  mkdirSync(join(home, 'bin'));
  writeFileSync(join(home, 'bin/claude'), CLAUDE);
  chmodSync(join(home, 'bin/claude'), 0o755);
  // From the root of the package its own name leads to itself.
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', PROGRAM, path], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { PATH: `${join(home, 'bin')}:${process.env.PATH}`, HOME: home, LOADOUT_CACHE_DIR: cache },
  });
  expect(JSON.parse(output)).toEqual({
    ...{ first: 'run-start', last: 'run-end', outcome: 'passed', changedFiles: ['result.txt'] },
    packageId: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});
