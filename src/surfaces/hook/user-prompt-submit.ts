import type { HookAnswer } from '../../agents/index.ts';
import { MARK_END, MARK_START } from '../../model/context-pack.ts';
import { NOTHING, withContext } from './hook-call.ts';
import type { HookContext } from './hook-context.ts';
import { guidelineText, joined, roomBeside, tellTask } from './hook-text.ts';
import { judgementsFor, packageFor } from './task-package.ts';

/**
 * A thread has a new task: adds its brief, unless the thread has seen all of it already. Some clients send this event for
 * subagents as well.
 */
export async function userPromptSubmit(context: HookContext): Promise<HookAnswer> {
  const { call, told } = context;
  const task = call.prompt === null ? '' : withoutMarked(call.prompt);
  if (!isTask(task, call.source)) {
    recordNoTask(context, task);
    return NOTHING;
  }
  const made = await packageFor(context, task, call.agent);
  const limit = call.dialect.contextLimit;
  const judgements = (await judgementsFor(context, made, call.agent)).filter(
    ({ applies, guideline }) => applies && !told.hasRule(guideline.id),
  );
  const rules = guidelineText(judgements, limit);
  if (rules !== '') told.add({ kind: 'rules', ids: judgements.map(({ guideline }) => guideline.id) });
  const reader = { agent: call.agent, limit: roomBeside(rules, limit), told };
  const { text } = await tellTask(context, made, reader);
  return withContext(call, joined(rules, text));
}

/** Records a prompt for which nothing was looked up. */
export function recordNoTask(context: HookContext, prompt: string): void {
  if (prompt === '') return;
  context.record({
    ...{ kind: 'answer', form: context.settings.hookForm, verdict: 'silent', confidence: null },
    ...{ reason: 'the prompt is not a task', characters: 0, places: [], locations: [], prompt, package: '' },
  });
}

/** Shorter prompts are too vague for a search. */
const MIN_WORDS = 3;
const MIN_CHARACTERS = 12;
/** Sources of turns that no person started. */
const MACHINE_SOURCES: ReadonlySet<string> = new Set([
  'system',
  'loop_wakeup',
  'schedule_wakeup',
  'poll_event',
]);
const MACHINE_TURN =
  /^<(task-notification|system-reminder|local-command|command-|bash-|user-memory|teammate-message)/i;

/** Whether a prompt is a task from a person: not a command, not a notice of the client, not just "yes". */
export function isTask(prompt: string, source: string | null): boolean {
  const text = prompt.trim();
  if (source !== null && MACHINE_SOURCES.has(source)) return false;
  if (MACHINE_TURN.test(text) || /^[/!#][\w-]/.test(text)) return false;
  if (text.length < MIN_CHARACTERS) return false;
  // Languages without spaces say a lot in few "words".
  return text.split(/\s+/).length >= MIN_WORDS || /[^\p{ASCII}]{8}/u.test(text);
}

/** Some clients repeat the context of a subagent's start in front of its task: removes it. */
function withoutMarked(prompt: string): string {
  let rest = prompt.trimStart();
  while (rest.startsWith(MARK_START) && rest.includes(MARK_END))
    rest = rest.slice(rest.indexOf(MARK_END) + MARK_END.length).trimStart();
  return rest;
}
