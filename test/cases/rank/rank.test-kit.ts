import { join } from 'node:path';
import { type CliRun, runCli } from '../../support/run-cli.ts';
import type { TemporaryRepository } from '../../support/temporary-repository.ts';

/** A small repository in several languages. */
export const FILES = {
  'src/auth/token-store.ts':
    '/** Keeps tokens. */\nexport class TokenStore {\n  save(token: string): string {\n    return token;\n  }\n}\n',
  'src/auth/refresh-token.ts':
    "import { TokenStore } from './token-store.ts';\n\nexport function refreshToken(store: TokenStore): string {\n  throw new Error('the token has expired');\n}\n",
  'src/billing/invoice.py': 'class Invoice:\n    def total(self):\n        return 1\n',
  'src/größe/datenbank.go':
    'package datenbank\n\n// Verbindung zur Datenbank mit Zeitüberschreitung.\nfunc Verbinden() {}\n',
  'src/cn/db.js': '// 数据库连接超时\nexport function connect() {}\n',
  'test/refresh-token.test.ts':
    "import { refreshToken } from '../src/auth/refresh-token.ts';\nit('refreshes', () => refreshToken);\n",
  'README.md': '# Example\n\nA small program.\n',
};

interface RankCall {
  /** Given on standard input. */
  readonly input?: string | Buffer;
}

/** `loadout rank` in the repository. */
export function rank(
  repository: TemporaryRepository,
  args: readonly string[],
  { input }: RankCall = {},
): Promise<CliRun> {
  const { path: cwd, cache } = repository;
  if (input === undefined) return runCli(['rank', ...args], { cwd, cache });
  const task = join(repository.home, 'standard-input');
  repository.write('../standard-input', input);
  const under = ['sh', '-c', 'exec "$@" < "$TASK_INPUT"', 'sh'];
  return runCli(['rank', ...args], { cwd, cache, under, env: { TASK_INPUT: task } });
}

export interface RankAnswer {
  readonly task: string;
  readonly files: readonly {
    readonly path: string;
    readonly combinedScore: number;
    readonly symbols: readonly string[];
  }[];
  readonly diagnostics: readonly { readonly code: string }[];
}

export function answerOf({ stdout }: CliRun): RankAnswer {
  return JSON.parse(stdout) as RankAnswer;
}

export const firstPath = (run: CliRun): string | undefined => answerOf(run).files[0]?.path;
