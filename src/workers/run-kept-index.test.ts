import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRunWorld } from './create-run-world.ts';
import { runKit, say, scriptAgent } from './run.test-kit.ts';
import type { RunWorld } from './run-request.ts';
import { runRole } from './run-role.ts';

const FILES = {
  'src/retry.ts': 'export function retryQueue(attempts: number) {\n  return attempts - 1;\n}\n',
  'src/clock.ts': 'export function clockNow() {\n  return 1;\n}\n',
  'src/use.ts': 'import { retryQueue } from "./retry.ts";\nretryQueue(3);\n',
};
const TASK = 'Fix retryQueue in src/retry.ts, which counts one attempt too few';

/** Runs with real prompts; `near` has the states of those that came from an index that was open. */
function place(script: string) {
  const { repository, world: fake, request } = runKit(scriptAgent(`cat > "$HOME/prompt"; ${script}`), FILES);
  const settings = { cacheDir: repository.cache, historyLimit: 0 };
  const real = createRunWorld({ env: fake.env, settings });
  const near: (string | null)[] = [];
  const states: (string | null)[] = [];
  const world: RunWorld = {
    ...fake,
    buildPrompt: (input) => {
      states.push(input.state);
      return real.buildPrompt({
        ...input,
        onNear: (expectedMs) => {
          near.push(input.state);
          input.onNear?.(expectedMs);
        },
      });
    },
  };
  const run = async (changes: object = {}) => {
    const result = await runRole({ ...request, task: TASK, ...changes }, world).result;
    expect(result.outcome).toBe('passed');
    return readFileSync(join(repository.home, 'prompt'), 'utf8');
  };
  return { repository, run, near, states };
}

describe('the index of a work tree that is used again', () => {
  it('gives the same prompt, and says that it is near, once it is open', async () => {
    const { run, near, states } = place(`echo x > new.txt; ${say()}`);
    const first = await run();
    expect(first).toContain('return attempts - 1;');
    expect(near).toEqual([]);
    expect(await run()).toBe(first);
    expect(states).toHaveLength(2);
    expect(near).toEqual([states[1]]);
  });

  it('holds although the last agent has changed files', async () => {
    const { run } = place(`echo '// mine' > src/retry.ts; rm src/use.ts; ${say()}`);
    const first = await run();
    for (let round = 0; round < 5; round += 1) expect(await run()).toBe(first);
  });

  it('is of one commit only', async () => {
    const { repository, run } = place(say());
    await run();
    repository.write('src/retry.ts', FILES['src/retry.ts'].replace('- 1', '- 2'));
    repository.git('commit', '--quiet', '--all', '--message=two');
    expect(await run()).toContain('return attempts - 2;');
  });

  it('is looked at anew when the agent has been in the tree', async () => {
    const script = `if [ -f "$HOME/tried" ]; then ${say()}; else touch "$HOME/tried"; echo '// half' >> src/retry.ts; echo no answer; fi`;
    const { run, states } = place(script);
    expect(await run()).toContain('// half');
    expect(states.map((state) => state !== null)).toEqual([true, false]);
  });

  it('is another with staged changes', async () => {
    const { repository, run, near } = place(say());
    await run({ staged: true });
    repository.write('src/retry.ts', FILES['src/retry.ts'].replace('- 1', '- 3'));
    repository.git('add', '-A');
    expect(await run({ staged: true })).toContain('return attempts - 3;');
    expect(near).toEqual([]);
    expect(await run({ staged: false })).toContain('return attempts - 1;');
  });
});
