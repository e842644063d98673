import { type HookAnswer, NO_LIMIT } from '../../agents/index.ts';
import { MARK_START } from '../../model/context-pack.ts';
import { NOTHING, withMessages } from './hook-call.ts';
import type { HookContext } from './hook-context.ts';
import { guidelineText, joined, packageText, tellTask } from './hook-text.ts';
import { judgementsFor, packageFor, readPackage } from './task-package.ts';
import { isTask, recordNoTask } from './user-prompt-submit.ts';

/** A turn begins: builds the package now, to add it before each model call of the turn. */
export async function beforeAgent(context: HookContext): Promise<HookAnswer> {
  const { call, memory } = context;
  const task = call.prompt ?? '';
  if (task === '' || !isTask(task, call.source)) {
    // The package of the previous turn does not belong to this one.
    memory.add({ kind: 'turn', id: '' });
    recordNoTask(context, task);
    return NOTHING;
  }
  const made = await packageFor(context, task, null);
  // The client does not keep the text of a model call, so nothing counts as seen.
  const { id } = await tellTask(context, made, { agent: null, limit: NO_LIMIT, told: null });
  memory.add({ kind: 'turn', id });
  return NOTHING;
}

/**
 * Before a model call: puts the package of the turn in front of the prompt that began it. A call without that prompt
 * comes from the client itself or from a subagent, whose own prompt has a package.
 */
export async function beforeModel(context: HookContext): Promise<HookAnswer> {
  const { call, memory, files } = context;
  const { messages } = call;
  const made = memory.turn ? readPackage(files, memory.turn) : null;
  if (messages === null || !made || (made.content.form === 'summary' && made.paths.length === 0))
    return NOTHING;
  const words = beginning(made.task);
  const at = messages.findLastIndex(({ role, content }) => role === 'user' && holds(content, words));
  const { content } = messages[at] ?? {};
  if (typeof content !== 'string' || content.includes(MARK_START)) return NOTHING;
  const rules = guidelineText(await judgementsFor(context, made, null), NO_LIMIT);
  const text = joined(rules, await packageText(made, context, NO_LIMIT));
  if (text === '') return NOTHING;
  const told = { ...messages[at]!, content: `${text}\n\n${content}` };
  return withMessages(call, messages.with(at, told));
}

/** Enough characters to recognise a prompt. The client may add to its end, and changes its spaces. */
const KNOWN_BY = 300;

const squeezed = (text: string): string => text.replace(/\s+/g, '');
const beginning = (task: string): string => squeezed(task.slice(0, KNOWN_BY));
const holds = (content: unknown, words: string): boolean =>
  typeof content === 'string' && squeezed(content).includes(words);
