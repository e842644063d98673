import { LoadoutError } from '../../model/loadout-error.ts';

export const HOOK_CLIENTS = ['claude', 'codex', 'gemini', 'copilot', 'opencode'] as const;
export type HookClient = (typeof HOOK_CLIENTS)[number];

export const HOOK_EVENTS = [
  'session-start',
  'user-prompt-submit',
  'pre-tool-use',
  'subagent-start',
  'before-agent',
  'before-model',
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** What clients call the same thing. */
const OTHER_NAMES: ReadonlyMap<string, HookEvent> = new Map<string, HookEvent>([
  ['user-prompt-submitted', 'user-prompt-submit'],
  ['before-tool', 'pre-tool-use'],
]);

export interface HookTool {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Empty when the client gives none. */
  readonly id: string;
}

export interface ModelMessage {
  readonly role: string;
  readonly content: unknown;
}

/** What a client tells its hook, in our words. What it does not tell is null. */
export interface HookCall {
  readonly client: HookClient;
  readonly event: HookEvent;
  readonly sessionId: string;
  readonly cwd: string | null;
  readonly prompt: string | null;
  /** Why a session or a turn began: `startup`, `compact`. */
  readonly source: string | null;
  /** Kind of the agent that the event happens in or is about. */
  readonly agent: string | null;
  /** Which agent of that kind; null in the main thread. */
  readonly agentId: string | null;
  readonly tool: HookTool | null;
  readonly messages: readonly ModelMessage[] | null;
}

/** `PreToolUse`, `preToolUse` and `pre-tool-use` are one event; null when we have nothing to say to it. */
export function readEvent(name: string): HookEvent | null {
  const spelled = name.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();
  return OTHER_NAMES.get(spelled) ?? HOOK_EVENTS.find((event) => event === spelled) ?? null;
}

export function readClient(name: string): HookClient {
  const client = HOOK_CLIENTS.find((one) => one === name);
  if (client) return client;
  const message = `there is no client ${JSON.stringify(name.slice(0, 40))}; known are ${HOOK_CLIENTS.join(', ')}`;
  throw new LoadoutError('unknown-client', message, { subject: '--client' });
}

/** Where a client may say what a subagent is to do; most do not. */
const SUBAGENT_TASK = ['prompt', 'task', 'task_description', 'taskDescription', 'description'];

/** Reads a client's input. Fields of the wrong type count as not given: a hook never argues. */
export function readHookCall(client: HookClient, event: HookEvent, input: unknown): HookCall {
  if (!isRecord(input)) throw new LoadoutError('bad-hook-input', 'the input is not a JSON object');
  const text = (...names: readonly string[]): string | null => {
    for (const name of names) if (typeof input[name] === 'string' && input[name] !== '') return input[name];
    return null;
  };
  const request = isRecord(input.llm_request) ? input.llm_request.messages : null;
  // Copilot makes a session of each subagent; what happened in its parent's would be lost
  const parent = client === 'copilot' ? text('parentAgentId') : null;
  return {
    client,
    event,
    sessionId: parent ?? text('session_id', 'sessionId', 'sessionID') ?? '',
    cwd: text('cwd', 'directory'),
    prompt: text(...(event === 'subagent-start' ? SUBAGENT_TASK : ['prompt', 'initialPrompt'])),
    source: text('source'),
    agent: text('agent_type', 'agentType', 'agentName', 'agent'),
    agentId: text('agent_id', 'agentId', 'agentID'),
    tool: readTool(input, text('tool_name', 'toolName', 'tool'), text('tool_use_id', 'toolCallId', 'callID')),
    messages: Array.isArray(request) ? request.filter(isMessage) : null,
  };
}

function readTool(
  input: Readonly<Record<string, unknown>>,
  name: string | null,
  id: string | null,
): HookTool | null {
  if (name === null) return null;
  const given = [input.tool_input, input.toolArgs, input.args].find((one) => one !== undefined);
  return { name, input: isRecord(given) ? given : {}, id: id ?? '' };
}

function isMessage(value: unknown): value is ModelMessage {
  return isRecord(value) && typeof value.role === 'string';
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
