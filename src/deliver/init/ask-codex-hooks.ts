import { spawn } from 'node:child_process';
import type { Environment } from '../../platform/environment.ts';

/** How Codex stands to hooks of ours that it found: it skips those that its user has not trusted, without a word. */
export type CodexHooks =
  | { readonly found: number; readonly untrusted: number; readonly off: number }
  | { readonly problem: string };

const INITIALIZE = { id: 1, method: 'initialize', params: { clientInfo: { name: 'loadout', version: '1' } } };
const READY = { method: 'initialized' };
const LIST_ID = 2;
const TRUSTED = new Set(['trusted', 'managed']);
const MOST_BYTES = 4_000_000;

/** Asks Codex itself: what it has trusted is known to it alone. */
export function askCodexHooks(
  program: string,
  cwd: string,
  env: Environment,
  timeoutMs: number,
): Promise<CodexHooks> {
  return new Promise((resolve) => {
    const child = spawn(program, ['app-server'], {
      cwd,
      env: { ...env },
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    const end = (answer: CodexHooks) => {
      clearTimeout(timer);
      child.kill();
      resolve(answer);
    };
    const timer = setTimeout(() => end({ problem: `no answer within ${timeoutMs} ms` }), timeoutMs);
    let out = '';
    child.on('error', (error) => end({ problem: error.message }));
    child.on('exit', (code) => end({ problem: `it ended with code ${code}` }));
    child.stdin.on('error', () => {});
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      const answer = out.length > MOST_BYTES ? { problem: 'it says too much' } : readAnswer(out);
      if (answer) end(answer);
    });
    const list = { id: LIST_ID, method: 'hooks/list', params: { cwds: [cwd] } };
    child.stdin.write([INITIALIZE, READY, list].map((message) => `${JSON.stringify(message)}\n`).join(''));
  });
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

function readAnswer(out: string): CodexHooks | null {
  for (const line of out.split('\n').slice(0, -1)) {
    try {
      const { id, error, result } = JSON.parse(line) as Listed;
      if (id !== LIST_ID) continue;
      if (error || !result?.data) return { problem: error?.message ?? 'it does not list hooks' };
      return judge(result.data.flatMap(({ hooks }) => hooks ?? []));
    } catch {
      // not ours to read
    }
  }
  return null;
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
