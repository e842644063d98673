import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { CONNECTED_CLIENTS, ConnectedBench, type ConnectedClient } from './support/connected-bench.ts';
import { INVOICE_TASK, SHOP } from './support/shop-repository.ts';

let bench: ConnectedBench;
afterEach(() => bench.close());

/** The text that a colleague without Loadout reads; null when the client prints none. */
const PRINTED: Readonly<Record<ConnectedClient, RegExp | null>> = {
  claude: null,
  codex: null,
  copilot: /"serverName":"loadout","status":"failed"/,
  gemini: /MCP issues detected[\s\S]*loadout: command not found/,
  opencode: null,
  qwen: /MCP server\(s\) failed to start: loadout/,
};
const COMPLAINT = /not found in \$PATH|command not found|failed to start|"status":"failed"/;

it.each(CONNECTED_CLIENTS)(
  '%s does the task without Loadout, and prints what the guide says',
  async (client) => {
    bench = await ConnectedBench.open('plain', SHOP);
    bench.connect(client);
    rmSync(join(bench.home, 'bin/loadout'));
    const { exitCode, stdout, stderr } = await bench.ask(client, INVOICE_TASK);
    expect([exitCode, bench.stub.work().length > 0]).toEqual([0, true]);
    const expected = PRINTED[client];
    if (expected) expect(stdout + stderr).toMatch(expected);
    else expect(stdout + stderr).not.toMatch(COMPLAINT);
  },
);
