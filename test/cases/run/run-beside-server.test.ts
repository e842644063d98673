import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../../support/run-cli.ts';
import { temporaryRepository } from '../../support/temporary-repository.ts';

/** Speaks like the real one, and keeps what it was told. */
const CLAUDE = `#!/bin/sh
case "$1" in --version) echo 2.1.0; exit 0;; esac
cat > "$HOME/prompt"; echo written > result.txt; echo '// mine' > src/auth.ts; sleep 0.4
printf '%s\\n' '{"type":"result","subtype":"success","is_error":false,"result":"ok\\n\`\`\`json\\n{\\"status\\":\\"SUCCESS\\",\\"action_taken\\":\\"x\\",\\"next_step\\":null}\\n\`\`\`","session_id":"s1"}'
`;

it('the second run has its prompt from the server that the first one left', {
  timeout: 120_000,
}, async () => {
  const { path, home, cache } = temporaryRepository({
    'src/auth.ts': 'export function refreshToken() {\n  return 1;\n}\n',
    'src/session.ts': 'import { refreshToken } from "./auth.ts";\nrefreshToken();\n',
  });
  mkdirSync(join(home, 'bin'));
  writeFileSync(join(home, 'bin/claude'), CLAUDE);
  chmodSync(join(home, 'bin/claude'), 0o755);
  const env = {
    PATH: `${join(home, 'bin')}:${process.env.PATH}`,
    HOME: home,
    LOADOUT_WARM_SERVER: 'start',
  };
  const loadout = (...words: string[]) => runCli(words, { cwd: path, cache, env });
  const run = async () => {
    const { exitCode, stderr } = await loadout('run', 'Fix refreshToken in src/auth.ts', '--no-staged');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.any(String) });
    return readFileSync(join(home, 'prompt'), 'utf8');
  };
  const stateFile = join(cache, 'server.json');
  const state = () => JSON.parse(readFileSync(stateFile, 'utf8'));
  const answered = async () => {
    const { port, token } = state();
    const health = await fetch(`http://127.0.0.1:${port}/health`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return ((await health.json()) as { answered: { prompts: number } }).answered.prompts;
  };
  try {
    const first = await run();
    expect(first).toContain('refreshToken');
    await expect.poll(() => existsSync(stateFile), { timeout: 30_000 }).toBe(true);
    expect(await run()).toBe(first);
    expect(await answered()).toBe(1);
    expect(await run()).toBe(first);
    expect(await answered()).toBeGreaterThanOrEqual(2);
    // one that hangs holds a run up for seconds, and is not asked again
    process.kill(state().process.pid, 'SIGSTOP');
    expect(await run()).toBe(first);
    process.kill(state().process.pid, 'SIGCONT');
  } finally {
    await loadout('serve', '--stop');
  }
});
