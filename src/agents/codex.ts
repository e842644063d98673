// Codex.

import { join } from 'node:path';
import type {
  AgentClient,
  AgentInstall,
  HookTrust,
  HookTrustQuestion,
  LaunchCommand,
} from './agent-client.ts';
import {
  type AgentAnswer,
  type AgentFailure,
  type AgentOutput,
  type AgentStart,
  type AgentWorker,
  type JsonSchemaObject,
  option,
  plainArgument,
  WORKER_ENVIRONMENT,
} from './agent-worker.ts';
import { patchesFiles, readsByCommand } from './file-tools.ts';
import { type AgentHooks, COMMON_FIELDS, NESTED_ANSWERS } from './hook-dialect.ts';
import {
  hookEntries,
  hooksByName,
  jsonTarget,
  SERVER_NAME,
  skillTarget,
  wantedHooks,
} from './install-parts.ts';
import {
  count,
  isRecord,
  type JsonRecord,
  parseJson,
  readJsonEvents,
  record,
  text,
  textOrNull,
} from './json-events.ts';
import { agentFailure, failureOfExit, failureOfKind, finishAnswer } from './worker-answer.ts';

const ID = 'codex';

const SANDBOX: Readonly<Record<AgentStart['permissions'], string>> = {
  'read-only': 'read-only',
  edit: 'workspace-write',
  full: 'danger-full-access',
};

const WORKER: AgentWorker = {
  installLine: 'npm install -g @openai/codex',
  versionArgs: ['--version'],
  canResume: true,
  hasNativeSchema: 'file',
  nativeSchema: strictSchema,
  start: (options) => ({
    command: 'codex',
    args: [
      'exec',
      '--json',
      '--skip-git-repo-check',
      '--sandbox',
      SANDBOX[options.permissions],
      '--cd',
      options.cwd,
      '--disable',
      'hooks',
      // Otherwise it starts the servers that the repository's configuration names.
      '--config',
      `projects={${JSON.stringify(options.cwd)}={trust_level="untrusted"}}`,
      ...option('--model', 'model', options.model),
      ...schemaArguments(options),
      ...options.flags,
      ...(options.resume === null ? [] : ['resume', plainArgument('session', options.resume)]),
      '-',
    ],
    env: WORKER_ENVIRONMENT,
  }),
  read: readCodex,
};

/** It reads files with its shell. */
const FILE_TOOLS = { Bash: readsByCommand, apply_patch: patchesFiles };

const HOOKS: AgentHooks = {
  events: [
    { event: 'session-start', name: 'SessionStart', seconds: 15 },
    { event: 'user-prompt-submit', name: 'UserPromptSubmit', seconds: 15 },
    { event: 'subagent-start', name: 'SubagentStart', seconds: 15 },
    { event: 'pre-tool-use', name: 'PreToolUse', seconds: 20, tools: [] },
    {
      ...{ event: 'post-tool-use', name: 'PostToolUse', seconds: 10 },
      matcher: Object.keys(FILE_TOOLS).join('|'),
    },
  ],
  fields: COMMON_FIELDS,
  answers: NESTED_ANSWERS,
  // It keeps 2,500 tokens and counts four bytes for each.
  contextLimit: { characters: Number.POSITIVE_INFINITY, bytes: 9_800 },
  subagentTools: [],
  fileTools: FILE_TOOLS,
  taskFollowsStart: true,
};

const HOOK_LIST_ID = 2;
const TRUSTED = new Set(['trusted', 'managed']);

/** Its app server lists the hooks and says which of them are trusted. */
const HOOK_TRUST: HookTrustQuestion = {
  args: ['app-server'],
  messages: (cwd) => [
    { id: 1, method: 'initialize', params: { clientInfo: { name: 'loadout', version: '1' } } },
    { method: 'initialized' },
    { id: HOOK_LIST_ID, method: 'hooks/list', params: { cwds: [cwd] } },
  ],
  read: readHookList,
  advice: {
    trust: 'start codex here and choose "Trust all and continue", or trust them under /hooks',
    find: 'start codex here and trust this folder',
    switchOn: 'see /hooks in codex',
  },
};

const INSTALL: AgentInstall = {
  targets: ({ base, scope, home, env }, launch, tools) => {
    const isProject = scope === 'project';
    const folder = isProject ? join(base, '.codex') : env.CODEX_HOME || join(home, '.codex');
    const hooks = wantedHooks(HOOKS, isProject ? [] : tools);
    return [
      jsonTarget(join(folder, 'hooks.json'), 'hooks', hookEntries(hooks, launch, { id: ID, hooks: HOOKS })),
      {
        kind: 'toml',
        path: join(folder, 'config.toml'),
        what: 'MCP server',
        owner: ID,
        table: `mcp_servers.${SERVER_NAME}`,
        lines: [
          `command = ${JSON.stringify(launch.program)}`,
          `args = ${JSON.stringify([...launch.args, 'mcp'])}`,
          'startup_timeout_sec = 20',
          'tool_timeout_sec = 120',
        ],
      },
      skillTarget(join(base, '.agents/skills')),
    ];
  },
  userFolder: (home, env) => env.CODEX_HOME || join(home, '.codex'),
  withoutLoadout: 'nothing with codex exec',
  nextSteps: [
    'Codex silently skips hooks until you trust them: start codex here once, trust the folder, and choose',
    '"Trust all and continue" (or trust them under /hooks). Do so again after an update of these files.',
  ],
  refusesToolsIn: ['user'],
  hookTrust: HOOK_TRUST,
};

/** The hooks of its plugin. */
export const codexHooks = (launch: LaunchCommand) => hooksByName(launch, { id: ID, hooks: HOOKS });

/** Codex of OpenAI. */
export const codex = {
  id: ID,
  name: 'Codex',
  program: 'codex',
  worker: WORKER,
  hooks: HOOKS,
  install: INSTALL,
  // It keeps 12,000 tokens and counts four bytes for each.
  mcp: { announcedAs: 'codex', resultLimit: { bytes: 46_000 } },
  settingsFolder: '.codex',
} as const satisfies AgentClient;

/** Its service refuses any other form of schema. Then only the prompt asks for the form of the answer. */
function schemaArguments({ schema, schemaFile }: AgentStart): readonly string[] {
  const isUsable = schemaFile !== null && schema !== null && isStrictSchema(schema);
  return isUsable ? ['--output-schema', schemaFile] : [];
}

/** Reads its events: the last message of the agent is the answer. */
function readCodex(output: AgentOutput): AgentAnswer {
  const events = readJsonEvents(output.stdout);
  const items = events.filter((event) => event.type === 'item.completed').map((event) => record(event.item));
  // Earlier messages are remarks between tool calls.
  const answer = text(items.findLast((item) => item.type === 'agent_message')?.text);
  const structured = parseJson(answer);
  const completed = events.findLast((event) => event.type === 'turn.completed');
  const usage = record(completed?.usage);
  return finishAnswer(
    {
      text: answer,
      // A schema makes the whole message JSON; a message that only holds some is text.
      structured: isRecord(structured) ? structured : undefined,
      sessionId: textOrNull(events.find((event) => event.type === 'thread.started')?.thread_id),
      usage: completed
        ? {
            inputTokens: count(usage.input_tokens),
            cachedInputTokens: count(usage.cached_input_tokens),
            outputTokens: count(usage.output_tokens),
          }
        : null,
      error: failureOf(events, output),
      // An item of the type "error" is a remark about the set-up; the turn continues.
      warnings: [...new Set(items.filter((item) => item.type === 'error').map((item) => text(item.message)))],
    },
    output,
  );
}

function failureOf(events: readonly JsonRecord[], output: AgentOutput): AgentFailure | null {
  // A top-level "error" is also how a retry is reported, so only the end of the turn decides.
  const end = events.findLast((event) => event.type === 'turn.failed' || event.type === 'turn.completed');
  if (end?.type === 'turn.failed') return agentFailure(text(record(end.error).message));
  if (end) return null;
  if (/not inside a trusted directory/i.test(output.stderr)) {
    return failureOfKind('untrusted-folder', output.stderr);
  }
  if (output.signal !== null || output.exitCode !== 0) {
    const last = events.findLast((event) => event.type === 'error');
    return last && output.signal === null ? agentFailure(text(last.message)) : failureOfExit(output);
  }
  return failureOfKind('empty', 'ended before the turn was complete');
}

interface ListedHook {
  readonly command?: string | null;
  readonly enabled?: boolean;
  readonly trustStatus?: string;
}
interface HookList {
  readonly id?: number;
  readonly error?: { readonly message?: string };
  readonly result?: { readonly data?: readonly { readonly hooks?: readonly ListedHook[] }[] };
}

/** Reads the answer of the app server. */
function readHookList(message: unknown): HookTrust | null {
  const { id, error, result } = message as HookList;
  if (id !== HOOK_LIST_ID) return null;
  if (error || !result?.data) return { problem: error?.message ?? 'it does not list hooks' };
  const hooks = result.data.flatMap((folder) => folder.hooks ?? []);
  const ours = hooks.filter(({ command }) =>
    /\bloadout\b.* hook [\w-]+ --client codex\b/.test(command ?? ''),
  );
  return {
    found: ours.length,
    untrusted: ours.filter(({ trustStatus }) => !TRUSTED.has(trustStatus ?? '')).length,
    off: ours.filter(({ enabled }) => enabled === false).length,
  };
}

/**
 * The schema in the only form that OpenAI's structured output accepts: every property is required, no others are allowed, no
 * defaults. Null when this form cannot express the answer.
 */
export function strictSchema(schema: JsonSchemaObject): JsonSchemaObject | null {
  // An answer that may have more fields than the schema declares cannot be expressed.
  if (schema.additionalProperties === true) return null;
  try {
    return strict(schema) as JsonSchemaObject;
  } catch (error) {
    if (error instanceof NotExpressible) return null;
    throw error;
  }
}

/** Whether a schema has this form already. */
export function isStrictSchema(schema: JsonSchemaObject): boolean {
  return JSON.stringify(strictSchema(schema)) === JSON.stringify(schema);
}

/** Thrown for an object whose properties are not known. */
class NotExpressible extends Error {}

function strict(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(strict);
  if (!isRecord(node)) return node;
  const { default: _default, ...rest } = node;
  if (node.type !== 'object') return strictParts(rest);
  const properties = record(node.properties);
  const names = Object.keys(properties);
  if (names.length === 0) throw new NotExpressible();
  return {
    ...rest,
    properties: Object.fromEntries(names.map((name) => [name, strict(properties[name])])),
    required: names,
    additionalProperties: false,
  };
}

/** Only these keys hold schemas. The values of other keys, such as `enum`, are data. */
function strictParts(node: JsonSchemaObject): JsonSchemaObject {
  const parts = ['items', 'anyOf'].filter((word) => word in node);
  return { ...node, ...Object.fromEntries(parts.map((word) => [word, strict(node[word])])) };
}
