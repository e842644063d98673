import { join } from 'node:path';
import { MARK_START } from '../../model/pack-marks.ts';
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

interface WantedSetUp {
  readonly client: Client;
  readonly homes: ClientHomes;
  readonly launch: LaunchCommand;
  /** That the user's guidelines refuse. */
  readonly tools: readonly string[];
}

export function setUpFor({ client, homes, launch, tools }: WantedSetUp): readonly SetUpTarget[] {
  return SET_UPS[client](homes, launch, tools);
}

/**
 * OpenCode has no hooks that are programs: a small plugin calls ours, and goes on without it when it fails. `tools` are
 * those that the user's guidelines refuse, with `*` for any characters.
 */
export function openCodePlugin({ program, args }: LaunchCommand, tools: readonly string[] = []): string {
  const command = JSON.stringify([program, ...args]);
  const refused = JSON.stringify([...new Set(tools.map((tool) => tool.toLowerCase()))]);
  return `// Written by "loadout init opencode"; "loadout init opencode --remove" takes it away.
import { spawn } from 'node:child_process';

const [PROGRAM, ...ARGS] = ${command};
const REFUSED = ${refused};
const LIMIT_MS = 15000;
const MARK = '${MARK_START}';

function ask(event, input, cwd) {
  return new Promise((resolve) => {
    const child = spawn(PROGRAM, [...ARGS, 'hook', event, '--client', 'opencode'], {
      cwd,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const timer = setTimeout(() => child.kill(), LIMIT_MS);
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    child.stdin.on('error', () => {});
    child.on('error', () => resolve({}));
    child.on('close', () => {
      clearTimeout(timer);
      try {
        resolve(JSON.parse(text));
      } catch {
        resolve({});
      }
    });
    child.stdin.end(JSON.stringify({ cwd, ...input }));
  });
}

const asPattern = (tool) =>
  new RegExp(\`^\${tool.replace(/[.+?^\${}()|[\\]\\\\]/g, '\\\\$&').replaceAll('*', '.*')}$\`, 'i');
const PATTERNS = REFUSED.map(asPattern);
const MOST_STARTED = 200;

export const Loadout = async ({ directory }) => {
  /** Why the map is due in a session: it begins, or was compacted. */
  const mapDue = new Map();
  /** Task of a subagent that starts now, and the session that starts it. */
  const started = new Map();
  return {
    event: async ({ event }) => {
      if (event.type === 'session.compacted') mapDue.set(event.properties?.sessionID, 'compact');
    },
    'chat.message': async (input, output) => {
      const texts = output.parts.filter((part) => part.type === 'text' && !part.synthetic);
      const prompt = texts.map((part) => part.text).join('\\n');
      if (prompt === '') return;
      const { sessionID, agent } = input;
      const parent = started.get(prompt);
      // set up for the user and here: the other plugin has spoken
      if (parent === undefined && prompt.startsWith(MARK)) return;
      const source = mapDue.get(sessionID) ?? 'startup';
      const questions =
        parent !== undefined
          ? [['subagent-start', { sessionID: parent, agentID: sessionID, agent }]]
          : [
              ...(source === '' ? [] : [['session-start', { sessionID, source }]]),
              ['user-prompt-submit', { sessionID, agent, prompt }],
            ];
      mapDue.set(sessionID, '');
      const answers = await Promise.all(questions.map(([event, asked]) => ask(event, asked, directory)));
      const context = answers.map((answer) => answer.additionalContext).filter(Boolean);
      texts[0].text = [...context, texts[0].text].join('\\n\\n');
    },
    'tool.execute.before': async (input, output) => {
      const { sessionID, tool, callID } = input;
      const isTask = tool === 'task';
      if (!isTask && !PATTERNS.some((pattern) => pattern.test(tool))) return;
      const answer = await ask('pre-tool-use', { sessionID, tool, callID, args: output.args }, directory);
      if (answer.permissionDecision === 'deny') throw new Error(answer.permissionDecisionReason);
      if (answer.toolInput) Object.assign(output.args, answer.toolInput);
      if (!isTask) return;
      if (started.size >= MOST_STARTED) started.clear();
      started.set(output.args.prompt, sessionID);
    },
  };
};
`;
}
