import { MARK_START } from '../../session/pack-marks.ts';
import type { LaunchCommand } from './set-up-target.ts';

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
