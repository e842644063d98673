import { join } from 'node:path';
import {
  AGENT_NAME,
  claudeAgent,
  copilotAgent,
  cursorRule,
  geminiAgent,
  openCodeAgent,
  skillText,
} from './agent-texts.ts';
import type { JsonEntry } from './edit-json.ts';
import {
  CLAUDE_EVENTS,
  CODEX_EVENTS,
  COPILOT_EVENTS,
  GEMINI_EVENTS,
  hookEntries,
  hookLine,
} from './hook-entries.ts';
import { openCodePlugin } from './opencode-plugin.ts';
import type { Client, ClientHomes, LaunchCommand, SetUpTarget } from './set-up-target.ts';

type SetUp = (homes: ClientHomes, launch: LaunchCommand) => readonly SetUpTarget[];

export const SERVER_NAME = 'loadout';

function json(path: string, what: string, entries: readonly JsonEntry[]): SetUpTarget {
  return { kind: 'json', path, what, entries };
}

function file(path: string, what: string, text: string): SetUpTarget {
  return { kind: 'file', path, what, text };
}

const AGENT = `agent ${AGENT_NAME}, read-only`;
const skill = (folder: string) => file(join(folder, 'loadout/SKILL.md'), 'skill', skillText());

function mcpEntry(launch: LaunchCommand, more: Readonly<Record<string, unknown>> = {}): JsonEntry {
  const value = { ...more, command: launch.program, args: [...launch.args, 'mcp'] };
  return { path: ['mcpServers', SERVER_NAME], kind: 'member', value };
}

function repositoryServer(base: string, launch: LaunchCommand): SetUpTarget {
  const entries = [mcpEntry(launch, { type: 'stdio' })];
  return { kind: 'json', path: join(base, '.mcp.json'), what: 'MCP server', entries, isShared: true };
}

/** Where each client reads its hooks, MCP servers, agents and skills. */
const SET_UPS: Readonly<Record<Client, SetUp>> = {
  claude: ({ base, scope }, launch) => [
    json(join(base, '.claude/settings.json'), 'hooks', hookEntries(CLAUDE_EVENTS, launch, 'claude')),
    scope === 'project'
      ? repositoryServer(base, launch)
      : json(join(base, '.claude.json'), 'MCP server', [mcpEntry(launch, { type: 'stdio' })]),
    file(join(base, `.claude/agents/${AGENT_NAME}.md`), AGENT, claudeAgent(SERVER_NAME)),
    skill(join(base, '.claude/skills')),
  ],
  codex: ({ base, scope, codexHome }, launch) => {
    const folder = scope === 'project' ? join(base, '.codex') : codexHome;
    return [
      json(join(folder, 'hooks.json'), 'hooks', hookEntries(CODEX_EVENTS, launch, 'codex')),
      {
        kind: 'toml',
        path: join(folder, 'config.toml'),
        what: 'MCP server',
        table: `mcp_servers.${SERVER_NAME}`,
        lines: [
          `command = ${JSON.stringify(launch.program)}`,
          `args = ${JSON.stringify([...launch.args, 'mcp'])}`,
          'startup_timeout_sec = 20',
          'tool_timeout_sec = 120',
        ],
      },
      skill(join(base, '.agents/skills')),
    ];
  },
  gemini: ({ base }, launch) => [
    json(join(base, '.gemini/settings.json'), 'hooks, MCP server', [
      ...hookEntries(GEMINI_EVENTS, launch, 'gemini', { perSecond: 1_000 }),
      mcpEntry(launch),
    ]),
    file(join(base, `.gemini/agents/${AGENT_NAME}.md`), AGENT, geminiAgent()),
    skill(join(base, '.gemini/skills')),
  ],
  copilot: ({ base, scope }, launch) => [
    // there are no hooks of the user, only of a repository
    ...(scope === 'project'
      ? [file(join(base, '.github/hooks/loadout.json'), 'hooks', copilotHooks(launch))]
      : []),
    scope === 'project'
      ? repositoryServer(base, launch)
      : json(join(base, '.copilot/mcp-config.json'), 'MCP server', [
          mcpEntry(launch, { type: 'local', tools: ['*'] }),
        ]),
    file(
      join(base, scope === 'project' ? '.github' : '.copilot', `agents/${AGENT_NAME}.agent.md`),
      AGENT,
      copilotAgent(),
    ),
    skill(join(base, scope === 'project' ? '.github/skills' : '.copilot/skills')),
  ],
  opencode: ({ base, scope, openCodeHome }, launch) => {
    const folder = scope === 'project' ? join(base, '.opencode') : openCodeHome;
    const settings = join(scope === 'project' ? base : openCodeHome, 'opencode.json');
    const server = { type: 'local', command: [launch.program, ...launch.args, 'mcp'], enabled: true };
    return [
      json(settings, 'MCP server', [{ path: ['mcp', SERVER_NAME], kind: 'member', value: server }]),
      file(join(folder, 'plugins/loadout.js'), 'plugin', openCodePlugin(launch)),
      file(join(folder, `agents/${AGENT_NAME}.md`), AGENT, openCodeAgent()),
      skill(join(folder, 'skills')),
    ];
  },
  cursor: ({ base, scope }, launch) => [
    json(join(base, '.cursor/mcp.json'), 'MCP server', [mcpEntry(launch)]),
    // rules of the user are no files
    ...(scope === 'project' ? [file(join(base, '.cursor/rules/loadout.mdc'), 'rule', cursorRule())] : []),
  ],
};

function copilotHooks(launch: LaunchCommand): string {
  const hooks = COPILOT_EVENTS.map(({ name, event, seconds }) => {
    const line = hookLine(launch, event, 'copilot');
    return [name, [{ type: 'command', bash: line, powershell: line, timeoutSec: seconds }]];
  });
  return `${JSON.stringify({ version: 1, hooks: Object.fromEntries(hooks) }, null, 2)}\n`;
}

export function setUpFor(client: Client, homes: ClientHomes, launch: LaunchCommand): readonly SetUpTarget[] {
  return SET_UPS[client](homes, launch);
}
