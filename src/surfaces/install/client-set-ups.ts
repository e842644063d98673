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
  claudeEvents,
  claudeLocalEvents,
  codexEvents,
  copilotEvents,
  geminiEvents,
  type HookedEvent,
  hookEntries,
  hookLine,
} from './hook-entries.ts';
import { openCodePlugin } from './opencode-plugin.ts';
import type { Client, ClientHomes, LaunchCommand, SetUpTarget } from './set-up-target.ts';

type SetUp = (homes: ClientHomes, launch: LaunchCommand, tools: readonly string[]) => readonly SetUpTarget[];

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

/**
 * Where each client reads its hooks, MCP servers, agents and skills. Tools are refused by the user: files of a
 * repository, which others read as well, do not name them.
 */
const SET_UPS: Readonly<Record<Client, SetUp>> = {
  claude: ({ base, scope, claudeHome, claudeFile }, launch, tools) => {
    const folder = scope === 'project' ? join(base, '.claude') : claudeHome;
    const hooks = (name: string, what: string, events: readonly HookedEvent[]) =>
      json(join(folder, name), what, hookEntries(events, launch, 'claude'));
    return [
      ...(scope === 'project'
        ? [
            hooks('settings.json', 'hooks', claudeEvents([])),
            hooks(
              'settings.local.json',
              'hook for tools that your guidelines refuse',
              claudeLocalEvents(tools),
            ),
            repositoryServer(base, launch),
          ]
        : [
            hooks('settings.json', 'hooks', claudeEvents(tools)),
            json(claudeFile, 'MCP server', [mcpEntry(launch, { type: 'stdio' })]),
          ]),
      file(join(folder, `agents/${AGENT_NAME}.md`), AGENT, claudeAgent(SERVER_NAME)),
      skill(join(folder, 'skills')),
    ];
  },
  codex: ({ base, scope, codexHome }, launch, tools) => {
    const folder = scope === 'project' ? join(base, '.codex') : codexHome;
    const events = codexEvents(scope === 'project' ? [] : tools);
    return [
      json(join(folder, 'hooks.json'), 'hooks', hookEntries(events, launch, 'codex')),
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
  gemini: ({ base, scope, geminiHome }, launch, tools) => {
    const folder = scope === 'project' ? join(base, '.gemini') : geminiHome;
    const events = geminiEvents(scope === 'project' ? [] : tools);
    return [
      json(join(folder, 'settings.json'), 'hooks, MCP server', [
        ...hookEntries(events, launch, 'gemini', { perSecond: 1_000 }),
        mcpEntry(launch),
      ]),
      file(join(folder, `agents/${AGENT_NAME}.md`), AGENT, geminiAgent()),
      skill(join(folder, 'skills')),
    ];
  },
  copilot: ({ base, scope, copilotHome }, launch, tools) => {
    const folder = scope === 'project' ? join(base, '.github') : copilotHome;
    const events = copilotEvents(scope === 'project' ? [] : tools);
    return [
      file(join(folder, 'hooks/loadout.json'), 'hooks', copilotHooks(events, launch)),
      scope === 'project'
        ? repositoryServer(base, launch)
        : json(join(folder, 'mcp-config.json'), 'MCP server', [
            mcpEntry(launch, { type: 'local', tools: ['*'] }),
          ]),
      file(join(folder, `agents/${AGENT_NAME}.agent.md`), AGENT, copilotAgent()),
      skill(join(folder, 'skills')),
    ];
  },
  opencode: ({ base, scope, openCodeHome }, launch, tools) => {
    const folder = scope === 'project' ? join(base, '.opencode') : openCodeHome;
    const settings = join(scope === 'project' ? base : openCodeHome, 'opencode.json');
    const server = { type: 'local', command: [launch.program, ...launch.args, 'mcp'], enabled: true };
    return [
      json(settings, 'MCP server', [{ path: ['mcp', SERVER_NAME], kind: 'member', value: server }]),
      file(
        join(folder, 'plugins/loadout.js'),
        'plugin',
        openCodePlugin(launch, scope === 'project' ? [] : tools),
      ),
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

function copilotHooks(events: readonly HookedEvent[], launch: LaunchCommand): string {
  const hooks = events.map(({ name, event, matcher, seconds }) => {
    const line = hookLine(launch, event, 'copilot');
    const about = matcher === undefined ? {} : { matcher };
    return [name, [{ type: 'command', ...about, bash: line, powershell: line, timeoutSec: seconds }]];
  });
  return `${JSON.stringify({ version: 1, hooks: Object.fromEntries(hooks) }, null, 2)}\n`;
}

export interface WantedSetUp {
  readonly client: Client;
  readonly homes: ClientHomes;
  readonly launch: LaunchCommand;
  /** That the user's guidelines refuse. */
  readonly tools: readonly string[];
}

export function setUpFor({ client, homes, launch, tools }: WantedSetUp): readonly SetUpTarget[] {
  return SET_UPS[client](homes, launch, tools);
}
