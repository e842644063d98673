import { afterEach, describe, expect, it } from 'vitest';
import { endsWithToolResult, type ModelRequest, type ToolCall } from './stub/reply.ts';
import { RIGHT_ANSWER, type Scenario } from './stub/scenarios.ts';
import { CONNECTED_CLIENTS, ConnectedBench, type ConnectedClient } from './support/connected-bench.ts';
import {
  CATALOG_TASK,
  catalogFile,
  INVOICE,
  INVOICE_TASK,
  SHOP,
  shopWithCatalog,
} from './support/shop-repository.ts';

/** The mark that a client puts where it has cut a text. */
const CUT =
  /tokens truncated|bytes truncated|Output too large|persisted-output|Full output saved|has been truncated/;
const NOTE = /Package (?:[0-9a-f]{16}|[0-9a-f]{64})\. See more with expand [^\n]*$/;

let bench: ConnectedBench;
afterEach(() => bench.close());

const tool = (name: string, input: Readonly<Record<string, unknown>>): ToolCall => ({
  names: ['mcp__loadout__', 'mcp_loadout_', 'loadout_', 'loadout-'].map((server) => `${server}${name}`),
  input: () => input,
});

/** Calls one tool after the other, and then answers. */
function calling(...calls: readonly ToolCall[]): Scenario {
  return (request) => {
    const next = calls[request.messages.filter(({ role }) => role === 'tool').length];
    return next
      ? { kind: 'tools', text: 'Let me ask.', calls: [next] }
      : { kind: 'text', text: RIGHT_ANSWER };
  };
}

/** The results as the server gave them: two of the clients wrap them in words of their own. */
function results(request: ModelRequest): readonly string[] {
  const texts = request.messages.filter(({ role }) => role === 'tool').map(({ text }) => text);
  return texts.map((text) => {
    if (request.protocol === 'openai-responses') return text.replace(/^Wall time: .*\nOutput:\n/, '');
    if (request.protocol !== 'gemini') return text;
    const { output } = JSON.parse(text) as { output: string };
    return output.replace(/^<untrusted_context>\n/, '').replace(/\n<\/untrusted_context>$/, '');
  });
}

async function lastResults(client: ConnectedClient, task: string, ...flags: readonly string[]) {
  bench.connect(client);
  const { exitCode, stderr } = await bench.ask(client, task, { flags });
  expect(exitCode, stderr).toBe(0);
  const last = bench.stub.work().at(-1)!;
  expect(endsWithToolResult(last)).toBe(true);
  return results(last);
}

describe.each(CONNECTED_CLIENTS)('%s', (client) => {
  it('gets the short answer of get_context as it is', async () => {
    bench = await ConnectedBench.open(calling(tool('get_context', { task: INVOICE_TASK })), SHOP);
    const [text] = await lastResults(client, INVOICE_TASK);
    expect(text).toMatch(/^Places in this repository /);
    expect(text).toMatch(
      new RegExp(`^${INVOICE}:\\d+-\\d+ computeInvoiceTotal {2}\\(.*\\)\n9 /.*\n10 export`, 'm'),
    );
    expect(text).toMatch(NOTE);
  });

  it('gets a large package whole, within its size limit', async () => {
    const files = shopWithCatalog();
    const call = tool('get_context', { task: CATALOG_TASK, budget: 60_000 });
    // A package that stops when it has said enough would not be large.
    const settings = { 'loadout.config.json': '{ "fillBudget": true }' };
    bench = await ConnectedBench.open(calling(call), { ...files, ...settings });
    // Codex cuts to a quarter for models that it does not know.
    const flags = client === 'codex' ? ['--model', 'gpt-5.5'] : [];
    const [text] = await lastResults(client, CATALOG_TASK, ...flags);
    expect(text).toMatch(/^# Context package\n/);
    expect(text).toMatch(NOTE);
    expect(text).not.toMatch(CUT);
    const whole = Object.keys(files).filter((path) => text!.includes(`${files[path]}\`\`\`\n`));
    // 20 KiB are less than the tables and what belongs to them
    const takesLittle = client === 'copilot' || client === 'qwen';
    if (!takesLittle) expect(whole).toContain(catalogFile(0));
    if (client !== 'claude') expect(text!.length).toBeGreaterThan(takesLittle ? 12_000 : 25_000);
    else {
      expect(text!.length).toBeGreaterThan(50_000);
      expect(whole.length).toBeGreaterThanOrEqual(8);
    }
  });
});

it('codex: searches, expands and reports a gap', async () => {
  const gap = { package: '0'.repeat(64), missing: 'the rounding rules' };
  bench = await ConnectedBench.open(
    calling(
      tool('search_code', { query: 'computeInvoiceTotal' }),
      tool('expand', { reference: `${INVOICE}#computeInvoiceTotal` }),
      tool('report_gap', gap),
    ),
    SHOP,
  );
  const [found, shown, kept] = await lastResults('codex', INVOICE_TASK);
  expect(found).toContain(INVOICE);
  expect(shown).toContain('return discount > 0 && discount < 1 ?');
  expect(kept).toContain('Kept');
});
