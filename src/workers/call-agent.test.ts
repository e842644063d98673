import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runKit, scriptAgent } from './run.test-kit.ts';
import { runRole } from './run-role.ts';

/** The file with the output of an agent that prints this text. */
async function savedOutput(text: string): Promise<string> {
  const { repository, environment, request } = runKit(
    scriptAgent('cat > /dev/null; cat "$HOME/output"; exit 1'),
  );
  writeFileSync(join(repository.home, 'output'), text);
  await runRole({ ...request, maxRetries: 0 }, environment).result;
  const runs = join(repository.path, '.loadout/runs');
  const [run] = readdirSync(runs).filter((name) => name !== '.gitignore');
  return readFileSync(join(runs, run!, 'attempt-1.output.txt'), 'utf8');
}

const base64 = (seed: number) => createHash('sha512').update(`${seed}`).digest('base64').slice(0, 64);
const LINES_OF_KEY = Array.from({ length: 40 }, (_, at) => base64(at));
const KEY = ['-----BEGIN PRIVATE KEY-----', ...LINES_OF_KEY, '-----END PRIVATE KEY-----'].join('\n');
/** Each is much longer than what stands in for it, so that all that follows moves. */
const SECRETS = Array.from({ length: 700 }, (_, at) => `API_TOKEN=${base64(at).repeat(6)}`).join('\n');
const LOG = 'a line of a log\n'.repeat(30_000);

describe('the output that is saved', () => {
  it('is whole when it is short, without secrets', async () => {
    expect(await savedOutput(`${SECRETS.slice(0, 394)}\nlast line\n`)).toMatch(
      /^API_TOKEN=\[redacted: [^\]]+\]\nlast line\n$/,
    );
  });

  it('is the beginning and the end when it is long', async () => {
    const saved = await savedOutput(`first line\n${LOG}${LOG}last line\n`);
    expect(saved).toMatch(/^first line\n.*\n\[\.\.\.\]\n.*last line\n$/s);
    expect(saved.length).toBeLessThan(500_010);
  });

  it.each([0.1, 0.3, 0.5, 0.7, 0.9])('has nothing of a key that the cut divides at %d', async (part) => {
    // The key lies where the search for secrets begins or ends, 314,000 characters from both ends.
    const before = 314_000 - Math.round(KEY.length * part) - SECRETS.length - 1;
    const half = `${SECRETS}\n${LOG.slice(0, before)}`;
    const end = `${LOG.slice(0, before)}\n${SECRETS}`;
    const saved = await savedOutput(`${half}${KEY}\n${LOG}\n${KEY}${end}`);
    expect(saved).toContain('\n[...]\n');
    for (const line of LINES_OF_KEY) expect(saved).not.toContain(line);
  });
});
