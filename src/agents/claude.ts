import type { AgentAdapter, AgentStart } from './agent-adapter.ts';
import { option } from './agent-arguments.ts';
import { readClaudeLike } from './read-claude-like.ts';
import { WORKER_ENVIRONMENT } from './worker-environment.ts';

const PERMISSIONS: Readonly<Record<AgentStart['permissions'], readonly string[]>> = {
  // The user's own settings may allow these tools, so they are taken away, not only left unasked for.
  'read-only': ['--disallowedTools', 'Bash,Edit,Write,NotebookEdit', '--permission-mode', 'dontAsk'],
  edit: ['--permission-mode', 'acceptEdits'],
  full: ['--permission-mode', 'bypassPermissions'],
};

export const claude: AgentAdapter = {
  name: 'claude',
  program: 'claude',
  installLine: 'npm install -g @anthropic-ai/claude-code',
  versionArgs: ['--version'],
  canResume: true,
  hasNativeSchema: 'argument',
  // 3 s after it is up it goes on without
  promptPatienceMs: 2_000,
  start: (options) => ({
    command: 'claude',
    args: [
      '-p',
      '--output-format',
      'json',
      // What a repository says about hooks, servers and permissions runs commands without asking in this mode.
      '--setting-sources',
      'user',
      '--settings',
      '{"disableAllHooks":true}',
      '--strict-mcp-config',
      ...PERMISSIONS[options.permissions],
      ...option('--model', 'model', options.model),
      ...(options.schema === null ? [] : ['--json-schema', JSON.stringify(options.schema)]),
      ...option('--resume', 'session', options.resume),
      ...options.flags,
    ],
    env: {
      ...WORKER_ENVIRONMENT,
      // Its own ten attempts last longer than 100 seconds and say nothing meanwhile.
      CLAUDE_CODE_MAX_RETRIES: '2',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      // What a worker finds out is in its answer, and what others noted is not in its prompt.
      CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
    },
  }),
  read: (output) => readClaudeLike(output, { inputTokensIncludeCached: false }),
};
