import { markPack } from '../pack-marks.ts';
import { type AdapterOptions, createShorten, shortenParts } from './adapter-options.ts';

interface HookInput {
  readonly hook_event_name?: string;
  /** Of a subagent; the main conversation has none. */
  readonly agent_id?: string;
  readonly tool_name?: string;
  readonly tool_response?: unknown;
  /** Why a session starts. */
  readonly source?: string;
}

interface HookAnswer<Event extends string> {
  hookSpecificOutput?: { hookEventName: Event; additionalContext?: string; updatedToolOutput?: unknown };
}

type Hook<Event extends string> = (input: HookInput) => Promise<HookAnswer<Event>>;

const EVENTS = ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'PostToolBatch', 'SubagentStart'] as const;

/** Hooks for `query({ options: { hooks } })`. */
export type ContextPackHooks = {
  readonly [Event in (typeof EVENTS)[number]]: { hooks: Hook<Event>[] }[];
};

/**
 * Hooks for the Claude Agent SDK: the pack comes with the prompt, once behind all results of a step, when a subagent
 * starts and after a compaction, which is before every model call. The SDK keeps what hooks add, so it cannot be
 * taken back: it is added again only when it has changed. Long texts of MCP tools are replaced by their handle.
 */
export function contextPackHooks(options: AdapterOptions): ContextPackHooks {
  const shorten = createShorten(options);
  /** What each conversation has read last: the main one under an empty name, subagents under theirs. */
  const lastRead = new Map<string, string>();
  const addTo = async <Event extends string>(
    hookEventName: Event,
    { agent_id = '' }: HookInput,
  ): Promise<HookAnswer<Event>> => {
    const pack = await options.pack();
    const last = lastRead.get(agent_id);
    lastRead.set(agent_id, pack);
    const sections = [last === undefined ? (options.repository ?? '') : '', pack === last ? '' : pack];
    const additionalContext = sections
      .filter((section) => section.trim() !== '')
      .map(markPack)
      .join('\n\n');
    return additionalContext === '' ? {} : { hookSpecificOutput: { hookEventName, additionalContext } };
  };
  const hook = <Event extends string>(run: Hook<Event>) => [{ hooks: [run] }];

  return {
    SessionStart: hook(async (input) => {
      if (input.source !== 'resume') lastRead.delete(input.agent_id ?? '');
      // the model goes on right after a compaction, which has taken the pack away; otherwise a prompt comes first
      return input.source === 'compact' ? addTo('SessionStart', input) : {};
    }),
    UserPromptSubmit: hook((input) => addTo('UserPromptSubmit', input)),
    PostToolUse: hook(async ({ tool_name = 'tool', tool_response }) => {
      const updatedToolOutput = Array.isArray(tool_response)
        ? await shortenParts(tool_response, tool_name, shorten)
        : typeof tool_response === 'string'
          ? await shorten(tool_name, tool_response)
          : tool_response;
      if (updatedToolOutput === tool_response) return {};
      return { hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput } };
    }),
    // not with each result: tools run side by side, and the model is called once behind all of them
    PostToolBatch: hook((input) => addTo('PostToolBatch', input)),
    SubagentStart: hook((input) => addTo('SubagentStart', input)),
  };
}
