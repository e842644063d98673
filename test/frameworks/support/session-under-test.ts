import { expect } from 'vitest';
import {
  ContextBuilder,
  ContextPolicy,
  openMemoryStore,
  RECALL_HEADER,
  type ToolResultStore,
} from '../../../src/session/index.ts';

/** Model calls with tool results between them; one more call follows. */
export const STEPS = 10;
export const MISSION = 'Read the files';
export const REPOSITORY = 'REPOSITORY: src/login.ts sets the timeout';

/** Line ends and characters of all widths, so that exact bytes mean something. */
export const fileText = (name: string): string =>
  `[${name}]\r\n${'a line é 漢 \u{1f600} of a file\n'.repeat(800)}`;
export const BODY = 'a line é 漢 \u{1f600} of a file\n'.repeat(60);

/** Which files the tools are asked for in a step: every other step calls two tools at once. */
export const filesOf = (step: number): string[] =>
  step % 2 === 0 ? [`file-${step}-a`, `file-${step}-b`] : [`file-${step}-a`];

export const ALL_FILES = Array.from({ length: STEPS }, (_, at) => filesOf(at + 1)).flat();

export function createSession() {
  const store = openMemoryStore();
  const policy = ContextPolicy.fromDict({ max_items: 6, max_total_chars: 2_500 });
  const builder = new ContextBuilder({ store, policy });
  const pack = async () => (await builder.build({ mission: MISSION })).text;
  return { store, pack };
}

/** The input of one model call: everything in front of the messages, and the messages. */
export interface SeenCall {
  readonly system: unknown;
  readonly messages: readonly unknown[];
}

const times = (text: string, part: string) => text.split(part).length - 1;

/** Each call sees the newest pack once, as the last message, behind a beginning that never changes. */
export function expectPackOnceACall(calls: readonly SeenCall[]): void {
  expect(calls).toHaveLength(STEPS + 1);
  calls.forEach(({ system, messages }, at) => {
    const written = messages.map((message) => JSON.stringify(message));
    const call = JSON.stringify(system) + written.join('');
    expect(times(call, RECALL_HEADER), `packs in call ${at + 1}`).toBe(1);
    expect(written.at(-1), `the pack of call ${at + 1} is the last message`).toContain(RECALL_HEADER);
    expect(times(call, REPOSITORY), `repository sections in call ${at + 1}`).toBe(1);
    expect(call, `no result is whole in call ${at + 1}`).not.toContain(JSON.stringify(BODY).slice(1, -1));
    for (const file of at === 0 ? [] : filesOf(at)) {
      expect(written.at(-1), `the pack of call ${at + 1} has the latest result`).toContain(`[${file}]`);
    }
    const next = calls[at + 1];
    if (next === undefined) return;
    expect(JSON.stringify(next.system), `what comes first in call ${at + 2}`).toBe(JSON.stringify(system));
    const kept = next.messages.slice(0, written.length - 1).map((message) => JSON.stringify(message));
    expect(kept, `the beginning of call ${at + 2}`).toEqual(written.slice(0, -1));
  });
}

/** All results are in the store, byte for byte, and nothing else is. */
export async function expectExactResults(store: ToolResultStore, history: unknown): Promise<void> {
  const ids = new Set(JSON.stringify(history).match(/tr_[0-9a-f]{32}/g));
  expect(ids.size).toBe(ALL_FILES.length);
  const texts = await Promise.all(
    [...ids].map(async (id) => Buffer.from((await store.get(id))!.bytes).toString('utf8')),
  );
  expect(texts).toEqual(ALL_FILES.map(fileText));
  expect(await store.list()).toHaveLength(ALL_FILES.length);
}
