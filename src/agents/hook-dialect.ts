import type { JsonRecord } from './json-events.ts';

/** The events that we answer, in our own words. */
export const HOOK_EVENTS = [
  'session-start',
  'user-prompt-submit',
  'pre-tool-use',
  'subagent-start',
  'before-agent',
  'before-model',
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** What goes to the client on standard output. */
export type HookAnswer = JsonRecord;

/** One message of a model request, as a client shows it to its hooks. */
export interface ModelMessage {
  readonly role: string;
  readonly content: unknown;
}

/** How long a text may be before a client cuts it. */
export interface TextLimit {
  /** UTF-16 units. */
  readonly characters: number;
  /** UTF-8. */
  readonly bytes: number;
}

export const NO_LIMIT: TextLimit = {
  characters: Number.POSITIVE_INFINITY,
  bytes: Number.POSITIVE_INFINITY,
};

export function fitsLimit(text: string, { characters, bytes }: TextLimit): boolean {
  const hasByteLimit = bytes !== Number.POSITIVE_INFINITY;
  return text.length <= characters && (!hasByteLimit || Buffer.byteLength(text) <= bytes);
}

/** An event for which `loadout init` makes the client call us. */
interface HookedEvent {
  readonly event: HookEvent;
  /** As the client spells it. */
  readonly name: string;
  /** How long the client waits for the answer. */
  readonly seconds: number;
  /** For `pre-tool-use`: the tools it is about, besides those that the user's guidelines refuse. */
  readonly tools?: readonly string[];
}

/** The names under which clients tell us things: of each list the first that is given counts. */
export interface HookFields {
  readonly sessionId: readonly string[];
  readonly cwd: readonly string[];
  readonly prompt: readonly string[];
  /** Where the start of a subagent may tell its task; most do not. */
  readonly subagentTask: readonly string[];
  readonly source: readonly string[];
  readonly agent: readonly string[];
  readonly agentId: readonly string[];
  readonly toolName: readonly string[];
  readonly toolInput: readonly string[];
  readonly toolCallId: readonly string[];
  /** In the input of a tool: files that it is to work on. */
  readonly toolPaths: readonly string[];
  /** In the input of a tool that starts a subagent: which kind of agent. */
  readonly subagentKind: readonly string[];
}

/**
 * The names that are in use. They are told apart by nothing but their spelling, so every client is read with all of them;
 * a client whose names mean something else brings its own lists.
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
  toolPaths: ['file_path', 'notebook_path', 'filePath', 'path'],
  subagentKind: ['subagent_type', 'agent_type', 'agent_name'],
};

/** The forms in which a client takes each kind of answer. */
export interface HookAnswers {
  /** Text beside what the model sees anyway. */
  context(event: HookEvent, text: string): HookAnswer;
  /** The input of a tool, changed; clients want it whole. */
  toolInput(event: HookEvent, input: JsonRecord): HookAnswer;
  /** The tool may not be used. */
  denial(event: HookEvent, reason: string): HookAnswer;
}

/** How a client calls its hooks and reads their answers. */
export interface AgentHooks {
  /** Hooks that do not name their client are from this one. Exactly one client has it. */
  readonly isDefault?: true;
  /** In the order in which they are written; empty when a plugin of ours calls us. */
  readonly events: readonly HookedEvent[];
  readonly fields: HookFields;
  readonly answers: HookAnswers;
  /** What it passes on to its model in one piece, a little below where it begins to cut. */
  readonly contextLimit: TextLimit;
  /** Tools that start a subagent, with its task as `prompt` in their input. */
  readonly subagentTools: readonly string[];
  /** The prompt without text that the client itself has put in front of it. */
  readonly cleanPrompt?: (prompt: string) => string;
  /** It shows us the messages before a model call, and takes them back changed. */
  readonly modelRequest?: {
    read(input: JsonRecord): unknown;
    answer(messages: readonly ModelMessage[]): HookAnswer;
  };
  /** It escapes what is said at a session start, so that code would arrive mangled. */
  readonly escapesSessionStart?: true;
  /** Its subagents are told their task as a prompt of their own, right after their start. */
  readonly taskFollowsStart?: true;
  /** What the shell line of a hook has to end with. */
  readonly lineEnd?: string;
  /** What a second counts in the `timeout` of a hook; 1 when nothing is said. */
  readonly timeoutPerSecond?: number;
}

/** Event names in answers, where a client does not say otherwise. */
const ANSWER_NAMES: Readonly<Record<HookEvent, string>> = {
  'session-start': 'SessionStart',
  'user-prompt-submit': 'UserPromptSubmit',
  'pre-tool-use': 'PreToolUse',
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

export const NESTED_ANSWERS: HookAnswers = {
  context: (event, text) => nested(event, { additionalContext: text }),
  toolInput: (event, input) => nested(event, { updatedInput: input }),
  denial: (event, reason) => nested(event, denial(reason)),
};

/** Answers whose fields stand at the top; each client has its own word for a changed input. */
export function flatAnswers(inputName: string): HookAnswers {
  return {
    context: (_event, text) => ({ additionalContext: text }),
    toolInput: (_event, input) => ({ [inputName]: input }),
    denial: (_event, reason) => denial(reason),
  };
}
