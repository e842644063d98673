import type { HookAnswer } from '../../agents/hook-dialect.ts';
import { NOTHING, withContext } from './hook-call.ts';
import type { HookContext } from './hook-context.ts';
import { guidelineText, joined, roomBeside, summaryText } from './hook-text.ts';
import { isTask, withoutMarked } from './should-brief.ts';
import { judgementsFor, packageFor } from './task-package.ts';

/**
 * A thread has a new task: what the repository holds for it, unless it has been told already. Some clients say so of
 * their subagents as well.
 */
export async function userPromptSubmit(context: HookContext): Promise<HookAnswer> {
  const { call, told, settings } = context;
  const task = call.prompt === null ? '' : withoutMarked(call.prompt);
  if (!isTask(task, call.source)) return NOTHING;
  const made = await packageFor(context, task, call.agent);
  const limit = call.dialect.contextLimit;
  const judgements = (await judgementsFor(context, made, call.agent)).filter(
    ({ applies, guideline }) => applies && !told.hasRule(guideline.id),
  );
  const rules = guidelineText(judgements, limit);
  if (rules !== '') told.add({ kind: 'rules', ids: judgements.map(({ guideline }) => guideline.id) });
  const paths = made.source.items.map(({ path }) => path);
  const isNews = paths.length > 0 && !told.hasTold(paths);
  const summary = isNews ? await summaryText(made, settings.summaryMaxTokens, roomBeside(rules, limit)) : '';
  if (summary !== '') told.add({ kind: 'told', id: made.id, paths });
  return withContext(call, joined(rules, summary));
}
