import { type FileUse, type HookAnswer, NO_LIMIT } from '../../agents/index.ts';
import { evaluateGuidelines, toolDenial } from '../../context/guidelines/index.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { configDirectory } from '../../platform/cache/user-directories.ts';
import { firstText, type HookTool, NOTHING, withDenial, withToolInput } from './hook-call.ts';
import type { HookContext } from './hook-context.ts';
import { gapNote, marked, tellTask, tokensIn } from './hook-text.ts';
import { packageFor, type TaskPackage } from './task-package.ts';

/** Before a tool is used: refuses it if the user's guidelines say so, and puts the package before a subagent's task. */
export async function preToolUse(context: HookContext): Promise<HookAnswer> {
  const { call, memory, settings } = context;
  const { tool } = call;
  if (tool === null) return NOTHING;
  const denial = await denialOf(context, tool);
  if (denial !== null) return withDenial(call, denial);
  const { subagentTools, fields } = call.dialect;
  const { prompt } = tool.input;
  if (!subagentTools.some((name) => name.toLowerCase() === tool.name.toLowerCase())) return NOTHING;
  if (typeof prompt !== 'string' || prompt.trim() === '') return NOTHING;
  if (memory.hasHandled(tool.id)) return NOTHING;
  const agent = firstText(tool.input, fields.subagentKind) ?? '';
  const description = firstText(tool.input, ['description']);
  const task = description === null ? prompt : `${description}\n\n${prompt}`;
  const role = agent === '' ? null : agent;
  const made = await packageFor(context, task, role);
  const text =
    settings.hookPackage === 'full'
      ? await fullText(context, made, role)
      : (await tellTask(context, made, { agent: role, limit: NO_LIMIT, told: null })).text;
  const { action, domains } = made;
  const paths = made.paths.slice(0, 5);
  memory.add({ kind: 'handled', tool: tool.id });
  // Always remembered, so that its start is not taken for that of an agent without a task.
  memory.add({ kind: 'task', agent, action, domains, paths, isUntold: text === '' });
  if (text === '') return NOTHING;
  return withToolInput(call, { ...tool.input, prompt: `${text}\n\n${prompt}` });
}

async function denialOf(context: HookContext, tool: HookTool): Promise<string | null> {
  const { guidelines } = await context.guidelines();
  const own = guidelines.filter(
    ({ place, guideline }) => place === 'user' && guideline.action.type === 'tool_restriction',
  );
  if (own.length === 0) return null;
  const { agent, event } = context.call;
  const [waiting] = agent === null ? [] : context.memory.waiting(agent);
  const situation = { agent, event, action: waiting?.action ?? null, domains: waiting?.domains ?? [] };
  const judgements = evaluateGuidelines(own, { ...situation, paths: pathsOf(context, tool) });
  return toolDenial(judgements, tool.name)?.reason ?? null;
}

/** The files in the input of the tool that are in the repository. */
function pathsOf(context: HookContext, { input }: HookTool): readonly string[] {
  return context.call.dialect.fields.toolPaths.flatMap((field) => {
    const path = firstText(input, [field]);
    return path === null ? [] : (pathInRepository(context, path) ?? []);
  });
}

/** A path of a client, from the root of the repository; null when it leads out of it. */
function pathInRepository({ root, call }: HookContext, path: string): string | null {
  try {
    return root.contain(path, call.cwd ?? root.path);
  } catch (error) {
    if (error instanceof LoadoutError) return null;
    throw error;
  }
}

/** The marked package with file contents, inside the hook's own budget; empty when it has no content. */
async function fullText(context: HookContext, made: TaskPackage, agent: string | null): Promise<string> {
  const { settings: own, root, signal, patienceMs } = context;
  // The store did not answer a moment ago, so do not wait for it again.
  const settings = made.notes.length > 0 ? { ...own, store: '', embeddingUrl: '' } : own;
  const { buildPackage } = await import('../../context/pack.ts');
  const { pack, text } = await buildPackage({
    repo: root.path,
    settings: { ...settings, tokenBudget: Math.min(settings.tokenBudget, settings.hookBudget) },
    task: made.task,
    role: agent,
    signal,
    patienceMs,
    event: context.call.event,
    userDirectory: configDirectory(context.environment),
  });
  const paths = pack.items.map(({ path }) => path);
  const notes = made.notes.map((note) => `Note: ${note}.`);
  const shown = paths.length === 0 ? '' : marked([text, ...notes, gapNote(made.id)].join('\n'));
  context.record({
    ...{ kind: 'answer', form: 'package', confidence: null, verdict: shown === '' ? 'silent' : 'full' },
    ...{
      reason: 'the setting hookPackage',
      characters: shown.length,
      tokens: await tokensIn(context, shown),
    },
    ...{ places: paths, locations: [], prompt: made.task, package: made.id },
  });
  return shown;
}

/** Tools work on fewer files at once; only a patch may have more. */
const MAX_USES = 50;

/** A tool was used: records which files it read or edited, never their content. Opens no index, answers nothing. */
export async function postToolUse(context: HookContext): Promise<HookAnswer> {
  const { call, settings } = context;
  const { tool, dialect } = call;
  if (tool === null || settings.hookRecords === 'off') return NOTHING;
  const name = tool.name.toLowerCase();
  const [, filesOf] =
    Object.entries(dialect.fileTools ?? {}).find(([one]) => one.toLowerCase() === name) ?? [];
  for (const use of filesOf?.(tool).slice(0, MAX_USES) ?? []) {
    const path = pathInRepository(context, use.path);
    if (path === null || context.root.stat(path)?.type !== 'file') continue;
    const lines = use.lines ?? linesOf(context, path, use);
    context.record({ kind: 'file', how: use.how, path, lines, call: tool.id });
  }
  return NOTHING;
}

/** The place of an edit's new text in the file; null when the text is missing or occurs twice. */
function linesOf({ root, settings }: HookContext, path: string, { text = '' }: FileUse): FileUse['lines'] {
  if (text.trim() === '') return null;
  const read = root.read(path, settings.maxFileBytes);
  if (read.kind !== 'content') return null;
  const content = read.bytes.toString('utf8');
  const at = content.indexOf(text);
  if (at === -1 || content.indexOf(text, at + 1) !== -1) return null;
  const first = content.slice(0, at).split('\n').length;
  return [first, first + text.replace(/\n$/, '').split('\n').length - 1];
}
