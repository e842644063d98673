// Qwen Code.

import { join } from 'node:path';
import { MARK_END, MARK_START } from '../model/context-pack.ts';
import type { AgentClient, AgentInstall } from './agent-client.ts';
import { type AgentStart, type AgentWorker, option, WORKER_ENVIRONMENT } from './agent-worker.ts';
import { editsFile, type FileTool, readsFile, writesFile } from './file-tools.ts';
import { type AgentHooks, COMMON_FIELDS, NESTED_ANSWERS, NO_LIMIT } from './hook-dialect.ts';
import {
  AGENT_DESCRIPTION,
  AGENT_NAME,
  agentTarget,
  agentText,
  hookEntries,
  jsonTarget,
  mcpEntry,
  SERVER_NAME,
  SERVER_TOOLS,
  skillTarget,
  wantedHooks,
} from './install-parts.ts';
import { readClaudeLike } from './read-claude-like.ts';

const ID = 'qwen';

const APPROVAL: Readonly<Record<AgentStart['permissions'], string>> = {
  // Its mode "plan" also makes the model wait for approval. Without a terminal to ask on, this mode only reads.
  'read-only': 'default',
  edit: 'auto-edit',
  full: 'yolo',
};

const WORKER: AgentWorker = {
  installLine: 'npm install -g @qwen-code/qwen-code',
  versionArgs: ['--version'],
  canResume: true,
  hasNativeSchema: 'argument',
  environmentFiles: ['.qwen/.env', '.env'],
  fillsBlanks: true,
  // Its safe mode still uses models, proxies and variables of this file.
  obeyedFiles: [{ path: '.qwen/settings.json' }],
  start: (options) => ({
    command: 'qwen',
    args: [
      '-o',
      'json',
      // Turns hooks, extensions and servers off, the user's and the repository's.
      '--safe-mode',
      '--approval-mode',
      APPROVAL[options.permissions],
      ...option('--model', 'model', options.model),
      ...(options.schema === null ? [] : ['--json-schema', JSON.stringify(options.schema)]),
      ...option('--resume', 'session', options.resume),
      ...options.flags,
    ],
    env: WORKER_ENVIRONMENT,
  }),
  read: (output) => readClaudeLike(output, { inputTokensIncludeCached: true }),
};

/** It counts the lines that come before, not the first line. */
const readsAfterOffset: FileTool = ({ input, response }) => {
  const { offset } = input;
  return readsFile({
    input: typeof offset === 'number' ? { ...input, offset: offset + 1 } : input,
    response,
  });
};

const FILE_TOOLS = { read_file: readsAfterOffset, edit: editsFile, write_file: writesFile };

const ESCAPE_NOTE =
  'Qwen Code writes angle brackets in this text as &lt; and &gt;; the files have the brackets.';

const HOOKS: AgentHooks = {
  // It has an event for the start of a subagent, but the text that a hook adds there reaches no model. The input of a tool
  // cannot be changed either, so subagents get nothing from hooks.
  events: [
    { event: 'session-start', name: 'SessionStart', seconds: 15 },
    { event: 'user-prompt-submit', name: 'UserPromptSubmit', seconds: 15 },
    { event: 'pre-tool-use', name: 'PreToolUse', seconds: 20, tools: [] },
    {
      ...{ event: 'post-tool-use', name: 'PostToolUse', seconds: 10, isAsync: true },
      matcher: Object.keys(FILE_TOOLS).join('|'),
    },
  ],
  fields: COMMON_FIELDS,
  answers: {
    ...NESTED_ANSWERS,
    context: (event, text) => NESTED_ANSWERS.context(event, withEscapeNote(text)),
  },
  contextLimit: NO_LIMIT,
  addedCharacters: ESCAPE_NOTE.length + 1,
  subagentTools: [],
  fileTools: FILE_TOOLS,
  // It adds empty lines to a prompt from standard input.
  cleanPrompt: (prompt) => prompt.trimEnd(),
};

/** It escapes `<` and `>` in the text of hooks, and nothing else. A text with such code says so in its first line. */
function withEscapeNote(text: string): string {
  const said = text.replaceAll(MARK_START, '').replaceAll(MARK_END, '');
  return /[<>]/.test(said) ? text.replace(MARK_START, `${MARK_START}\n${ESCAPE_NOTE}`) : text;
}

/** It writes the version of its settings into each of its files when it starts. */
const CLIENT_KEYS = ['$version'];

const INSTALL: AgentInstall = {
  targets: ({ base, scope, home, env }, launch, tools) => {
    const isProject = scope === 'project';
    const folder = isProject ? join(base, '.qwen') : env.QWEN_HOME || join(home, '.qwen');
    const hooks = wantedHooks(HOOKS, isProject ? [] : tools);
    const entries = [
      ...hookEntries(hooks, launch, { id: ID, hooks: HOOKS }),
      // Otherwise the model has to search for a tool before it sees it.
      mcpEntry(launch, { alwaysLoadTools: true }),
    ];
    return [
      jsonTarget(join(folder, 'settings.json'), 'hooks, MCP server', entries, CLIENT_KEYS),
      agentTarget(join(folder, `agents/${AGENT_NAME}.md`), qwenAgent()),
      skillTarget(join(folder, 'skills')),
    ];
  },
  userFolder: (home, env) => env.QWEN_HOME || join(home, '.qwen'),
  withoutLoadout: '"MCP server(s) failed to start: loadout" at the start',
  nextSteps: ['Qwen Code asks once whether it may use the MCP server of this repository.'],
  refusesToolsIn: ['user'],
};

/** The file of the read-only agent. */
export function qwenAgent(): string {
  const own = ['read_file', 'glob', 'grep_search'];
  const tools = [...own, ...SERVER_TOOLS.map((tool) => `mcp__${SERVER_NAME}__${tool}`)];
  const list = `\n${tools.map((tool) => `  - ${tool}`).join('\n')}`;
  return agentText({ name: AGENT_NAME, description: AGENT_DESCRIPTION, tools: list });
}

/** Qwen Code, made from Gemini CLI with the output and the hooks of Claude Code. */
export const qwen = {
  id: ID,
  name: 'Qwen Code',
  program: 'qwen',
  worker: WORKER,
  hooks: HOOKS,
  install: INSTALL,
  // It keeps 25,000 characters and 1,000 lines.
  mcp: { announcedAs: 'qwen-cli', resultLimit: { bytes: 24_500, lines: 950 } },
  conventionFiles: ['QWEN.md'],
  settingsFolder: '.qwen',
} as const satisfies AgentClient;
