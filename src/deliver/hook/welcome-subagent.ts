import { evaluateGuidelines, type Judgement } from '../../guardrails/evaluate-guidelines.ts';
import { type HookAnswer, withContext } from './hook-answer.ts';
import type { HookClient } from './hook-call.ts';
import type { HookDesk } from './hook-desk.ts';
import { contextLimit } from './hook-limits.ts';
import { guidelineText, joined, roomBeside, summaryText } from './hook-text.ts';
import { roleText } from './role-text.ts';
import { readPackage } from './task-package.ts';

/** Their subagents are told their task as a prompt of their own, right after the start. */
const TASK_FOLLOWS: ReadonlySet<HookClient> = new Set(['codex', 'copilot']);

/**
 * A subagent starts. Its task is not told here, so what depends on it was said before; this adds guardrails and its
 * role, and for an agent that was started without a task text, what the session is about.
 */
export async function welcomeSubagent(desk: HookDesk): Promise<HookAnswer> {
  const { call, memory, told, settings, files } = desk;
  const agent = call.agent ?? '';
  const limit = contextLimit(call.client);
  const waiting = memory.waiting(agent);
  if (waiting.length > 0) memory.add({ kind: 'start', agent });
  const applied = await judgements(desk, agent, waiting);
  const rules = guidelineText(applied, limit);
  // its task may still be told, and what was said here is not said again then
  const ids = applied.map(({ guideline }) => guideline.id);
  if (rules !== '' && told !== memory) told.add({ kind: 'rules', ids });
  const role = await roleText(desk, agent, roomBeside(rules, limit));
  const last = waiting.length > 0 || TASK_FOLLOWS.has(call.client) ? null : memory.lastTold;
  const made = last === null ? null : readPackage(files, last);
  const room = roomBeside(joined(rules, role), limit);
  const summary = made ? await summaryText(made, settings.summaryMaxTokens, room) : '';
  return withContext(call, joined(rules, role, summary));
}

/** Of several tasks that wait for agents of one kind nobody knows which this one has: what holds for any is said. */
async function judgements(
  desk: HookDesk,
  agent: string,
  waiting: ReturnType<HookDesk['memory']['waiting']>,
): Promise<readonly Judgement[]> {
  const { guidelines } = await desk.guidelines();
  const { event } = desk.call;
  const unknown = { agent, event, action: null, domains: [], paths: [] };
  const situations = waiting.length === 0 ? [unknown] : waiting.map((task) => ({ ...task, agent, event }));
  const all = situations.map((situation) => evaluateGuidelines(guidelines, situation));
  return all[0]!
    .filter((_, at) => all.some((one) => one[at]!.applies))
    .map((one) => ({ ...one, applies: true }));
}
