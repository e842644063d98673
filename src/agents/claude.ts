// Claude Code.

import { join } from 'node:path';
import type { Environment } from '../platform/environment.ts';
import type { AgentClient, AgentInstall, JsonEntry, LaunchCommand } from './agent-client.ts';
import { type AgentStart, type AgentWorker, option, WORKER_ENVIRONMENT } from './agent-worker.ts';
import { editsFile, readsFile, writesFile } from './file-tools.ts';
import { type AgentHooks, COMMON_FIELDS, NESTED_ANSWERS } from './hook-dialect.ts';
import {
  AGENT_DESCRIPTION,
  AGENT_NAME,
  agentTarget,
  agentText,
  hookEntries,
  hooksByName,
  jsonTarget,
  mcpEntry,
  pluginJson,
  repositoryServer,
  SERVER_NAME,
  SERVER_TOOLS,
  skillTarget,
  skillText,
  statusLineEntry,
  type WantedHook,
  wantedHooks,
} from './install-parts.ts';
import { readClaudeLike } from './read-claude-like.ts';

const ID = 'claude';

const PERMISSIONS: Readonly<Record<AgentStart['permissions'], readonly string[]>> = {
  // The user's own settings may allow these tools, so they are forbidden here.
  'read-only': ['--disallowedTools', 'Bash,Edit,Write,NotebookEdit', '--permission-mode', 'dontAsk'],
  edit: ['--permission-mode', 'acceptEdits'],
  full: ['--permission-mode', 'bypassPermissions'],
};

const WORKER: AgentWorker = {
  installLine: 'npm install -g @anthropic-ai/claude-code',
  versionArgs: ['--version'],
  canResume: true,
  hasNativeSchema: 'argument',
  start: (options) => ({
    command: 'claude',
    args: [
      '-p',
      '--output-format',
      'json',
      // In this mode, hooks and servers of the repository's settings would run without asking.
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
      // Its own ten attempts would take more than 100 seconds without any output.
      CLAUDE_CODE_MAX_RETRIES: '2',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      // The findings of a worker belong in its answer, and notes of others do not belong in its prompt.
      CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
    },
  }),
  read: (output) => readClaudeLike(output, { inputTokensIncludeCached: false }),
};

const SUBAGENT_TOOLS = ['Agent', 'Task'];

const FILE_TOOLS = {
  Read: readsFile,
  Edit: editsFile,
  MultiEdit: editsFile,
  Write: writesFile,
  NotebookEdit: editsFile,
};

const HOOKS: AgentHooks = {
  isDefault: true,
  // The task of a subagent is in the call of the tool that starts it, never in the event of its start.
  events: [
    { event: 'session-start', name: 'SessionStart', seconds: 15 },
    { event: 'user-prompt-submit', name: 'UserPromptSubmit', seconds: 15 },
    { event: 'pre-tool-use', name: 'PreToolUse', seconds: 20, tools: SUBAGENT_TOOLS },
    { event: 'subagent-start', name: 'SubagentStart', seconds: 15 },
    {
      ...{ event: 'post-tool-use', name: 'PostToolUse', seconds: 10, isAsync: true },
      matcher: Object.keys(FILE_TOOLS).join('|'),
    },
  ],
  fields: COMMON_FIELDS,
  answers: NESTED_ANSWERS,
  // It keeps 10,000 characters.
  contextLimit: { characters: 9_900, bytes: Number.POSITIVE_INFINITY },
  subagentTools: SUBAGENT_TOOLS,
  fileTools: FILE_TOOLS,
};
const HOOKED = { id: ID, hooks: HOOKS };

const INSTALL: AgentInstall = {
  targets: ({ base, scope, home, env }, launch, tools) => {
    const isProject = scope === 'project';
    const folder = isProject ? join(base, '.claude') : claudeFolder(home, env);
    const hooks = (
      name: string,
      what: string,
      wanted: readonly WantedHook[],
      more: readonly JsonEntry[] = [],
    ) => jsonTarget(join(folder, name), what, [...hookEntries(wanted, launch, HOOKED), ...more]);
    // A status line is a matter of taste, so that in a repository it is only for this user.
    const statusLine = (...others: readonly string[]) => [statusLineEntry(launch, others)];
    return [
      ...(isProject
        ? [
            hooks('settings.json', 'hooks', wantedHooks(HOOKS, [])),
            {
              ...hooks(
                'settings.local.json',
                'hook for tools that your guidelines refuse, status line',
                localHooks(tools),
                statusLine(join(folder, 'settings.json'), join(claudeFolder(home, env), 'settings.json')),
              ),
              isPersonal: true,
            },
            repositoryServer(base, launch),
          ]
        : [
            hooks('settings.json', 'hooks', wantedHooks(HOOKS, tools), statusLine()),
            // The only file that is not in its folder.
            jsonTarget(join(env.CLAUDE_CONFIG_DIR || home, '.claude.json'), 'MCP server', [
              mcpEntry(launch, { type: 'stdio' }),
            ]),
          ]),
      agentTarget(join(folder, `agents/${AGENT_NAME}.md`), claudeAgent(SERVER_NAME)),
      skillTarget(join(folder, 'skills')),
    ];
  },
  userFolder: claudeFolder,
  withoutLoadout: 'nothing with -p; the model is told that the server loadout could not start',
  nextSteps: ['Claude Code asks once whether it may use the MCP server of this repository.'],
  // It reads a file in the repository that is for this user only.
  refusesToolsIn: ['project', 'user'],
  extras: ['status-line'],
};

function claudeFolder(home: string, env: Environment): string {
  return env.CLAUDE_CONFIG_DIR || join(home, '.claude');
}

/** Hooks for the user's own file in a repository: only those for tools that the user refuses. */
function localHooks(tools: readonly string[]): readonly WantedHook[] {
  const events = HOOKS.events.flatMap((one) => (one.tools === undefined ? [] : [{ ...one, tools: [] }]));
  return wantedHooks({ ...HOOKS, events }, tools);
}

/** The read-only agent. `server` is the client's name for our MCP server. */
export function claudeAgent(server: string): string {
  const tools = ['Read', 'Glob', 'Grep', ...SERVER_TOOLS.map((tool) => `mcp__${server}__${tool}`)].join(', ');
  return agentText({ name: AGENT_NAME, description: AGENT_DESCRIPTION, tools });
}

/** Claude Code of Anthropic. */
export const claude = {
  id: ID,
  name: 'Claude Code',
  program: 'claude',
  worker: WORKER,
  hooks: HOOKS,
  install: INSTALL,
  mcp: {
    announcedAs: 'claude-code',
    toolMeta: ({ isMain, maxResultCharacters }) => ({
      // Without this it loads a tool only when the model searches for it.
      ...(isMain ? { 'anthropic/alwaysLoad': true } : {}),
      'anthropic/maxResultSizeChars': maxResultCharacters,
    }),
  },
  conventionFiles: ['CLAUDE.md'],
  settingsFolder: '.claude',
} as const satisfies AgentClient;

/** The files of its plugin, by path: the same as `loadout init` writes, with another command. */
export function claudePlugin(
  about: { readonly name: string; readonly version: string },
  launch: LaunchCommand,
): Readonly<Record<string, string>> {
  return {
    '.claude-plugin/plugin.json': pluginJson(about),
    'hooks/hooks.json': pluginJson({
      description: 'Gives agents and subagents the brief of their task',
      hooks: hooksByName(launch, HOOKED),
    }),
    [`agents/${AGENT_NAME}.md`]: claudeAgent(`plugin_${about.name}_${SERVER_NAME}`),
    'skills/loadout/SKILL.md': skillText(),
    '.mcp.json': pluginJson({
      mcpServers: { [SERVER_NAME]: { command: launch.program, args: [...launch.args, 'mcp'] } },
    }),
  };
}
