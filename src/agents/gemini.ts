import type { AgentAdapter, AgentStart } from './agent-adapter.ts';
import { option } from './agent-arguments.ts';
import { readGemini } from './read-gemini.ts';
import { WORKER_ENVIRONMENT } from './worker-environment.ts';

const APPROVAL: Readonly<Record<AgentStart['permissions'], string>> = {
  // Its mode "plan" also changes what the model is told to do; without anybody to ask, this one only reads.
  'read-only': 'default',
  edit: 'auto_edit',
  full: 'yolo',
};

/**
 * These lead requests elsewhere or run programs. Names in the files of the repository are blank anyway; these are even
 * when such a file turns up after we looked.
 */
const KEPT_FROM_REPOSITORY: readonly string[] = [
  'GOOGLE_GEMINI_BASE_URL',
  'GOOGLE_VERTEX_BASE_URL',
  'CODE_ASSIST_ENDPOINT',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'http_proxy',
  'https_proxy',
  'all_proxy',
  'NODE_OPTIONS',
  'NODE_TLS_REJECT_UNAUTHORIZED',
  'NODE_EXTRA_CA_CERTS',
  'GEMINI_CLI_HOME',
  'GEMINI_CLI_IDE_SERVER_STDIO_COMMAND',
  'GEMINI_CLI_IDE_SERVER_STDIO_ARGS',
  'GEMINI_CLI_IDE_SERVER_PORT',
  'GEMINI_SANDBOX',
  'GEMINI_SANDBOX_PROXY_COMMAND',
  'GEMINI_SYSTEM_MD',
  'GEMINI_TELEMETRY_OTLP_ENDPOINT',
  'GEMINI_MODEL',
  'LD_PRELOAD',
  'LD_LIBRARY_PATH',
  'DYLD_INSERT_LIBRARIES',
  'BASH_ENV',
  'ENV',
  'GIT_SSH_COMMAND',
  'GIT_EXTERNAL_DIFF',
  'GIT_CONFIG_GLOBAL',
];

export const gemini: AgentAdapter = {
  name: 'gemini',
  program: 'gemini',
  installLine: 'npm install -g @google/gemini-cli',
  versionArgs: ['--version'],
  canResume: true,
  hasNativeSchema: null,
  // half a second after it is up it takes the prompt for empty
  promptPatienceMs: 400,
  environmentFiles: ['.gemini/.env', '.env'],
  start: (options) => ({
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
      ...option('--model', 'model', options.model),
      ...option('--resume', 'session', options.resume),
      ...options.flags,
    ],
    env: {
      ...WORKER_ENVIRONMENT,
      // It starts itself a second time only to ask for more memory.
      GEMINI_CLI_NO_RELAUNCH: 'true',
    },
  }),
  read: readGemini,
};

/** What to add to the environment of a worker. */
export function geminiBlanks(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const unset = KEPT_FROM_REPOSITORY.filter((name) => env[name] === undefined);
  return Object.fromEntries(unset.map((name) => [name, '']));
}
