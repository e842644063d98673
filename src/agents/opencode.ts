// OpenCode.

import { join } from 'node:path';
import { MARK_START } from '../model/context-pack.ts';
import type { AgentClient, AgentInstall, LaunchCommand } from './agent-client.ts';
import {
  type AgentAnswer,
  type AgentFailure,
  type AgentOutput,
  type AgentStart,
  type AgentWorker,
  type ObeyedFile,
  option,
  WORKER_ENVIRONMENT,
} from './agent-worker.ts';
import { editsFile, patchesFiles, readsFile, writesFile } from './file-tools.ts';
import { type AgentHooks, COMMON_FIELDS, flatAnswers, NO_LIMIT } from './hook-dialect.ts';
import {
  AGENT_DESCRIPTION,
  AGENT_NAME,
  agentTarget,
  agentText,
  fileTarget,
  jsonTarget,
  SERVER_NAME,
  skillTarget,
} from './install-parts.ts';
import {
  count,
  type JsonRecord,
  numberOrNull,
  readJsonEvents,
  record,
  text,
  textOrNull,
} from './json-events.ts';
import { agentFailure, failureOfExit, failureOfKind, finishAnswer } from './worker-answer.ts';

/** `--pure` and the variable below keep the repository's settings out, but not these plugins. */
const PLUGINS: readonly ObeyedFile[] = [
  ...['opencode.json', 'opencode.jsonc', '.opencode/opencode.json', '.opencode/opencode.jsonc'].map(
    (path) => ({
      path,
      // Or an escape, which can stand for any letter of the key.
      holding: /plugin|\\u/i,
    }),
  ),
  { path: '.opencode/plugin' },
  { path: '.opencode/plugins' },
];

const PERMISSIONS: Readonly<Record<AgentStart['permissions'], Readonly<Record<string, string>>>> = {
  'read-only': { edit: 'deny', bash: 'deny' },
  edit: { edit: 'allow', bash: 'deny' },
  full: { edit: 'allow', bash: 'allow' },
};

const WORKER: AgentWorker = {
  installLine: 'npm install -g opencode-ai',
  versionArgs: ['--version'],
  canResume: true,
  hasNativeSchema: null,
  obeyedFiles: PLUGINS,
  start: (options) => ({
    command: 'opencode',
    args: [
      'run',
      '--format',
      'json',
      // This also leaves out its plugins, which are its hooks.
      '--pure',
      '--dir',
      options.cwd,
      ...option('--model', 'model', options.model),
      ...option('--session', 'session', options.resume),
      ...options.flags,
    ],
    env: {
      ...WORKER_ENVIRONMENT,
      OPENCODE_PERMISSION: JSON.stringify(PERMISSIONS[options.permissions]),
      OPENCODE_DISABLE_PROJECT_CONFIG: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
    },
  }),
  read: readOpencode,
};

const FILE_TOOLS = {
  read: readsFile,
  edit: editsFile,
  multiedit: editsFile,
  write: writesFile,
  patch: patchesFiles,
  apply_patch: patchesFiles,
};

const HOOKS: AgentHooks = {
  events: [],
  fields: COMMON_FIELDS,
  answers: flatAnswers('toolInput'),
  contextLimit: NO_LIMIT,
  subagentTools: ['task'],
  fileTools: FILE_TOOLS,
};

const INSTALL: AgentInstall = {
  targets: ({ base, scope, home, env }, launch, tools) => {
    const isProject = scope === 'project';
    const settings = isProject ? base : join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode');
    const folder = isProject ? join(base, '.opencode') : settings;
    const server = { type: 'local', command: [launch.program, ...launch.args, 'mcp'], enabled: true };
    return [
      jsonTarget(join(settings, 'opencode.json'), 'MCP server', [
        { path: ['mcp', SERVER_NAME], kind: 'member', value: server },
      ]),
      fileTarget(
        join(folder, 'plugins/loadout.js'),
        'plugin',
        opencodePlugin(launch, isProject ? [] : tools),
      ),
      agentTarget(join(folder, `agents/${AGENT_NAME}.md`), opencodeAgent()),
      skillTarget(join(folder, 'skills')),
    ];
  },
  userFolder: (home, env) => join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode'),
  withoutLoadout: 'nothing with opencode run',
  nextSteps: [],
  refusesToolsIn: ['user'],
};

/** The file of the read-only agent. */
export function opencodeAgent(): string {
  const denied = ['edit', 'bash', 'webfetch'].map((name) => `  ${name}: deny`).join('\n');
  return agentText({ description: AGENT_DESCRIPTION, mode: 'subagent', permission: `\n${denied}` });
}

/** OpenCode. Its hooks are not programs, so a plugin calls Loadout. */
export const opencode = {
  id: 'opencode',
  name: 'OpenCode',
  program: 'opencode',
  worker: WORKER,
  hooks: HOOKS,
  install: INSTALL,
  // It keeps 50 KiB and 2,000 lines.
  mcp: { announcedAs: 'opencode', resultLimit: { bytes: 50_000, lines: 1_950 } },
  settingsFolder: '.opencode',
} as const satisfies AgentClient;

/** Reads its events: the texts of the last message are the answer. */
function readOpencode(output: AgentOutput): AgentAnswer {
  const events = readJsonEvents(output.stdout);
  const texts = events.filter((event) => event.type === 'text').map((event) => record(event.part));
  const lastMessage = texts.at(-1)?.messageID;
  const steps = events.filter((event) => event.type === 'step_finish').map((event) => record(event.part));
  return finishAnswer(
    {
      text: texts
        .filter((part) => part.messageID === lastMessage)
        .map((part) => text(part.text))
        .join(''),
      sessionId: textOrNull(events.find((event) => event.sessionID !== undefined)?.sessionID),
      usage: steps.length === 0 ? null : sumUsage(steps.map((step) => record(step.tokens))),
      costUsd: steps.length === 0 ? null : steps.reduce((sum, step) => sum + count(step.cost), 0),
      error: failureOf(events, steps.at(-1), output),
      warnings: steps.at(-1)?.reason === 'length' ? ['the answer was cut at the limit of the model'] : [],
    },
    output,
  );
}

/** Null when the last step came to an end. */
function failureOf(
  events: readonly JsonRecord[],
  lastStep: JsonRecord | undefined,
  output: AgentOutput,
): AgentFailure | null {
  const error = events.findLast((event) => event.type === 'error');
  if (error) {
    const details = record(error.error);
    const data = record(details.data);
    return agentFailure(text(data.message) || text(details.name), numberOrNull(data.statusCode));
  }
  if (output.signal !== null || output.exitCode !== 0) return failureOfExit(output);
  if (lastStep?.reason === 'stop' || lastStep?.reason === 'length') return null;
  return failureOfKind('empty', 'ended before the answer was complete');
}

/** It reports tokens for each step. */
function sumUsage(tokens: readonly JsonRecord[]) {
  const sum = (of: (step: JsonRecord) => number): number =>
    tokens.reduce((total, step) => total + of(step), 0);
  const cached = sum((step) => count(record(step.cache).read));
  return {
    inputTokens: sum((step) => count(step.input) + count(record(step.cache).write)) + cached,
    cachedInputTokens: cached,
    outputTokens: sum((step) => count(step.output) + count(step.reasoning)),
  };
}

/**
 * The plugin that calls Loadout's hooks, and continues without an answer when a call fails. `tools` are the tools that the user's
 * guidelines refuse, with `*` for any characters.
 */
export function opencodePlugin({ program, args }: LaunchCommand, tools: readonly string[] = []): string {
  const command = JSON.stringify([program, ...args]);
  const refused = JSON.stringify([...new Set(tools.map((tool) => tool.toLowerCase()))]);
  const files = JSON.stringify(Object.keys(FILE_TOOLS));
  return `// Written by "loadout init opencode"; "loadout init opencode --remove" takes it away.
import { spawn } from 'node:child_process';

const [PROGRAM, ...ARGS] = ${command};
const REFUSED = ${refused};
const FILE_TOOLS = ${files};
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
  /** Why a session has to be greeted: it begins, or was compacted. */
  const greetDue = new Map();
  /** Task of a subagent that starts now, and the session that starts it. */
  const started = new Map();
  return {
    event: async ({ event }) => {
      if (event.type === 'session.compacted') greetDue.set(event.properties?.sessionID, 'compact');
    },
    'chat.message': async (input, output) => {
      const texts = output.parts.filter((part) => part.type === 'text' && !part.synthetic);
      const prompt = texts.map((part) => part.text).join('\\n');
      if (prompt === '') return;
      const { sessionID, agent } = input;
      const parent = started.get(prompt);
      // set up for the user and here: the other plugin has spoken
      if (parent === undefined && prompt.startsWith(MARK)) return;
      const source = greetDue.get(sessionID) ?? 'startup';
      const questions =
        parent !== undefined
          ? [['subagent-start', { sessionID: parent, agentID: sessionID, agent }]]
          : [
              ...(source === '' ? [] : [['session-start', { sessionID, source }]]),
              ['user-prompt-submit', { sessionID, agent, prompt }],
            ];
      greetDue.set(sessionID, '');
      const context = [];
      // one after the other: what the start of a session was told is not told again
      for (const [event, asked] of questions) {
        const { additionalContext } = await ask(event, asked, directory);
        if (additionalContext) context.push(additionalContext);
      }
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
    'tool.execute.after': async ({ sessionID, tool, callID, args }) => {
      // not awaited: it only notes which file was read or edited
      if (FILE_TOOLS.includes(tool)) void ask('post-tool-use', { sessionID, tool, callID, args }, directory);
    },
  };
};
`;
}
