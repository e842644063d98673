// Gemini CLI.

import { join } from 'node:path';
import type { AgentClient, AgentInstall, LaunchCommand } from './agent-client.ts';
import {
  type AgentAnswer,
  type AgentFailure,
  type AgentFailureKind,
  type AgentOutput,
  type AgentStart,
  type AgentUsage,
  type AgentWorker,
  option,
  WORKER_ENVIRONMENT,
} from './agent-worker.ts';
import { editsFile, readsFile, writesFile } from './file-tools.ts';
import {
  type AgentHooks,
  COMMON_FIELDS,
  type HookAnswer,
  type HookEvent,
  NO_LIMIT,
  nested,
} from './hook-dialect.ts';
import {
  AGENT_DESCRIPTION,
  AGENT_NAME,
  agentTarget,
  agentText,
  hookEntries,
  hooksByName,
  jsonTarget,
  mcpEntry,
  SERVER_TOOLS,
  skillTarget,
  wantedHooks,
} from './install-parts.ts';
import {
  count,
  isRecord,
  type JsonRecord,
  numberOrNull,
  readJsonEvents,
  readLastJsonObject,
  record,
  text,
  textOrNull,
} from './json-events.ts';
import { agentFailure, failureOfExit, failureOfKind, finishAnswer } from './worker-answer.ts';

const ID = 'gemini';

const APPROVAL: Readonly<Record<AgentStart['permissions'], string>> = {
  // Its mode "plan" also changes the instructions of the model. Without a terminal to ask on, this mode only reads.
  'read-only': 'default',
  edit: 'auto_edit',
  full: 'yolo',
};

/**
 * Variables that send requests elsewhere or run programs. All names in the files of the repository get an empty value; these
 * do even when such a file appears later.
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

const WORKER: AgentWorker = {
  installLine: 'npm install -g @google/gemini-cli',
  versionArgs: ['--version'],
  canResume: true,
  hasNativeSchema: null,
  environmentFiles: ['.gemini/.env', '.env'],
  blankVariables: KEPT_FROM_REPOSITORY,
  start: (options) => ({
    command: 'gemini',
    args: [
      '--output-format',
      'json',
      // Not the variable with the same meaning: with it, hooks, servers and commands in the settings of the repository
      // would run.
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
      // Otherwise it starts itself a second time to get more memory.
      GEMINI_CLI_NO_RELAUNCH: 'true',
    },
  }),
  read: readGemini,
};

const SUBAGENT_TOOLS = ['invoke_agent'];
const FILE_TOOLS = { read_file: readsFile, replace: editsFile, write_file: writesFile };
/** Text of hooks in front of a prompt. */
const HOOK_CONTEXT = /^(?:\s*<hook_context>[\s\S]*?<\/hook_context>)+\s*/;

const HOOKS: AgentHooks = {
  // Text that is added at other events arrives with its code escaped.
  events: [
    { event: 'before-agent', name: 'BeforeAgent', seconds: 20 },
    { event: 'before-model', name: 'BeforeModel', seconds: 15 },
    { event: 'pre-tool-use', name: 'BeforeTool', seconds: 20, tools: SUBAGENT_TOOLS },
    {
      ...{ event: 'post-tool-use', name: 'AfterTool', seconds: 10 },
      matcher: Object.keys(FILE_TOOLS).join('|'),
    },
  ],
  fields: COMMON_FIELDS,
  answers: {
    context: (event, text) => answer(event, { additionalContext: text }),
    toolInput: (event, input) => answer(event, { tool_input: input }),
    denial: (_event, reason) => ({ decision: 'deny', reason }),
  },
  contextLimit: NO_LIMIT,
  subagentTools: SUBAGENT_TOOLS,
  fileTools: FILE_TOOLS,
  // It puts the text of session-start hooks in front of the prompt.
  cleanPrompt: (prompt) => prompt.replace(HOOK_CONTEXT, ''),
  modelRequest: {
    read: (input) => record(input.llm_request).messages,
    // It replaces its messages by position: give as many as there were, and the rest of the request stays as it is.
    answer: (messages) => nested('before-model', { llm_request: { messages } }),
  },
  escapesSessionStart: true,
  // Every exit code above 1 forbids the turn, also that of a program that is not installed.
  lineEnd: '; exit 0',
  timeoutPerSecond: 1_000,
};

const answer = (event: HookEvent, output: HookAnswer): HookAnswer =>
  event === 'pre-tool-use' ? nested(event, output, 'BeforeTool') : nested(event, output);

/** The hooks of its extension. */
export const geminiHooks = (launch: LaunchCommand) => hooksByName(launch, { id: ID, hooks: HOOKS });

const INSTALL: AgentInstall = {
  targets: ({ base, scope, home, env }, launch, tools) => {
    const isProject = scope === 'project';
    const folder = join(isProject ? base : env.GEMINI_CLI_HOME || home, '.gemini');
    const hooks = wantedHooks(HOOKS, isProject ? [] : tools);
    return [
      jsonTarget(join(folder, 'settings.json'), 'hooks, MCP server', [
        ...hookEntries(hooks, launch, { id: ID, hooks: HOOKS }),
        mcpEntry(launch),
      ]),
      agentTarget(join(folder, `agents/${AGENT_NAME}.md`), geminiAgent()),
      skillTarget(join(folder, 'skills')),
    ];
  },
  userFolder: (home, env) => join(env.GEMINI_CLI_HOME || home, '.gemini'),
  withoutLoadout: '"MCP issues detected" at the start, and "loadout: command not found" for each prompt',
  nextSteps: ['Gemini CLI uses them in folders that you trust.'],
  refusesToolsIn: ['user'],
};

/** The file of the read-only agent. */
export function geminiAgent(): string {
  const tools = ['read_file', 'glob', 'grep_search', ...SERVER_TOOLS.map((tool) => `mcp_loadout_${tool}`)];
  const list = `\n${tools.map((tool) => `  - ${tool}`).join('\n')}`;
  return agentText({ name: AGENT_NAME, description: AGENT_DESCRIPTION, tools: list });
}

/** Gemini CLI of Google. */
export const gemini = {
  id: ID,
  name: 'Gemini CLI',
  program: 'gemini',
  worker: WORKER,
  hooks: HOOKS,
  install: INSTALL,
  // It keeps 40,000 characters.
  mcp: { announcedAs: 'gemini-cli', resultLimit: { bytes: 39_000 } },
  conventionFiles: ['GEMINI.md'],
  settingsFolder: '.gemini',
} as const satisfies AgentClient;

/** The meaning of its exit codes. */
const EXIT_KINDS: Readonly<Record<number, AgentFailureKind>> = {
  41: 'auth',
  42: 'bad-request',
  44: 'crash',
  52: 'bad-request',
  53: 'turn-limit',
  54: 'crash',
  55: 'untrusted-folder',
  130: 'crash',
};

/** It prints one object to standard output, or after a failure one at the end of standard error. */
function readGemini(output: AgentOutput): AgentAnswer {
  const events = readJsonEvents(output.stdout);
  if (events.some((event) => event.type === 'init' || event.type === 'result')) {
    return readStream(events, output);
  }
  const answer = events.find((event) => 'response' in event) ?? readLastJsonObject(output.stdout);
  const report = answer && ('response' in answer || 'error' in answer) ? answer : null;
  const last = report ?? readLastJsonObject(output.stderr);
  return finishAnswer(
    {
      text: text(report?.response),
      sessionId: textOrNull(last?.session_id),
      usage: readUsage(record(report?.stats)),
      error: failureOf(last, output),
    },
    output,
  );
}

/** Reads its events, when it prints one on each line. */
function readStream(events: readonly JsonRecord[], output: AgentOutput): AgentAnswer {
  const lastTool = events.findLastIndex((event) => event.type === 'tool_use');
  const pieces = events
    .slice(lastTool + 1)
    .filter((event) => event.type === 'message' && event.role === 'assistant')
    .map((event) => text(event.content));
  const result = events.findLast((event) => event.type === 'result');
  const failed = result?.status === 'error';
  return finishAnswer(
    {
      text: failed ? '' : pieces.join(''),
      sessionId: textOrNull(events.find((event) => event.type === 'init')?.session_id),
      usage: result ? readStreamUsage(record(result.stats)) : null,
      error: result
        ? failed
          ? (failureOf(result, output) ?? failureOfExit(output))
          : null
        : failureOfKind('empty', 'ended before the turn was complete'),
    },
    output,
  );
}

function failureOf(report: JsonRecord | null, output: AgentOutput): AgentFailure | null {
  const ofExit = output.exitCode === null ? undefined : EXIT_KINDS[output.exitCode];
  if (report && isRecord(report.error)) {
    const words = text(report.error.message);
    const status = numberOrNull(report.error.code);
    // Below 400 the code is the exit code.
    if (ofExit) return failureOfKind(ofExit, words || output.stderr);
    return agentFailure(words, status !== null && status >= 400 ? status : null);
  }
  return ofExit ? failureOfKind(ofExit, failureOfExit(output).message) : null;
}

function readUsage(stats: JsonRecord): AgentUsage | null {
  if (!isRecord(stats.models)) return null;
  const tokens = Object.values(stats.models).map((model) => record(record(model).tokens));
  const sum = (name: string): number => tokens.reduce((total, each) => total + count(each[name]), 0);
  return {
    inputTokens: sum('prompt'),
    cachedInputTokens: sum('cached'),
    outputTokens: sum('candidates') + sum('thoughts'),
  };
}

function readStreamUsage(stats: JsonRecord): AgentUsage {
  return {
    inputTokens: count(stats.input_tokens),
    cachedInputTokens: count(stats.cached),
    outputTokens: count(stats.output_tokens),
  };
}
