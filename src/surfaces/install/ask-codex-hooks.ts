import type { Environment } from '../../platform/environment.ts';
import { askProgram } from './ask-program.ts';

/** How Codex stands to hooks of ours that it found: it skips those that its user has not trusted, without a word. */
export type CodexHooks =
  | { readonly found: number; readonly untrusted: number; readonly off: number }
  | { readonly problem: string };

const INITIALIZE = { id: 1, method: 'initialize', params: { clientInfo: { name: 'loadout', version: '1' } } };
const READY = { method: 'initialized' };
const LIST_ID = 2;
const TRUSTED = new Set(['trusted', 'managed']);

/** Asks Codex itself: what it has trusted is known to it alone. */
export function askCodexHooks(
  program: string,
  cwd: string,
  env: Environment,
  timeoutMs: number,
): Promise<CodexHooks> {
  const list = { id: LIST_ID, method: 'hooks/list', params: { cwds: [cwd] } };
  const messages = [INITIALIZE, READY, list];
  return askProgram<CodexHooks>(program, ['app-server'], { cwd, env, messages, timeoutMs, read: readAnswer });
}

interface ListedHook {
  readonly command?: string | null;
  readonly enabled?: boolean;
  readonly trustStatus?: string;
}
interface Listed {
  readonly id?: number;
  readonly error?: { readonly message?: string };
  readonly result?: { readonly data?: readonly { readonly hooks?: readonly ListedHook[] }[] };
}

function readAnswer(message: unknown): CodexHooks | null {
  const { id, error, result } = message as Listed;
  if (id !== LIST_ID) return null;
  if (error || !result?.data) return { problem: error?.message ?? 'it does not list hooks' };
  return judge(result.data.flatMap(({ hooks }) => hooks ?? []));
}

function judge(hooks: readonly ListedHook[]): CodexHooks {
  const ours = hooks.filter(({ command }) =>
    /\bloadout\b.* hook [\w-]+ --client codex\b/.test(command ?? ''),
  );
  return {
    found: ours.length,
    untrusted: ours.filter(({ trustStatus }) => !TRUSTED.has(trustStatus ?? '')).length,
    off: ours.filter(({ enabled }) => enabled === false).length,
  };
}
