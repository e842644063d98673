// What every example asserts: ten tool results, eleven model calls, and each of them sees the newest pack once.
import assert from 'node:assert/strict';
import { ContextBuilder, ContextPolicy, openMemoryStore, RECALL_HEADER } from 'loadout/session';

export const STEPS = 10;
export const LONG_LINE = 'a line of a long file';
export const readFile = (at) => `file ${at}\n${`${LONG_LINE}\n`.repeat(1_000)}`;

export function createSession() {
  const store = openMemoryStore();
  const policy = ContextPolicy.fromDict({ max_items: 6, max_total_chars: 2_500, tool_selectors: { read_file: 'head_tail' } });
  const builder = new ContextBuilder({ store, policy });
  const pack = async () => (await builder.build({ mission: 'Read ten files' })).text;
  return { store, builder, pack };
}

const times = (text, part) => text.split(part).length - 1;

/** `seen` holds what the model was given, one entry for each call, as JSON. */
export async function checkCalls(name, seen, store) {
  assert.equal(seen.length, STEPS + 1, `${name}: model calls`);
  seen.forEach((call, at) => {
    assert.equal(times(call, RECALL_HEADER), 1, `${name}: packs in call ${at + 1}`);
    const pack = call.slice(call.indexOf(RECALL_HEADER));
    if (at > 0) assert.ok(pack.includes(`file ${at}\\`), `${name}: the pack of call ${at + 1} has the latest result`);
    assert.ok(times(call, LONG_LINE) < 400, `${name}: call ${at + 1} has no result whole`);
  });
  const handles = await store.list();
  assert.equal(handles.length, STEPS, `${name}: stored results`);
  for (const { id, preview } of handles) {
    const at = /file (\d+)/.exec(preview)[1];
    assert.equal(Buffer.from((await store.get(id)).bytes).toString(), readFile(at), `${name}: exact bytes`);
  }
  console.log(`${name}: ${seen.length} calls, the pack once in each, ${handles.length} results kept outside`);
}
