import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { CONNECTED_CLIENTS, ConnectedBench, type ConnectedClient } from './support/connected-bench.ts';
import { SHOP } from './support/shop-repository.ts';

/** Each client's name for its shell in hook events; guidelines ignore the case. */
const SHELLS = ['Bash', 'run_shell_command'];
const REASON = 'NO-SHELL-IN-THIS-HOUSE';

/** Flags that allow the shell, so that only the guideline refuses it. */
const PERMITS: Readonly<Record<ConnectedClient, readonly string[]>> = {
  claude: [],
  codex: ['--sandbox', 'danger-full-access'],
  gemini: [],
  opencode: [],
  copilot: [],
  qwen: [],
};

let bench: ConnectedBench;
afterEach(() => bench.close());

async function open(): Promise<void> {
  bench = await ConnectedBench.open('shell', SHOP);
  mkdirSync(join(bench.home, '.claude'));
  writeFileSync(join(bench.home, '.claude/settings.json'), '{"permissions": {"allow": ["Bash"]}}\n');
}

/** The model calls the shell; what it heard of it, and whether it ran. */
async function callShell(client: ConnectedClient) {
  const { exitCode, stderr } = await bench.ask(client, 'Please list the files', { flags: PERMITS[client] });
  expect(exitCode, stderr).toBe(0);
  const last = bench.stub.work().at(-1)!;
  const heard = last.messages.filter(({ role }) => role === 'tool').map(({ text }) => text);
  return { heard: heard.join('\n'), ran: existsSync(join(bench.repository, 'shell-ran.txt')) };
}

describe.each(CONNECTED_CLIENTS)('%s', (client) => {
  it('is refused a tool by a guideline of its user, with the reason, after "loadout init"', async () => {
    await open();
    bench.refuse(SHELLS, REASON);
    bench.connect(client, 'user');
    const { heard, ran } = await callShell(client);
    expect(heard, bench.hookLog()).toContain(REASON);
    expect(ran).toBe(false);
  });
});

describe('claude', () => {
  it('asks for it only in a file of the user when it is set up for the repository', async () => {
    await open();
    bench.refuse(SHELLS, REASON);
    bench.connect('claude');
    const read = (name: string) => readFileSync(join(bench.repository, '.claude', name), 'utf8');
    expect(read('settings.json')).not.toContain('Bash');
    expect(read('settings.local.json')).toContain('"matcher": "Bash|bash|run_shell_command"');
    const { heard, ran } = await callShell('claude');
    expect(heard, bench.hookLog()).toContain(REASON);
    expect(ran).toBe(false);
  });

  it('runs it where nothing refuses it, or only a repository would', async () => {
    await open();
    const action = { type: 'tool_restriction', tools: SHELLS, instruction: REASON };
    bench.write({ '.loadout/guidelines/no.json': JSON.stringify({ id: 'no', name: 'no', action }) });
    bench.connect('claude');
    expect(existsSync(join(bench.repository, '.claude/settings.local.json'))).toBe(false);
    expect((await callShell('claude')).ran).toBe(true);
  });
});
