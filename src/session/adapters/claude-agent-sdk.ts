// The adapter for the Claude Agent SDK: hooks for `query`. The package itself is not imported.

import { markPack } from '../../model/context-pack.ts';
import { type AdapterOptions, createShorten, type Shorten, shortenParts } from './adapter-options.ts';

/** The input of a hook, as far as it is used here. */
interface HookInput {
  readonly hook_event_name?: string;
  /** Of a subagent; the main conversation has none. */
  readonly agent_id?: string;
  readonly tool_name?: string;
  readonly tool_response?: unknown;
  /** Why a session starts. */
  readonly source?: string;
}

/** An empty answer changes nothing. */
interface HookAnswer<Event extends string> {
  hookSpecificOutput?: { hookEventName: Event; additionalContext?: string; updatedToolOutput?: unknown };
}

type Hook<Event extends string> = (input: HookInput) => Promise<HookAnswer<Event>>;

const EVENTS = ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'PostToolBatch', 'SubagentStart'] as const;

/** Hooks for `query({ options: { hooks } })`. */
export type RecallBlockHooks = {
  readonly [Event in (typeof EVENTS)[number]]: { hooks: Hook<Event>[] }[];
};

/**
 * Hooks for the Claude Agent SDK: the recall block comes with the prompt, once after all results of a step, when a subagent
 * starts and after a compaction, which is before every model call. The SDK keeps the texts that hooks add, so
 * the block is added again only when it has changed. Long texts of tools are replaced by their handle.
 */
export function recallBlockHooks(options: AdapterOptions): RecallBlockHooks {
  const shorten = createShorten(options);
  /** The last block of each conversation: the main one under an empty name, subagents under theirs. */
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
      // the model continues right after a compaction, which has removed the recall block; otherwise a prompt comes first
      return input.source === 'compact' ? addTo('SessionStart', input) : {};
    }),
    UserPromptSubmit: hook((input) => addTo('UserPromptSubmit', input)),
    PostToolUse: hook(async ({ tool_name = 'tool', tool_response }) => {
      const updatedToolOutput = await shortenOutput(tool_name, tool_response, shorten);
      if (updatedToolOutput === tool_response) return {};
      return { hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput } };
    }),
    // not with each result: tools run side by side, and the model is called once after all of them
    PostToolBatch: hook((input) => addTo('PostToolBatch', input)),
    SubagentStart: hook((input) => addTo('SubagentStart', input)),
  };
}

/** Where the built-in tools have the text that the model reads; the rest of their answers stays as it is. */
const TEXT_FIELDS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  Bash: [['stdout'], ['stderr']],
  BashOutput: [['stdout'], ['stderr']],
  Read: [['file', 'content']],
  Grep: [['content']],
  WebFetch: [['result']],
};

/** The same answer when nothing in it was long. Its shape stays: the SDK refuses another one. */
async function shortenOutput(tool: string, output: unknown, shorten: Shorten): Promise<unknown> {
  if (typeof output === 'string') return shorten(tool, output);
  if (Array.isArray(output)) return shortenParts(output, tool, shorten);
  let changed = output;
  for (const path of TEXT_FIELDS[tool] ?? []) changed = await shortenField(changed, path, tool, shorten);
  return changed;
}

/** The same value when the field is missing or short. */
async function shortenField(
  value: unknown,
  [name, ...deeper]: readonly string[],
  tool: string,
  shorten: Shorten,
): Promise<unknown> {
  if (name === undefined) return typeof value === 'string' ? shorten(tool, value) : value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value;
  const before = (value as Readonly<Record<string, unknown>>)[name];
  const after = await shortenField(before, deeper, tool, shorten);
  return after === before ? value : { ...value, [name]: after };
}
