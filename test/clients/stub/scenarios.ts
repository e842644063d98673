import { endsWithToolResult, lastUserText, type ModelRequest, type Reply, type ToolCall } from './reply.ts';

export type Scenario = (request: ModelRequest) => Reply;

export const RIGHT_ANSWER = 'Here is what I found.\n\n```json\n{"status":"ok","findings":["a"]}\n```\n';
export const WRONG_ANSWER = 'Here is what I found.\n\n```json\n{"status":7}\n```\n';
export const CUT_ANSWER = 'Here is what I found.\n\n```json\n{"status":"ok","findings":["a';
export const STRUCTURED_VALUE = { status: 'ok', findings: ['a'] };
/** A prompt that holds this word gets the right answer in the scenario `wrong-then-right`. */
export const FEEDBACK_WORD = 'FEEDBACK';
export const SUBAGENT_REPORT = 'REPORT-OF-A-SUBAGENT';
export const WRITTEN_FILE = { name: 'written-by-the-model.txt', content: 'written\n' };

const right: Reply = { kind: 'text', text: RIGHT_ANSWER };

const SHELL_TOOLS = ['Bash', 'exec_command', 'shell_command', 'run_shell_command', 'bash'];

const LOOK: ToolCall = {
  names: ['Glob', 'Read', 'list_directory', ...SHELL_TOOLS],
  input: (name) => {
    if (name === 'Glob') return { pattern: '*' };
    if (name === 'Read') return { file_path: 'seen-by-the-tool.txt' };
    return name === 'list_directory' ? { dir_path: '.' } : shellInput(name, 'ls');
  },
};

const SHELL: ToolCall = {
  names: SHELL_TOOLS,
  input: (name) => shellInput(name, 'echo ran > shell-ran.txt'),
};

const WRITE_FILE: ToolCall = {
  names: ['Write', 'write_file', 'write', 'create', ...SHELL_TOOLS],
  input: (name) =>
    /write/i.test(name) || name === 'create'
      ? writeInput(name)
      : shellInput(name, `printf 'written\\n' > ${WRITTEN_FILE.name}`),
};

const subagent = (task: string): ToolCall => startAgent(`${task}: look and report`, task);

/** Starts a subagent by the way of whichever client asks. */
export function startAgent(prompt: string, description: string): ToolCall {
  return {
    names: ['Agent', 'Task', /spawn_agent$/, 'invoke_agent'],
    input: (name) => {
      if (name.endsWith('spawn_agent')) return { message: prompt };
      if (name === 'invoke_agent') return { agent_name: 'generalist', prompt };
      return { description, prompt, subagent_type: 'general-purpose' };
    },
  };
}

/** Calls tools first and gives the right answer once their results are there. */
function afterTools(...calls: readonly ToolCall[]): Scenario {
  return (request) => (endsWithToolResult(request) ? right : { kind: 'tools', text: 'Let me look.', calls });
}

function withSubagents(...tasks: readonly string[]): Scenario {
  // A subagent in the background ends in a turn of its own, which must not start another one.
  const parent: Scenario = (request) =>
    request.messages.some(({ role }) => role === 'tool')
      ? right
      : { kind: 'tools', text: 'Let me delegate.', calls: tasks.map(subagent) };
  return (request) => {
    const isSubagent = tasks.some((task) => request.messages[0]?.text.includes(`${task}: look and report`));
    return isSubagent ? { kind: 'text', text: SUBAGENT_REPORT } : parent(request);
  };
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
  subagent: withSubagents('SUBTASK-A'),
  'parallel-subagents': withSubagents('SUBTASK-A', 'SUBTASK-B'),
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

function writeInput(tool: string): Readonly<Record<string, unknown>> {
  const { name, content } = WRITTEN_FILE;
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
