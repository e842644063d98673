import type { AgentClient } from './agent-client.ts';
import { type AgentStart, type AgentWorker, option, WORKER_ENVIRONMENT } from './agent-worker.ts';
import { readClaudeLike } from './read-claude-like.ts';

const APPROVAL: Readonly<Record<AgentStart['permissions'], string>> = {
  // Its mode "plan" also makes the model wait for approval. Without a terminal to ask on, this mode only reads.
  'read-only': 'default',
  edit: 'auto-edit',
  full: 'yolo',
};

const WORKER: AgentWorker = {
  installLine: 'npm install -g @qwen-code/qwen-code',
  versionArgs: ['--version'],
  canResume: true,
  hasNativeSchema: 'argument',
  environmentFiles: ['.qwen/.env', '.env'],
  fillsBlanks: true,
  // Its safe mode still uses models, proxies and variables of this file.
  obeyedFiles: [{ path: '.qwen/settings.json' }],
  start: (options) => ({
    command: 'qwen',
    args: [
      '-o',
      'json',
      // Turns hooks, extensions and servers off, the user's and the repository's.
      '--safe-mode',
      '--approval-mode',
      APPROVAL[options.permissions],
      ...option('--model', 'model', options.model),
      ...(options.schema === null ? [] : ['--json-schema', JSON.stringify(options.schema)]),
      ...option('--resume', 'session', options.resume),
      ...options.flags,
    ],
    env: WORKER_ENVIRONMENT,
  }),
  read: (output) => readClaudeLike(output, { inputTokensIncludeCached: true }),
};

/** Qwen Code, made from Gemini CLI with the output of Claude Code. So far it only works as a worker. */
export const qwen = {
  id: 'qwen',
  name: 'Qwen Code',
  program: 'qwen',
  worker: WORKER,
} as const satisfies AgentClient;
