import { fitsLimit, type HookAnswer, type TextLimit } from '../../agents/index.ts';
import { readTrust } from '../../config/index.ts';
import { applicable, evaluateGuidelines, type Judgement } from '../../context/guidelines/index.ts';
import { roleInstructions, roleName } from '../../context/roles/index.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { configDirectory } from '../../platform/cache/user-directories.ts';
import { safeDocument } from '../../redact/index.ts';
import { isAllowed } from '../../schema/schema.ts';
import { withContext } from './hook-call.ts';
import type { HookContext } from './hook-context.ts';
import { guidelineText, joined, marked, roomBeside, tellTask } from './hook-text.ts';
import { judgementsFor, packageFor, readPackage, type TaskPackage } from './task-package.ts';
import { isTask } from './user-prompt-submit.ts';

/**
 * A subagent starts. If the event contains its task and the task had no package yet, it gets one like any other task.
 * Most clients do not send the task here. Then this adds guidelines and the role, and, for an agent that was started
 * without a task, the last package of the session.
 */
export async function subagentStart(context: HookContext): Promise<HookAnswer> {
  const { call, memory, told } = context;
  const agent = call.agent ?? '';
  const limit = call.dialect.contextLimit;
  const waiting = memory.waiting(agent);
  if (waiting.length > 0) memory.add({ kind: 'start', agent });
  const hasTask = waiting.length === 0 && call.prompt !== null && isTask(call.prompt, null);
  const own = hasTask ? await packageFor(context, call.prompt!, call.agent) : null;
  const applied = own
    ? applicable(await judgementsFor(context, own, call.agent))
    : await judgements(context, agent, waiting);
  const rules = guidelineText(applied, limit);
  // Its task may follow in another event: do not repeat these guidelines then.
  const ids = applied.map(({ guideline }) => guideline.id);
  if (rules !== '' && told !== memory) told.add({ kind: 'rules', ids });
  const role = await roleText(context, agent, roomBeside(rules, limit));
  const room = roomBeside(joined(rules, role), limit);
  const made = own ?? (await sessionPackage(context, waiting.length > 0));
  const reader = { agent: call.agent, limit: room, told: own && told !== memory ? told : null };
  const { text } = made === null ? { text: '' } : await tellTask(context, made, reader);
  return withContext(call, joined(rules, role, text));
}

/** The last package of the session, for an agent that has none. The agent has seen none of it. */
async function sessionPackage(context: HookContext, isBriefed: boolean): Promise<TaskPackage | null> {
  const { call, memory, files } = context;
  const last = isBriefed || call.dialect.taskFollowsStart ? null : memory.lastTold;
  const kept = last === null ? null : readPackage(files, last);
  return kept?.content.form === 'brief' ? packageFor(context, kept.task, call.agent) : kept;
}

/**
 * Several tasks may wait for agents of one kind, and the event does not say which one starts. So a guideline counts when
 * it applies to any of them.
 */
async function judgements(
  context: HookContext,
  agent: string,
  waiting: ReturnType<HookContext['memory']['waiting']>,
): Promise<readonly Judgement[]> {
  const { guidelines } = await context.guidelines();
  const { event } = context.call;
  const unknown = { agent, event, action: null, domains: [], paths: [] };
  const told = waiting.filter(({ isUntold }) => !isUntold);
  const situations = told.length === 0 ? [unknown] : told.map((task) => ({ ...task, agent, event }));
  const all = situations.map((situation) => evaluateGuidelines(guidelines, situation));
  return all[0]!
    .filter((_, at) => all.some((one) => one[at]!.applies))
    .map((one) => ({ ...one, applies: true }));
}

/** The instructions of the role with this name, if the user or a trusted repository has one; empty otherwise. */
async function roleText(context: HookContext, agent: string, limit: TextLimit): Promise<string> {
  const name = agent.split(':').at(-1) ?? '';
  if (!isAllowed(roleName, name)) return '';
  const { root, environment, settings } = context;
  const userDirectory = configDirectory(environment);
  const { createRoleLoader } = await import('../../context/roles/role-loader.ts');
  const { maxTokenBudget } = settings;
  const loader = createRoleLoader({
    repository: await readTrust(root, environment),
    userDirectory,
    maxTokenBudget,
  });
  try {
    if (!loader.names().includes(name)) return '';
    const { role } = await loader.load(name);
    // Clients have their own agents called "reviewer", so built-in roles add nothing here.
    if (!role.isTrusted || role.chain[0]?.place === 'built-in') return '';
    const text = marked(
      safeDocument(`## Role ${role.name}\n${role.description}\n\n${roleInstructions(role)}`),
    );
    return fitsLimit(text, limit) ? text : '';
  } catch (error) {
    // "loadout roles check" reports mistakes in role files.
    if (error instanceof LoadoutError) return '';
    throw error;
  }
}
