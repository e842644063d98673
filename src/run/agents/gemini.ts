import type { AgentAdapter, AgentStart } from './agent-adapter.ts';
import { readGemini } from './read-gemini.ts';
import { WORKER_ENVIRONMENT } from './worker-environment.ts';

const APPROVAL: Readonly<Record<AgentStart['permissions'], string>> = {
  // Its mode "plan" also changes what the model is told to do; without anybody to ask, this one only reads.
  'read-only': 'default',
  edit: 'auto_edit',
  full: 'yolo',
};

export const gemini: AgentAdapter = {
  name: 'gemini',
  program: 'gemini',
  installLine: 'npm install -g @google/gemini-cli',
  versionArgs: ['--version'],
  canResume: true,
  hasNativeSchema: null,
  environmentFiles: ['.gemini/.env', '.env'],
  start: (prompt, options) => ({
    command: 'gemini',
    args: [
      '--output-format',
      'json',
      // The flag and not the variable of the same meaning: with that one the hooks, servers and commands in the
      // settings of the repository run.
      '--skip-trust',
      '--approval-mode',
      APPROVAL[options.permissions],
      '--extensions',
      'none',
      ...(options.model === null ? [] : ['--model', options.model]),
      ...(options.resume === null ? [] : ['--resume', options.resume]),
      ...options.flags,
    ],
    env: {
      ...WORKER_ENVIRONMENT,
      // It starts itself a second time only to ask for more memory.
      GEMINI_CLI_NO_RELAUNCH: 'true',
    },
    stdin: prompt,
  }),
  read: readGemini,
};
