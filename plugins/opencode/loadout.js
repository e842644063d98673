// Written by "loadout init opencode"; "loadout init opencode --remove" takes it away.
import { spawn } from 'node:child_process';

const [PROGRAM, ...ARGS] = ["loadout"];
const REFUSED = [];
const FILE_TOOLS = ["read","edit","multiedit","write","patch","apply_patch"];
const LIMIT_MS = 15000;
const MARK = '<context-pack source="loadout">';

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
  new RegExp(`^${tool.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`, 'i');
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
      const prompt = texts.map((part) => part.text).join('\n');
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
      texts[0].text = [...context, texts[0].text].join('\n\n');
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
