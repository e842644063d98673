import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, it } from 'vitest';
import { allText } from './stub/reply.ts';
import { ConnectedBench } from './support/connected-bench.ts';
import { INVOICE, INVOICE_TASK, SHOP } from './support/shop-repository.ts';

let bench: ConnectedBench;
afterEach(() => bench.close());

interface ListedHook {
  readonly key: string;
  readonly currentHash: string;
}

/** Trusts the hooks, as its window does after the user chose "Trust all and continue". */
async function trustHooks(): Promise<void> {
  const child = spawn('codex', ['app-server'], { cwd: bench.repository, env: bench.env });
  const messages = [
    { id: 1, method: 'initialize', params: { clientInfo: { name: 'test', version: '1' } } },
    { method: 'initialized' },
    { id: 2, method: 'hooks/list', params: { cwds: [bench.repository] } },
  ];
  for (const message of messages) child.stdin.write(`${JSON.stringify(message)}\n`);
  for await (const line of createInterface({ input: child.stdout })) {
    const { id, result } = JSON.parse(line) as { id?: number; result?: { data: { hooks: ListedHook[] }[] } };
    if (id !== 2) continue;
    for (const { key, currentHash } of result!.data[0]!.hooks) {
      const table = `\n[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "${currentHash}"\n`;
      appendFileSync(join(bench.home, '.codex/config.toml'), table);
    }
    break;
  }
  child.kill();
}

function doctor(): { readonly state: string; readonly detail: string } {
  const { checks } = JSON.parse(bench.loadout('doctor', '--json')) as {
    checks: { name: string; state: string; detail: string }[];
  };
  return checks.find(({ name }) => name === 'codex hooks')!;
}

it('codex silently skips hooks until they are trusted, and doctor says so', async () => {
  bench = await ConnectedBench.open('plain', SHOP);
  bench.connect('codex');
  const ask = async () => {
    expect((await bench.ask('codex', INVOICE_TASK, { isUnasked: true })).exitCode).toBe(0);
    return allText(bench.stub.work().at(-1)!);
  };
  expect(doctor()).toMatchObject({ state: 'limited', detail: expect.stringContaining('4 of 4 are skipped') });
  expect(await ask()).not.toContain('<context-pack');
  await trustHooks();
  expect(doctor()).toMatchObject({ state: 'ok', detail: '4 trusted' });
  expect(await ask()).toContain(`\n${INVOICE}:9-13 computeInvoiceTotal`);
});
