import { lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contextOf, type HookPlace, hookPlace, PROJECT } from '../../../test/support/hook-kit.ts';
import { type FileRecord, type HookRecord, readHookRecords } from './hook-records.ts';

const TASK = 'Fix the race when the access token is refreshed in refreshToken';
const BODY = '3 export function refreshToken(clock: Clock) {\n4   return clock.now();\n5 }';
const TOKEN = 'src/auth/token.ts';

let place: HookPlace;
let sessions = 0;
/** A session of its own in the same repository. */
function newSession(variables: Readonly<Record<string, string>> = {}) {
  const session_id = `session-${++sessions}`;
  const ask = (event: string, input: Readonly<Record<string, unknown>> = {}) =>
    place.ask(event, { session_id, ...input }, 'claude', variables);
  const records = (): readonly HookRecord[] =>
    readHookRecords(place.cache, place.path).filter(({ session }) => session === session_id);
  return {
    ask,
    records,
    tell: async (prompt: string) => contextOf(await ask('user-prompt-submit', { prompt })),
  };
}

/** Two equal events within seconds are one event of a client that is set up twice. */
const forgetClaims = () => rmSync(join(place.cache, 'hook/claims'), { recursive: true });

let remove = () => {};
beforeAll(() => {
  place = hookPlace(PROJECT, {}, (done) => {
    remove = done;
  });
});
afterAll(() => remove());

describe('the brief of a prompt', () => {
  it('has the code of the right definition, one mark, no scores, and the line for gaps', async () => {
    const { tell, records } = newSession();
    const text = await tell(TASK);
    expect(text).toContain(
      `${TOKEN}:2-5 refreshToken  (named in the task)\n2 /** Refreshes the access token. */\n${BODY}`,
    );
    expect(text).not.toMatch(/relevance|tokens|Budget|Dependencies|included/);
    expect(text.split('\n')[0]).toBe('<context-pack source="loadout">');
    expect(text.split('\n')[1]).toMatch(/^Places in this repository .* treat it as data\.$/);
    const [, id] = /\nMissing something\? loadout gap --package (\w{16}) "what was missing"\n/.exec(text)!;
    expect(records()).toEqual([
      {
        kind: 'answer',
        ...{ client: 'claude', event: 'user-prompt-submit', session: expect.any(String), agent: null },
        ...{ form: 'brief', verdict: 'full', reason: 'the gate is off', characters: text.length },
        ...{ at: expect.stringMatching(/^\d{4}-.*Z$/), milliseconds: expect.any(Number) },
        confidence: expect.any(Number),
        places: expect.arrayContaining([`${TOKEN}:2-5`]),
        ...{ locations: expect.any(Array), prompt: TASK, package: id },
        ...{ names: expect.arrayContaining(['refreshToken']), tokens: expect.any(Number) },
      },
    ]);
  });

  it('is never longer than hookMaxChars, frame and all', async () => {
    for (const most of ['500', '700', '6000']) {
      const { tell } = newSession({ LOADOUT_HOOK_MAX_CHARS: most });
      expect((await tell(TASK)).length).toBeLessThanOrEqual(Number(most));
    }
  });

  it('names what the session has seen, and stays silent when nothing is new', async () => {
    const { tell, records } = newSession();
    await tell(TASK);
    forgetClaims();
    expect(await tell(TASK)).toBe('');
    expect(records().at(-1)).toMatchObject({ verdict: 'silent', reason: 'shown before in this session' });
    const more = await tell('refreshToken and retryQueue: give the queue of tokens one more attempt');
    expect(more).toContain('1 export const retryQueue');
    expect(more).not.toContain(BODY);
    expect(more).toContain(`${basename(TOKEN)}:2-5 refreshToken - shown before`);
  });

  it('is cut to locations or left out by the gate; guidelines are still added', async () => {
    const unsure = newSession({ LOADOUT_HOOK_GATE: 'strict' });
    const vague = 'Please look after all of this for me';
    expect(await unsure.tell(vague)).toBe('');
    expect(unsure.records()).toMatchObject([{ verdict: 'silent', characters: 0, places: [], prompt: vague }]);
    place.write(
      '.loadout/guidelines/all.json',
      JSON.stringify({
        id: 'all',
        name: 'All',
        action: { type: 'instruction', instruction: 'KEEP-IT-SMALL' },
      }),
    );
    const ruled = newSession({ LOADOUT_HOOK_GATE: 'strict' });
    const text = await ruled.tell(vague);
    expect(text).toContain('KEEP-IT-SMALL');
    expect(text).not.toContain('Places in this repository');
    rmSync(join(place.path, '.loadout'), { recursive: true });
  });

  it.each(['thanks', 'thanks, that looks good', 'go on'])('is not made for %j', async (prompt) => {
    const { tell, records } = newSession({ LOADOUT_HOOK_GATE: 'normal' });
    expect(await tell(prompt)).toBe('');
    expect(records()).toMatchObject([{ verdict: 'silent', places: [], prompt }]);
  });

  it('does not send a subagent whose own task was unclear the brief of its parent', async () => {
    const { ask, tell } = newSession({ LOADOUT_HOOK_GATE: 'strict' });
    const { tell: sure } = newSession();
    expect(await sure(TASK)).not.toBe('');
    await tell(TASK);
    const call = {
      tool_name: 'Task',
      tool_use_id: 't',
      tool_input: { prompt: 'Please look after all of it' },
    };
    expect(await ask('pre-tool-use', call)).toEqual({});
    expect(contextOf(await ask('subagent-start', { agent_type: '' }))).not.toContain(TOKEN);
  });
});

describe('files that were read and edited', () => {
  const read = (path: string, offset: number, limit: number, id: string) => ({
    ...{ tool_name: 'Read', tool_use_id: id },
    tool_input: { file_path: join(place.path, path), offset, limit },
    tool_response: { file: { content: 'CONTENT-OF-A-FILE' } },
  });

  it('are recorded by line, inside the repository, once, without contents', async () => {
    const { ask, records } = newSession();
    const edit = { file_path: TOKEN, old_string: 'x', new_string: '  return clock.now();\n}' };
    for (const input of [
      read(TOKEN, 2, 3, 'a'),
      read(TOKEN, 2, 3, 'a'),
      { tool_name: 'Edit', tool_use_id: 'b', tool_input: edit },
      read('../outside.ts', 1, 2, 'c'),
      read('src/gone.ts', 1, 2, 'd'),
      { tool_name: 'Bash', tool_input: { command: 'ls' } },
    ])
      expect(await ask('PostToolUse', input)).toEqual({});
    const files = records().filter((one): one is FileRecord => one.kind === 'file');
    expect(files.map(({ how, path, lines }) => [how, path, lines])).toEqual([
      ['read', TOKEN, [2, 4]],
      ['edit', TOKEN, [4, 5]],
    ]);
    const folder = join(place.cache, 'hook/records');
    for (const name of readdirSync(folder)) {
      expect((lstatSync(join(folder, name)).mode & 0o777).toString(8)).toBe('600');
      expect(readFileSync(join(folder, name), 'utf8')).not.toContain('CONTENT-OF-A-FILE');
    }
  });

  it('come back after a compaction with the brief, in at most 3,000 characters', async () => {
    const { ask, tell } = newSession();
    await tell(TASK);
    await ask('post-tool-use', read('src/clock.ts', 1, 2, 'a'));
    await ask('post-tool-use', read('src/clock.ts', 2, 2, 'b'));
    await ask('post-tool-use', { ...read(TOKEN, 1, 1, 'd'), agent_id: 'a subagent' });
    await ask('post-tool-use', read('README.md', 1, 1, 'c'));
    const text = contextOf(await ask('session-start', { source: 'compact' }));
    expect(text.length).toBeLessThanOrEqual(3_000);
    expect(text).toContain(BODY);
    expect(text).toContain('\nREADME.md - read 1\nsrc/clock.ts - read 1-3\n');
    expect(text).not.toContain(`${TOKEN} - read`);
    // it has been brought back, so it is known
    forgetClaims();
    expect(await tell(TASK)).toBe('');
  });

  it('come back when a session is resumed, once', async () => {
    const { ask, tell } = newSession();
    await tell(TASK);
    expect(contextOf(await ask('session-start', { source: 'resume' }))).toContain(BODY);
    forgetClaims();
    expect(await ask('session-start', { source: 'resume' })).toEqual({});
  });

  it('are not recorded, and no prompt is, when the user does not want that', async () => {
    const { ask, tell, records } = newSession({ LOADOUT_HOOK_RECORDS: 'off' });
    await tell(TASK);
    await ask('post-tool-use', read(TOKEN, 2, 3, 'a'));
    expect(records()).toEqual([]);
  });
});

describe('records', () => {
  it('are redacted', async () => {
    const { tell, records } = newSession();
    await tell(`${TASK}, with password=hunter2hunter2hunter2`);
    const [{ prompt }] = records() as unknown as [{ prompt: string }];
    expect(prompt).toContain('[redacted');
    expect(prompt).not.toContain('hunter2');
  });

  it('are bounded', async () => {
    const { HookFiles } = await import('./hook-files.ts');
    const files = new HookFiles(place.cache);
    for (let number = 0; number < 3_000; number++)
      files.record('other', `${number} ${'x'.repeat(1_000)}`, 'first');
    const kept = files.records('other').filter((line) => line !== '');
    expect(kept.filter((line) => line === 'first')).toHaveLength(2);
    expect(kept.at(-1)).toMatch(/^2999 /);
    expect(kept.length).toBeGreaterThan(500);
    expect(kept.length).toBeLessThan(1_100);
  });
});

it('a session starts without a word, unless there are guidelines', async () => {
  const { ask } = newSession();
  expect(await ask('session-start', { source: 'startup' })).toEqual({});
});
