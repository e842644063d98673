// How hooks of a client speak: its events, the names of its fields, the shape of its answers.

import type { FileTool } from './file-tools.ts';
import type { JsonRecord } from './json-events.ts';

/** The hook events that Loadout answers, by its own names. */
export const HOOK_EVENTS = [
  'session-start',
  'user-prompt-submit',
  'pre-tool-use',
  'post-tool-use',
  'subagent-start',
  'before-agent',
  'before-model',
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** The answer for the client, on standard output. */
export type HookAnswer = JsonRecord;

/** One message of a model request, as a client shows it to its hooks. */
export interface ModelMessage {
  readonly role: string;
  readonly content: unknown;
}

/** How long a text may be before a client cuts it. */
export interface TextLimit {
  /** In UTF-16 units. */
  readonly characters: number;
  /** In UTF-8. */
  readonly bytes: number;
}

/** For clients that cut nothing. */
export const NO_LIMIT: TextLimit = {
  characters: Number.POSITIVE_INFINITY,
  bytes: Number.POSITIVE_INFINITY,
};

/** Whether a client would take the text whole. */
export function fitsLimit(text: string, { characters, bytes }: TextLimit): boolean {
  const hasByteLimit = bytes !== Number.POSITIVE_INFINITY;
  return text.length <= characters && (!hasByteLimit || Buffer.byteLength(text) <= bytes);
}

/** An event for which `loadout init` makes the client call Loadout. */
interface HookedEvent {
  readonly event: HookEvent;
  /** The client's own name of the event. */
  readonly name: string;
  /** How long the client waits for the answer. */
  readonly seconds: number;
  /** For `pre-tool-use`: the tools it is about, besides those that the user's guidelines refuse. */
  readonly tools?: readonly string[];
  /** For `post-tool-use`: the client's pattern for the tools it is about. */
  readonly matcher?: string;
  /** The client does not wait for the hook. */
  readonly isAsync?: true;
}

/** Names of fields in hook inputs. The first name of a list that the input has counts. */
export interface HookFields {
  readonly sessionId: readonly string[];
  readonly cwd: readonly string[];
  readonly prompt: readonly string[];
  /** The task in the event of a subagent's start; most clients leave it out. */
  readonly subagentTask: readonly string[];
  readonly source: readonly string[];
  readonly agent: readonly string[];
  readonly agentId: readonly string[];
  readonly toolName: readonly string[];
  readonly toolInput: readonly string[];
  readonly toolCallId: readonly string[];
  /** The result of a tool, after it was used. */
  readonly toolResponse: readonly string[];
  /** In the input of a tool: the files that it works on. */
  readonly toolPaths: readonly string[];
  /** In the input of a tool that starts a subagent: the kind of agent. */
  readonly subagentKind: readonly string[];
}

/**
 * The names that clients use. They differ only in spelling, so one set of lists serves all clients. A client whose names mean
 * something else brings its own lists.
 */
export const COMMON_FIELDS: HookFields = {
  sessionId: ['session_id', 'sessionId', 'sessionID'],
  cwd: ['cwd', 'directory'],
  prompt: ['prompt', 'initialPrompt'],
  subagentTask: ['prompt', 'task', 'task_description', 'taskDescription', 'description'],
  source: ['source'],
  agent: ['agent_type', 'agentType', 'agentName', 'agent'],
  agentId: ['agent_id', 'agentId', 'agentID'],
  toolName: ['tool_name', 'toolName', 'tool'],
  toolInput: ['tool_input', 'toolArgs', 'args'],
  toolCallId: ['tool_use_id', 'toolCallId', 'callID'],
  toolResponse: ['tool_response', 'toolResult', 'result'],
  toolPaths: ['file_path', 'notebook_path', 'filePath', 'path'],
  subagentKind: ['subagent_type', 'agent_type', 'agent_name'],
};

/** The forms in which a client takes each kind of answer. */
export interface HookAnswers {
  /** Adds text to the context of the model. */
  context(event: HookEvent, text: string): HookAnswer;
  /** Changes the input of a tool. Clients want the whole input. */
  toolInput(event: HookEvent, input: JsonRecord): HookAnswer;
  /** Refuses the use of a tool. */
  denial(event: HookEvent, reason: string): HookAnswer;
}

/** How a client calls its hooks and reads their answers. */
export interface AgentHooks {
  /** Hooks without `--client` come from this client. Exactly one client has it. */
  readonly isDefault?: true;
  /** In the order in which they are written; empty when a plugin calls Loadout. */
  readonly events: readonly HookedEvent[];
  readonly fields: HookFields;
  readonly answers: HookAnswers;
  /** A little less than the length at which it cuts the text for its model. */
  readonly contextLimit: TextLimit;
  /** Most characters that its form of an answer adds to a text. (default: 0) */
  readonly addedCharacters?: number;
  /** Tools that start a subagent, with its task as `prompt` in their input. */
  readonly subagentTools: readonly string[];
  /** Tools that read or edit files, by name. */
  readonly fileTools?: Readonly<Record<string, FileTool>>;
  /** Removes text that the client itself has put in front of the prompt. */
  readonly cleanPrompt?: (prompt: string) => string;
  /** It shows the messages before a model call to its hooks, and lets them change the messages. */
  readonly modelRequest?: {
    read(input: JsonRecord): unknown;
    answer(messages: readonly ModelMessage[]): HookAnswer;
  };
  /** It escapes the text of session-start hooks, so that code would arrive changed. */
  readonly escapesSessionStart?: true;
  /** Its subagents get their task as a prompt of their own, right after their start. */
  readonly taskFollowsStart?: true;
  /** Added to the end of a hook's shell line. */
  readonly lineEnd?: string;
  /** The units of a second in the `timeout` of a hook. (default: 1) */
  readonly timeoutPerSecond?: number;
}

/** Names of events in answers, unless a client has others. */
const ANSWER_NAMES: Readonly<Record<HookEvent, string>> = {
  'session-start': 'SessionStart',
  'user-prompt-submit': 'UserPromptSubmit',
  'pre-tool-use': 'PreToolUse',
  'post-tool-use': 'PostToolUse',
  'subagent-start': 'SubagentStart',
  'before-agent': 'BeforeAgent',
  'before-model': 'BeforeModel',
};

/** An answer under `hookSpecificOutput`, with the name of its event. */
export function nested(event: HookEvent, output: HookAnswer, name: string = ANSWER_NAMES[event]): HookAnswer {
  return { hookSpecificOutput: { hookEventName: name, ...output } };
}

const denial = (reason: string): HookAnswer => ({
  permissionDecision: 'deny',
  permissionDecisionReason: reason,
});

/** Answers under `hookSpecificOutput`, which most clients take. */
export const NESTED_ANSWERS: HookAnswers = {
  context: (event, text) => nested(event, { additionalContext: text }),
  toolInput: (event, input) => nested(event, { updatedInput: input }),
  denial: (event, reason) => nested(event, denial(reason)),
};

/** Answers with their fields at the top level. Each client has its own name for a changed input. */
export function flatAnswers(inputName: string): HookAnswers {
  return {
    context: (_event, text) => ({ additionalContext: text }),
    toolInput: (_event, input) => ({ [inputName]: input }),
    denial: (_event, reason) => denial(reason),
  };
}
