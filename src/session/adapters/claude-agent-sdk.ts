import { markPack } from '../pack-marks.ts';
import { type AdapterOptions, createShorten } from './adapter-options.ts';

interface HookInput {
  readonly hook_event_name?: string;
  readonly tool_name?: string;
  readonly tool_response?: unknown;
}

interface HookAnswer<Event extends string> {
  hookSpecificOutput?: { hookEventName: Event; additionalContext?: string; updatedToolOutput?: unknown };
}

type Hook<Event extends string> = (input: HookInput) => Promise<HookAnswer<Event>>;

/** Hooks for `query({ options: { hooks } })`. */
export interface ContextPackHooks {
  readonly UserPromptSubmit: { hooks: Hook<'UserPromptSubmit'>[] }[];
  readonly PostToolUse: { hooks: Hook<'PostToolUse'>[] }[];
  readonly SubagentStart: { hooks: Hook<'SubagentStart'>[] }[];
}

/**
 * Hooks for the Claude Agent SDK: the pack comes with the prompt, with the start of a subagent, and behind every tool
 * result, which is before every model call. The SDK keeps what hooks add, so it cannot be taken back: it is added
 * again only when it has changed. Long texts of MCP tools are replaced by their handle.
 */
export function contextPackHooks(options: AdapterOptions): ContextPackHooks {
  const shorten = createShorten(options);
  let last = '';
  const additionalContext = async (isNewReader: boolean): Promise<{ additionalContext?: string }> => {
    const pack = await options.pack();
    if (pack === '' || (pack === last && !isNewReader)) return {};
    if (!isNewReader) last = pack;
    const repository = isNewReader ? (options.repository ?? '') : '';
    return {
      additionalContext: [repository, pack]
        .filter((text) => text !== '')
        .map(markPack)
        .join('\n\n'),
    };
  };
  const answer = <Event extends string>(hookEventName: Event, fields: object): HookAnswer<Event> =>
    Object.keys(fields).length === 0 ? {} : { hookSpecificOutput: { hookEventName, ...fields } };

  const withResult: Hook<'PostToolUse'> = async ({ tool_name = 'tool', tool_response }) => {
    const shortened = await shortenResponse(tool_response, (text) => shorten(tool_name, text));
    const replaced = shortened === tool_response ? {} : { updatedToolOutput: shortened };
    return answer('PostToolUse', { ...replaced, ...(await additionalContext(false)) });
  };
  return {
    UserPromptSubmit: [{ hooks: [async () => answer('UserPromptSubmit', await additionalContext(false))] }],
    PostToolUse: [{ hooks: [withResult] }],
    SubagentStart: [{ hooks: [async () => answer('SubagentStart', await additionalContext(true))] }],
  };
}

/** A text, or the list of parts that MCP tools answer with; answers of other shapes are the tool's own and stay. */
async function shortenResponse(
  response: unknown,
  shorten: (text: string) => Promise<string>,
): Promise<unknown> {
  if (typeof response === 'string') return shorten(response);
  if (!Array.isArray(response)) return response;
  const parts = response as readonly { readonly type?: unknown; readonly text?: unknown }[];
  const shortened = await Promise.all(
    parts.map(async (part) => {
      if (part?.type !== 'text' || typeof part.text !== 'string') return part;
      const text = await shorten(part.text);
      return text === part.text ? part : { ...part, text };
    }),
  );
  return shortened.some((part, at) => part !== parts[at]) ? shortened : response;
}
