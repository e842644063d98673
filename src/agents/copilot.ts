// GitHub Copilot CLI.

import { join } from 'node:path';
import type { AgentClient, AgentInstall, LaunchCommand } from './agent-client.ts';
import {
  type AgentAnswer,
  type AgentFailure,
  type AgentOutput,
  type AgentStart,
  type AgentWorker,
  option,
  WORKER_ENVIRONMENT,
} from './agent-worker.ts';
import { editsFile, patchesFiles, readsFile, viewsOrEditsFile, writesFile } from './file-tools.ts';
import { type AgentHooks, COMMON_FIELDS, flatAnswers } from './hook-dialect.ts';
import {
  AGENT_DESCRIPTION,
  AGENT_NAME,
  agentTarget,
  agentText,
  fileTarget,
  hookLine,
  jsonTarget,
  mcpEntry,
  repositoryServer,
  skillTarget,
  type WantedHook,
  wantedHooks,
} from './install-parts.ts';
import { type JsonRecord, numberOrNull, readJsonEvents, record, text, textOrNull } from './json-events.ts';
import { agentFailure, failureOfExit, failureOfKind, finishAnswer } from './worker-answer.ts';

const ID = 'copilot';

const PERMISSIONS: Readonly<Record<AgentStart['permissions'], readonly string[]>> = {
  'read-only': ['--deny-tool=write', '--deny-tool=shell'],
  edit: ['--allow-tool=write', '--deny-tool=shell'],
  full: ['--allow-all-tools'],
};

const WORKER: AgentWorker = {
  installLine: 'npm install -g @github/copilot',
  versionArgs: ['--version'],
  canResume: true,
  hasNativeSchema: null,
  start: (options) => ({
    command: 'copilot',
    args: [
      '--output-format',
      'json',
      // Without --trust-folder it leaves the hooks of the repository alone.
      ...PERMISSIONS[options.permissions],
      '--no-ask-user',
      '--no-auto-update',
      '-C',
      options.cwd,
      ...option('--model', 'model', options.model),
      ...option('--resume', 'session', options.resume),
      ...options.flags,
    ],
    env: WORKER_ENVIRONMENT,
  }),
  read: readCopilot,
};

const FILE_TOOLS = {
  view: readsFile,
  edit: editsFile,
  create: writesFile,
  str_replace_editor: viewsOrEditsFile,
  apply_patch: patchesFiles,
};

const HOOKS: AgentHooks = {
  events: [
    { event: 'session-start', name: 'sessionStart', seconds: 15 },
    { event: 'user-prompt-submit', name: 'userPromptSubmitted', seconds: 15 },
    { event: 'subagent-start', name: 'subagentStart', seconds: 15 },
    { event: 'pre-tool-use', name: 'preToolUse', seconds: 20, tools: [] },
    {
      ...{ event: 'post-tool-use', name: 'postToolUse', seconds: 10 },
      matcher: Object.keys(FILE_TOOLS).join('|'),
    },
  ],
  // Each subagent has a session of its own, so events of its parent's session would be lost.
  fields: { ...COMMON_FIELDS, sessionId: ['parentAgentId', ...COMMON_FIELDS.sessionId] },
  answers: flatAnswers('modifiedArgs'),
  // It documents no limit, so it gets the smallest one of all clients.
  contextLimit: { characters: 9_900, bytes: Number.POSITIVE_INFINITY },
  subagentTools: ['task'],
  fileTools: FILE_TOOLS,
  taskFollowsStart: true,
};

const INSTALL: AgentInstall = {
  targets: ({ base, scope, home, env }, launch, tools) => {
    const isProject = scope === 'project';
    const folder = isProject ? join(base, '.github') : env.COPILOT_HOME || join(home, '.copilot');
    const hooks = wantedHooks(HOOKS, isProject ? [] : tools).filter(({ isGone }) => !isGone);
    return [
      fileTarget(join(folder, 'hooks/loadout.json'), 'hooks', hookFile(hooks, launch)),
      isProject
        ? repositoryServer(base, launch)
        : jsonTarget(join(folder, 'mcp-config.json'), 'MCP server', [
            mcpEntry(launch, { type: 'local', tools: ['*'] }),
          ]),
      agentTarget(join(folder, `agents/${AGENT_NAME}.agent.md`), copilotAgent()),
      skillTarget(join(folder, 'skills')),
    ];
  },
  userFolder: (home, env) => env.COPILOT_HOME || join(home, '.copilot'),
  withoutLoadout: 'that the server loadout failed, among the events of a session',
  nextSteps: ['Copilot CLI runs hooks of folders that you trust.'],
  refusesToolsIn: ['user'],
};

/** Its hooks have a file of their own. */
function hookFile(hooks: readonly WantedHook[], launch: LaunchCommand): string {
  const entries = hooks.map(({ name, event, matcher, seconds }) => {
    const line = hookLine(launch, event, { id: ID, hooks: HOOKS });
    const about = matcher === undefined ? {} : { matcher };
    return [name, [{ type: 'command', ...about, bash: line, powershell: line, timeoutSec: seconds }]];
  });
  return `${JSON.stringify({ version: 1, hooks: Object.fromEntries(entries) }, null, 2)}\n`;
}

/** The file of the read-only agent. */
export function copilotAgent(): string {
  const tools = JSON.stringify(['read', 'search', 'loadout/*']);
  return agentText({ name: AGENT_NAME, description: AGENT_DESCRIPTION, tools });
}

/** Copilot CLI of GitHub. */
export const copilot = {
  id: ID,
  name: 'Copilot CLI',
  program: 'copilot',
  worker: WORKER,
  hooks: HOOKS,
  install: INSTALL,
  // It keeps 20 KiB.
  mcp: { announcedAs: 'copilot', resultLimit: { bytes: 20_000 } },
  conventionFiles: ['.github/copilot-instructions.md'],
} as const satisfies AgentClient;

/** Reads its events: the last message with text is the answer. */
function readCopilot(output: AgentOutput): AgentAnswer {
  const events = readJsonEvents(output.stdout);
  const messages = events
    .filter((event) => event.type === 'assistant.message')
    .map((event) => text(record(event.data).content));
  const result = events.findLast((event) => event.type === 'result');
  return finishAnswer(
    {
      // The last message can be a bare tool request.
      text: messages.findLast((message) => message.trim() !== '') ?? '',
      sessionId: textOrNull(result?.sessionId),
      // It counts requests, not tokens.
      usage: null,
      error: failureOf(events, result, output),
    },
    output,
  );
}

function failureOf(
  events: readonly JsonRecord[],
  result: JsonRecord | undefined,
  output: AgentOutput,
): AgentFailure | null {
  if (result && result.exitCode === 0) return null;
  const error = events.findLast((event) => event.type === 'session.error');
  if (error) {
    const data = record(error.data);
    return agentFailure(text(data.message) || text(data.errorType), numberOrNull(data.statusCode));
  }
  if (output.signal !== null || output.exitCode !== 0) return failureOfExit(output);
  return failureOfKind('empty', 'ended before the answer was complete');
}
