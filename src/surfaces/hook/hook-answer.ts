import type { HookCall, ModelMessage } from './hook-call.ts';

/** What goes to the client on standard output. */
export type HookAnswer = Readonly<Record<string, unknown>>;

/** What every client takes for "nothing to add". */
export const NOTHING: HookAnswer = {};

/** As the clients spell it in their answers. */
const NAMES = {
  'session-start': 'SessionStart',
  'user-prompt-submit': 'UserPromptSubmit',
  'pre-tool-use': 'PreToolUse',
  'subagent-start': 'SubagentStart',
  'before-agent': 'BeforeAgent',
  'before-model': 'BeforeModel',
} as const;

const isFlat = ({ client }: HookCall) => client === 'copilot' || client === 'opencode';
const nameOf = ({ client, event }: HookCall) =>
  client === 'gemini' && event === 'pre-tool-use' ? 'BeforeTool' : NAMES[event];

function specific(call: HookCall, output: HookAnswer): HookAnswer {
  return { hookSpecificOutput: { hookEventName: nameOf(call), ...output } };
}

/** Text beside what the model sees anyway. */
export function withContext(call: HookCall, text: string): HookAnswer {
  if (text === '') return NOTHING;
  return isFlat(call) ? { additionalContext: text } : specific(call, { additionalContext: text });
}

/** The input of a tool, changed; clients want it whole. */
export function withToolInput(call: HookCall, input: Readonly<Record<string, unknown>>): HookAnswer {
  switch (call.client) {
    case 'copilot':
      return { modifiedArgs: input };
    case 'opencode':
      return { toolInput: input };
    case 'gemini':
      return specific(call, { tool_input: input });
    default:
      return specific(call, { updatedInput: input });
  }
}

/** The tool may not be used. */
export function withDenial(call: HookCall, reason: string): HookAnswer {
  if (call.client === 'gemini') return { decision: 'deny', reason };
  const denial = { permissionDecision: 'deny', permissionDecisionReason: reason };
  return isFlat(call) ? denial : specific(call, denial);
}

/**
 * The messages of a model request, one text changed. Gemini lays them over its own by position, so that there must
 * be as many as there were, and leaves everything else of the request as it is.
 */
export function withMessages(call: HookCall, messages: readonly ModelMessage[]): HookAnswer {
  return specific(call, { llm_request: { messages } });
}
