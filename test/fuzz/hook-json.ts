import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import { HOOK_EVENTS } from '../../src/agents/hook-dialect.ts';
import { HOOK_CLIENTS, type HookClient } from '../../src/agents/table.ts';
import { openSafeRoot } from '../../src/platform/fs/safe-root.ts';
import { type IndexSession, openIndexSession } from '../../src/scan/index-session.ts';
import { answerHook } from '../../src/surfaces/hook/answer-hook.ts';
import { workOn } from '../../src/surfaces/hook/hook-work.ts';
import { openSettings } from '../../src/surfaces/shared/open-settings.ts';
import type { FuzzWorld } from './environment.ts';
import { fuzzClass } from './fuzz-class.ts';
import { type Grammar, mutate, mutateJson, ROOT_MARK } from './mutate.ts';
import type { Random } from './random.ts';

const WORDS = [
  ...[
    'session_id',
    'sessionId',
    'cwd',
    'directory',
    'prompt',
    'initialPrompt',
    'source',
    'agent_type',
    'agent_id',
  ],
  ...[
    'tool_name',
    'toolName',
    'tool_input',
    'toolArgs',
    'args',
    'tool_use_id',
    'callID',
    'llm_request',
    'messages',
  ],
  ...[
    'Task',
    'Agent',
    'task',
    'Read',
    'Bash',
    'invoke_agent',
    'compact',
    'startup',
    'parentAgentId',
    'transcript_path',
  ],
  ...[
    'refresh the token in src/auth/token.ts',
    'src/auth/token.ts',
    'file_path',
    'subagent_type',
    'user',
    'model',
  ],
];

/** Recorded hook inputs of the real clients. */
function captured(client: string): readonly Record<string, unknown>[] {
  const file = fileURLToPath(new URL(`../fixtures/hooks/${client}.jsonl`, import.meta.url));
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line.replaceAll('$PROJECT', ROOT_MARK)) as Record<string, unknown>);
}

const common = { session_id: 's1', cwd: ROOT_MARK };
const INPUTS: readonly Record<string, unknown>[] = [
  ...['claude', 'codex', 'copilot', 'gemini', 'qwen'].flatMap(captured),
  {
    ...common,
    prompt: 'Refresh the token before it expires, see src/auth/token.ts and TokenRefresher.refresh',
  },
  {
    ...common,
    tool_name: 'Task',
    tool_use_id: 't1',
    tool_input: { prompt: 'retry what failed', subagent_type: 'tester' },
  },
  { ...common, tool_name: 'Read', tool_input: { file_path: `${ROOT_MARK}/canary-link.ts` } },
  { ...common, agent_type: 'tester', agent_id: 'a1', prompt: 'test the token' },
  { sessionID: 's2', directory: ROOT_MARK, tool: 'task', callID: 'c', args: { prompt: 'the retry queue' } },
  {
    ...common,
    llm_request: {
      messages: [
        { role: 'user', content: 'refresh the token' },
        { role: 'model', content: [{ text: 'ok' }] },
      ],
    },
  },
];
const GRAMMAR: Omit<Grammar, 'examples'> = {
  words: [
    ...WORDS.map((word) => `"${word}":`),
    '{}',
    '[]',
    'null',
    '"',
    ',',
    ':',
    '\\u0000',
    'true',
    '1e400',
  ],
  brackets: [
    ['[', ']'],
    ['{"a":', '}'],
    ['{"prompt":', '}'],
  ],
};

const EVENTS = [...HOOK_EVENTS, ...HOOK_EVENTS, 'PreToolUse', 'before-tool', '', '__proto__'];

/** The event that an input is most likely about. */
function eventOf(input: Readonly<Record<string, unknown>>): string {
  if (typeof input.hook_event_name === 'string') return input.hook_event_name;
  if ('llm_request' in input) return 'before-model';
  if ('tool_name' in input || 'tool' in input || 'toolName' in input) return 'pre-tool-use';
  if ('agent_id' in input) return 'subagent-start';
  return 'source' in input ? 'session-start' : 'user-prompt-submit';
}

/** Gives the input a new session: hooks do not repeat a text in a session. */
function ofNewSession(random: Random, input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = ['session_id', 'sessionId', 'sessionID', 'tool_use_id', 'callID'].filter(
    (name) => name in input,
  );
  return { ...input, ...Object.fromEntries(names.map((name) => [name, `s${random.below(1_000_000)}`])) };
}

interface State {
  readonly runEnvironment: FuzzWorld;
  readonly session: IndexSession;
}

/** A line with the event, the client and whether the index is open already; then what comes in on standard input. */
export const hookJson = fuzzClass<State>({
  setUp: async (runEnvironment) => {
    runEnvironment.write(
      '../config/guidelines/own.json',
      JSON.stringify({
        id: 'own',
        name: 'No shell on documents',
        condition: { paths: ['docs/**'] },
        action: { type: 'tool_restriction', denied_tools: ['Bash'] },
      }),
    );
    const root = openSafeRoot(runEnvironment.repository);
    const { settings } = await openSettings(
      { env: runEnvironment.environment, cwd: root.path },
      { config: '' },
      {},
      root,
    );
    const repo = runEnvironment.repository;
    const session = await openIndexSession({ repo, settings, mode: settings.scanMode }, 'watched');
    await session.use(() => {});
    return { runEnvironment, session };
  },
  generate: (random) => {
    const input = ofNewSession(random, random.pick(INPUTS));
    const event = random.chance(0.7) ? eventOf(input) : random.pick(EVENTS);
    const body = random.chance(0.75)
      ? Buffer.from(JSON.stringify(mutateJson(random, input, WORDS)))
      : mutate(random, { ...GRAMMAR, examples: [JSON.stringify(input)] });
    const way = random.chance(0.03) ? 'cold' : 'warm';
    return Buffer.concat([Buffer.from(`${event} ${random.pick(HOOK_CLIENTS)} ${way}\n`), body]);
  },
  async run({ runEnvironment, session }, input) {
    const end = input.indexOf(10);
    const [event = '', client = '', way] = input.subarray(0, end).toString('utf8').split(' ');
    const text = input.subarray(end + 1).toString('utf8');
    const given = parsed(text);
    if (given === undefined) return problemWith(runEnvironment, event, client, text);
    const answer = await answerHook(event, given, {
      client: client as HookClient,
      environment: runEnvironment.environment,
      cwd: runEnvironment.repository,
      signal: new AbortController().signal,
      ...(way === 'cold' ? {} : { withScan: (_, use) => session.use(use) }),
    });
    return JSON.stringify(answer);
  },
  tearDown: ({ session }) => session.close(),
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The program itself has to report that this is not JSON. */
function problemWith(
  runEnvironment: FuzzWorld,
  event: string,
  client: string,
  text: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const job = {
      event,
      client,
      cwd: runEnvironment.repository,
      environment: runEnvironment.environment,
      cacheDirectory: runEnvironment.cache,
      timeoutMs: 5_000,
    };
    const { port1: ours, port2: its } = new MessageChannel();
    ours.once('message', (message: { readonly kind: string; readonly problem?: string }) => {
      ours.close();
      if (message.kind === 'problem' && message.problem?.startsWith('the input is not JSON'))
        resolve(message.problem);
      else reject(new Error(`not the answer to a broken input: ${JSON.stringify(message)}`));
    });
    workOn(its, job, () => {});
    ours.postMessage(text);
  });
}
