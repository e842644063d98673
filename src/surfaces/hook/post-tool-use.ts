import type { FileUse, HookAnswer } from '../../agents/index.ts';
import { NOTHING } from './hook-call.ts';
import type { HookContext } from './hook-context.ts';
import { pathInRepository } from './pre-tool-use.ts';

/** A tool does not work on more files at once; a patch may. */
const MAX_USES = 50;

/** A tool was used: records which files it has read or edited, never what is in them. Opens no index, answers nothing. */
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

/** Where the new text of an edit is in the file now; null when it is not there, or is there twice. */
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
