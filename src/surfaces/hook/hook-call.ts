import {
  type AgentHooks,
  CLIENTS,
  DEFAULT_HOOK_CLIENT,
  HOOK_CLIENTS,
  HOOK_EVENTS,
  type HookAnswer,
  type HookClient,
  type HookEvent,
  hooksOf,
  isRecord,
  type JsonRecord,
  type ModelMessage,
} from '../../agents/index.ts';
import { LoadoutError } from '../../model/loadout-error.ts';

/** A tool that an agent is about to use, or has used. */
export interface HookTool {
  readonly name: string;
  readonly input: JsonRecord;
  /** Empty when the client gives none. */
  readonly id: string;
  /** Its result; undefined before it was used. */
  readonly response: unknown;
}

/** The input of a hook, in the same words for every client. Fields that the client does not send are null. */
export interface HookCall {
  readonly client: HookClient;
  /** The client's names for fields, and the shape of its answers. */
  readonly dialect: AgentHooks;
  readonly event: HookEvent;
  readonly sessionId: string;
  readonly cwd: string | null;
  readonly prompt: string | null;
  /** The reason for a new session or turn: `startup`, `compact`. */
  readonly source: string | null;
  /** Kind of the agent that the event happens in or is about. */
  readonly agent: string | null;
  /** Which agent of that kind; null in the main thread. */
  readonly agentId: string | null;
  readonly tool: HookTool | null;
  readonly messages: readonly ModelMessage[] | null;
}

const spelledOurWay = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();

/** The events by our names and by the names of the clients. */
const EVENTS: ReadonlyMap<string, HookEvent> = new Map([
  ...CLIENTS.flatMap(({ hooks }) => hooks?.events ?? []).map(
    ({ name, event }) => [spelledOurWay(name), event] as const,
  ),
  ...HOOK_EVENTS.map((event) => [event, event] as const),
]);

/** `PreToolUse`, `preToolUse` and `pre-tool-use` are one event; null for other events. */
export function readEvent(name: string): HookEvent | null {
  return EVENTS.get(spelledOurWay(name)) ?? null;
}

/** The client of a name; the default one for an empty name. */
export function readClient(name: string): HookClient {
  if (name === '') return DEFAULT_HOOK_CLIENT;
  const client = HOOK_CLIENTS.find((one) => one === name);
  if (client) return client;
  const message = `there is no client ${JSON.stringify(name.slice(0, 40))}; known are ${HOOK_CLIENTS.join(', ')}`;
  throw new LoadoutError('unknown-client', message, { subject: '--client' });
}

/** Reads a client's input. Fields of the wrong type count as missing: a hook never fails over its input. */
export function readHookCall(client: HookClient, event: HookEvent, input: unknown): HookCall {
  if (!isRecord(input)) throw new LoadoutError('bad-hook-input', 'the input is not a JSON object');
  const dialect = hooksOf(client);
  const { fields, cleanPrompt, modelRequest } = dialect;
  const prompt = firstText(input, event === 'subagent-start' ? fields.subagentTask : fields.prompt);
  const messages = modelRequest?.read(input);
  return {
    client,
    dialect,
    event,
    sessionId: firstText(input, fields.sessionId) ?? '',
    cwd: firstText(input, fields.cwd),
    prompt: prompt !== null && cleanPrompt ? cleanPrompt(prompt) : prompt,
    source: firstText(input, fields.source),
    agent: firstText(input, fields.agent),
    agentId: firstText(input, fields.agentId),
    tool: readTool(input, dialect),
    messages: Array.isArray(messages) ? messages.filter(isMessage) : null,
  };
}

/** The first of these fields that holds a text; null when none does. */
export function firstText(input: JsonRecord, names: readonly string[]): string | null {
  for (const name of names) {
    const value = input[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}

function readTool(input: JsonRecord, { fields }: AgentHooks): HookTool | null {
  const name = firstText(input, fields.toolName);
  if (name === null) return null;
  const first = (names: readonly string[]) =>
    names.map((field) => input[field]).find((one) => one !== undefined);
  const given = first(fields.toolInput);
  return {
    name,
    input: isRecord(given) ? given : {},
    id: firstText(input, fields.toolCallId) ?? '',
    response: first(fields.toolResponse),
  };
}

function isMessage(value: unknown): value is ModelMessage {
  return isRecord(value) && typeof value.role === 'string';
}

/** The answer for "nothing to add", which every client accepts. */
export const NOTHING: HookAnswer = {};

/** Adds text to the context of the model. */
export function withContext({ dialect, event }: HookCall, text: string): HookAnswer {
  return text === '' ? NOTHING : dialect.answers.context(event, text);
}

/** Replaces the input of a tool. Clients expect all of its fields. */
export function withToolInput({ dialect, event }: HookCall, input: JsonRecord): HookAnswer {
  return dialect.answers.toolInput(event, input);
}

/** Refuses the use of a tool. */
export function withDenial({ dialect, event }: HookCall, reason: string): HookAnswer {
  return dialect.answers.denial(event, reason);
}

/** Replaces the messages of a model request. */
export function withMessages({ dialect }: HookCall, messages: readonly ModelMessage[]): HookAnswer {
  return dialect.modelRequest?.answer(messages) ?? NOTHING;
}
