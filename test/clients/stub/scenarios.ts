import {
  allText,
  endsWithToolResult,
  lastUserText,
  type ModelRequest,
  type Reply,
  type ToolCall,
} from './reply.ts';

export type Scenario = (request: ModelRequest) => Reply;

export const RIGHT_ANSWER = 'Here is what I found.\n\n```json\n{"status":"ok","findings":["a"]}\n```\n';
export const WRONG_ANSWER = 'Here is what I found.\n\n```json\n{"status":7}\n```\n';
export const CUT_ANSWER = 'Here is what I found.\n\n```json\n{"status":"ok","findings":["a';
export const STRUCTURED_VALUE = { status: 'ok', findings: ['a'] };
/** A prompt that holds this word gets the right answer in the scenario `wrong-then-right`. */
export const FEEDBACK_WORD = 'FEEDBACK';
export const SUBAGENT_REPORT = 'REPORT-OF-A-SUBAGENT';
export const WRITTEN_FILE = { name: 'written-by-the-model.txt', content: 'written\n' };

const right = { kind: 'text', text: RIGHT_ANSWER } as const satisfies Reply;

const SHELL_TOOLS = ['Bash', 'exec_command', 'shell_command', 'run_shell_command', 'bash'];

const LOOK: ToolCall = {
  names: ['Glob', 'Read', 'list_directory', 'read', 'glob', ...SHELL_TOOLS],
  input: (name) => {
    if (/^glob$/i.test(name)) return { pattern: '*' };
    if (name === 'Read') return { file_path: 'seen-by-the-tool.txt' };
    // its other tools would fetch a program first
    if (name === 'read') return { filePath: 'seen-by-the-tool.txt' };
    return name === 'list_directory' ? { dir_path: '.' } : shellInput(name, 'ls');
  },
};

const SHELL: ToolCall = {
  names: SHELL_TOOLS,
  input: (name) => shellInput(name, 'echo ran > shell-ran.txt'),
};

const WRITE_FILE = writeFile(WRITTEN_FILE.name, WRITTEN_FILE.content);

/** Writes a new file in the form of the client that asks; the content is quoted for a shell. */
export function writeFile(name: string, content: string): ToolCall {
  return {
    names: ['Write', 'write_file', 'write', 'create', ...SHELL_TOOLS],
    input: (tool, request) =>
      /write/i.test(tool) || tool === 'create'
        ? writeInput(tool, `${folderOf(request)}${name}`, content)
        : shellInput(tool, `printf '%s' '${content}' > ${name}`),
  };
}

/** Calls tools first and gives the right answer once their results are there. */
function afterTools(...calls: readonly ToolCall[]): Scenario {
  return (request) => (endsWithToolResult(request) ? right : { kind: 'tools', text: 'Let me look.', calls });
}

/** Reads some lines of a file by the way of whichever client asks, and gives the right answer. */
export function reading(path: string, first: number, last: number): Scenario {
  const lines = { offset: first, limit: last - first + 1 };
  const read: ToolCall = {
    names: ['Read', 'read_file', 'view', 'read', ...SHELL_TOOLS],
    input: (name, request) => {
      const whole = name === 'view' ? `${folderOf(request)}${path}` : path;
      if (name === 'Read') return { file_path: path, ...lines };
      if (name === 'read') return { filePath: path, ...lines };
      if (name === 'view') return { path: whole, view_range: [first, last] };
      if (name === 'read_file' && folderOf(request) !== '')
        return { file_path: `${folderOf(request)}${path}`, offset: first - 1, limit: last - first + 1 };
      if (name === 'read_file') return { file_path: path, start_line: first, end_line: last };
      return shellInput(name, `sed -n '${first},${last}p' ${path}`);
    },
  };
  return (request) =>
    endsWithToolResult(request)
      ? // Hooks that a client does not wait for end with it, and a real model takes its time.
        { ...right, afterMs: 4_000 }
      : { kind: 'tools', text: 'Let me look.', calls: [read] };
}

/** Starts a subagent for each of these prompts, waits where a client has a tool for it, and gives the right answer. */
export function delegating(...prompts: readonly string[]): Scenario {
  return (request) => {
    const isSubagent = request.messages.some(
      ({ role, text }) => role === 'user' && prompts.some((prompt) => isTask(text, prompt)),
    );
    if (isSubagent) return subagentReport(request);
    const results = request.messages.filter(({ role }) => role === 'tool').map(({ text }) => text);
    // A subagent in the background ends in a turn of its own, which must not start another one.
    if (results.length === 0)
      return { kind: 'tools', text: 'Let me delegate.', calls: prompts.map(startAgent) };
    const waitsFor = unfinishedAgents(results);
    if (waitsFor.length === 0) return right;
    const wait: ToolCall = {
      names: [/wait_agent$/],
      input: () => ({ targets: waitsFor, timeout_ms: 30_000 }),
    };
    return { kind: 'tools', text: 'Let me wait.', calls: [wait] };
  };
}

/** Whether a message gives this task. Clients put text before it, and Copilot puts the text of hooks after it. */
export function isTask(text: string, task: string): boolean {
  return text
    .replace(/<system_reminder>[\s\S]*$/, '')
    .trimEnd()
    .endsWith(task);
}

/** In the form of the client that asks. */
function startAgent(prompt: string): ToolCall {
  const description = prompt.split(/\s+/).slice(0, 3).join(' ');
  return {
    names: ['Agent', 'Task', /spawn_agent$/, 'invoke_agent', 'task', 'agent'],
    input: (name) => {
      if (name.endsWith('spawn_agent')) return { message: prompt };
      if (name === 'invoke_agent') return { agent_name: 'generalist', prompt };
      // Two clients have a tool of this name, each with words of its own.
      if (name === 'task')
        return {
          ...{ description, prompt, subagent_type: 'general' },
          ...{ name: 'helper', agent_type: 'general-purpose', mode: 'sync' },
        };
      return { description, prompt, subagent_type: 'general-purpose' };
    },
  };
}

function subagentReport({ toolNames }: ModelRequest): Reply {
  if (!toolNames.includes('complete_task')) return { kind: 'text', text: SUBAGENT_REPORT };
  const input = () => ({ result: { response: SUBAGENT_REPORT } });
  return { kind: 'tools', calls: [{ names: ['complete_task'], input }] };
}

/** Codex gives the id of an agent when it starts and tells of its end under the same id. */
function unfinishedAgents(results: readonly string[]): readonly string[] {
  const ids = results.flatMap((text) => /"agent_id":\s*"([^"]+)"/.exec(text)?.[1] ?? []);
  const finished = results.filter((text) => text.includes('"completed"')).join('\n');
  return ids.filter((id) => !finished.includes(id));
}

const fails =
  (status: number, message: string): Scenario =>
  () => ({ kind: 'error', status, message });

export const SCENARIOS = {
  plain: () => right,
  tool: afterTools(LOOK),
  shell: afterTools(SHELL),
  'write-file': afterTools(WRITE_FILE),
  mcp: afterTools({ names: [/^mcp_/], input: () => ({}) }),
  subagent: delegating('SUBTASK-A: look and report'),
  'parallel-subagents': delegating('SUBTASK-A: look and report', 'SUBTASK-B: look and report'),
  structured: (request) => (request.wantsStructure ? { kind: 'structured', value: STRUCTURED_VALUE } : right),
  'wrong-then-right': (request) =>
    lastUserText(request).includes(FEEDBACK_WORD) ? right : { kind: 'text', text: WRONG_ANSWER },
  'cut-off': () => ({ kind: 'text', text: CUT_ANSWER, cutOff: true }),
  broken: () => ({ kind: 'broken' }),
  hang: () => ({ kind: 'hang' }),
  400: fails(400, 'the request is bad'),
  401: fails(401, 'Incorrect API key provided'),
  429: fails(429, 'Rate limit reached'),
  529: fails(529, 'Overloaded'),
} as const satisfies Readonly<Record<string, Scenario>>;

export type ScenarioName = `${keyof typeof SCENARIOS}`;

/** Qwen takes only whole paths, and says in its first message where it works. */
function folderOf(request: ModelRequest): string {
  const [, folder] = /I'm currently working in the directory: (\/\S+)/.exec(allText(request)) ?? [];
  return folder && request.protocol === 'openai-chat' ? `${folder}/` : '';
}

function writeInput(tool: string, name: string, content: string): Readonly<Record<string, unknown>> {
  if (tool === 'write') return { filePath: name, content };
  return tool === 'create' ? { path: name, file_text: content } : { file_path: name, content };
}

/** Claude refuses a call with a word too many. */
function shellInput(tool: string, command: string): Readonly<Record<string, unknown>> {
  if (tool === 'exec_command') return { cmd: command };
  if (tool === 'shell_command') return { command };
  if (tool === 'run_shell_command') return { command, description: 'a command', is_background: false };
  return { command, description: 'a command' };
}
