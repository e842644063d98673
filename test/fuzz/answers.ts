import { WORKER_NAMES, type WorkerName, workerOf } from '../../src/agents/table.ts';
import { planOutput } from '../../src/context/answers/answer-schemas.ts';
import {
  parseNative,
  parseNativeText,
  parseRoleOutput,
  parseWorkerOutput,
} from '../../src/context/answers/parse-worker-output.ts';
import { loopAnswer } from '../../src/workers/loop/loop-files.ts';
import { readTree } from '../../src/workers/loop/read-task-tree.ts';
import { parseEvents } from '../../src/workers/run-log.ts';
import { fuzzClass, orError } from './fuzz-class.ts';
import { type Grammar, mutate, mutateJson } from './mutate.ts';
import type { Random } from './random.ts';

const NAMES = WORKER_NAMES;
const ROLES = [
  { name: 'planner' },
  { name: 'implementer' },
  { name: 'reviewer' },
  { name: 'mine', baseRole: 'implementer' },
  { name: 'free' },
];

const ANSWERS: readonly unknown[] = [
  { status: 'SUCCESS', action_taken: 'done', files_modified: ['src/a.ts'], blockers: [], next_step: null },
  {
    status: 'COMPLETE',
    phases: [{ name: 'one', files: ['a'] }],
    estimated_components: 2,
    risks: ['r'],
    next_step: 'go',
  },
  {
    status: 'REJECTED',
    review_status: 'REJECTED',
    issues: [{ severity: 'high', file: '../canary.ts', line: 3, description: 'wrong', suggestion: null }],
    suggestions: [],
  },
  { status: 'done', summary: 'all of it' },
  {
    id: 'root',
    order: 1,
    title: 'Root',
    goal: 'g',
    acceptance: ['it works'],
    passes: false,
    attempts: 0,
    max_attempts: 3,
    children: [
      {
        id: 'a',
        order: 2,
        title: 'A',
        goal: 'g',
        acceptance: [],
        role: 'tester',
        passes: true,
        attempts: 1,
        max_attempts: 3,
        children: [],
      },
    ],
  },
];
const WORDS = [
  ...[
    '```json',
    '```',
    '~~~json',
    '````',
    '    ```json',
    'text ```json {',
    '"status":',
    'SUCCESS',
    '{}',
    '[]',
    'null',
  ],
  ...[
    '"type":"result"',
    '"is_error":true',
    '"response":',
    '{"type":"error"}',
    '\\"',
    '/*',
    '//',
    "'",
    ',}',
    'NaN',
  ],
];
const BRACKETS: Grammar['brackets'] = [
  ['[', ']'],
  ['{"a":', '}'],
  ['```json\n', '\n```'],
  ['    ```\n', '\n    ```\n'],
];

/** As each CLI prints an answer. */
function printed(agent: WorkerName, text: string, structured: unknown): string {
  const lines: Readonly<Record<WorkerName, readonly unknown[]>> = {
    claude: [
      {
        type: 'result',
        subtype: 'success',
        is_error: false,
        num_turns: 2,
        result: text,
        structured_output: structured,
        session_id: 's1',
        total_cost_usd: 0.1,
        usage: { input_tokens: 3, output_tokens: 4, cache_read_input_tokens: 1 },
        permission_denials: [{ tool_name: 'Bash' }],
      },
    ],
    qwen: [
      { type: 'result', subtype: 'success', is_error: false, num_turns: 1, result: text, session_id: 's' },
    ],
    codex: [
      { type: 'thread.started', thread_id: 't' },
      { type: 'item.completed', item: { type: 'agent_message', text } },
      { type: 'turn.completed', usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 2 } },
    ],
    gemini: [
      { session_id: 's', response: text, stats: { models: { m: { tokens: { prompt: 1, candidates: 2 } } } } },
    ],
    opencode: [
      { type: 'text', sessionID: 's', part: { messageID: 'm', text } },
      {
        type: 'step_finish',
        part: { reason: 'stop', cost: 0.1, tokens: { input: 1, output: 2, cache: { read: 1 } } },
      },
    ],
    copilot: [
      { type: 'assistant.message', data: { content: text } },
      { type: 'result', exitCode: 0, sessionId: 's' },
    ],
  };
  return `${lines[agent].map((line) => JSON.stringify(line)).join('\n')}\n`;
}

function answerText(random: Random): Buffer {
  const answer = random.pick(ANSWERS);
  const json = JSON.stringify(
    random.chance(0.5) ? mutateJson(random, answer, WORDS) : answer,
    null,
    random.below(3),
  );
  const examples = [
    `I did it.\n\n\`\`\`json\n${json}\n\`\`\`\n`,
    `\`\`\`ts\nconst a = 1;\n\`\`\`\nThen:\n~~~json\n${json}\n~~~\nand\n\`\`\`json\n${json}\n\`\`\``,
    `Answer: \`\`\`json ${json} \`\`\`\n`,
    `- item\n\n    \`\`\`json\n    ${json}\n    \`\`\`\n`,
    json,
  ];
  return mutate(random, { examples, words: WORDS, brackets: BRACKETS });
}

/** A line that names a CLI, a role and how the CLI ended, then what it printed. */
export const answers = fuzzClass({
  setUp: async () => null,
  generate: (random) => {
    const agent = random.pick(NAMES);
    const answer = answerText(random);
    const structured = random.chance(0.3) ? mutateJson(random, random.pick(ANSWERS), WORDS) : undefined;
    const whole = printed(agent, answer.toString('utf8'), structured);
    const output = random.chance(0.5)
      ? Buffer.from(whole)
      : mutate(random, { examples: [whole], words: WORDS, brackets: BRACKETS });
    const exit = random.pick(['0', '0', '0', '1', '41', '130', 'SIGKILL']);
    const head = `${agent} ${random.below(ROLES.length)} ${exit}\n`;
    return Buffer.concat([Buffer.from(head), random.chance(0.3) ? answer : output]);
  },
  run(_, input) {
    const head = input.subarray(0, input.indexOf(10)).toString('utf8').split(' ');
    const body = input.subarray(input.indexOf(10) + 1);
    const printedText = body.toString('utf8');
    const [agent, role, exit] = [workerOf(head[0] as WorkerName), ROLES[Number(head[1])]!, head[2]!];
    const ended = exit.startsWith('SIG')
      ? { exitCode: null, signal: exit }
      : { exitCode: Number(exit), signal: null };
    const read = [
      agent.read({ stdout: printedText, stderr: '', ...ended }),
      agent.read({ stdout: '', stderr: printedText, ...ended }),
    ];
    const texts = [printedText, ...read.map(({ text }) => text)];
    const shown: unknown[] = [...read, parseEvents(body), readTree(printedText, 'tree.json')];
    for (const text of texts) {
      shown.push(orError(() => parseRoleOutput(role, text)));
      shown.push(orError(() => parseWorkerOutput(text, loopAnswer)));
      shown.push(orError(() => parseNativeText(text, planOutput)));
    }
    for (const { structured } of read) shown.push(orError(() => parseNative(structured, planOutput)));
    return showAll(shown);
  },
});

/** Data of a CLI can be nested deeper than JSON can be written; then it is not checked further. */
function showAll(values: readonly unknown[]): string {
  return values
    .map((value) => {
      try {
        return JSON.stringify(value);
      } catch {
        return '';
      }
    })
    .join('\n');
}
