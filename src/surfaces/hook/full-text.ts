import { configDirectory } from '../../platform/cache/user-directories.ts';
import type { HookDesk } from './hook-desk.ts';
import { gapNote, marked } from './hook-text.ts';
import type { TaskPackage } from './task-package.ts';

/** The package with its contents, marked, inside the hook's own budget; empty when there is nothing in it. */
export async function fullText(desk: HookDesk, made: TaskPackage, agent: string | null): Promise<string> {
  const { settings: own, root, signal, patienceMs } = desk;
  // a store that has just not answered is not waited for a second time
  const settings = made.notes.length > 0 ? { ...own, store: '', embeddingUrl: '' } : own;
  const { buildPackage } = await import('../../context/pack.ts');
  const { pack, text } = await buildPackage({
    repo: root.path,
    settings: { ...settings, tokenBudget: Math.min(settings.tokenBudget, settings.hookBudget) },
    task: made.task,
    role: agent,
    signal,
    patienceMs,
    event: desk.call.event,
    userDirectory: configDirectory(desk.environment),
  });
  return pack.items.length === 0
    ? ''
    : marked([text, ...made.notes.map((note) => `Note: ${note}.`), gapNote(made.id)].join('\n'));
}
