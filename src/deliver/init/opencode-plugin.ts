import type { LaunchCommand } from './set-up-target.ts';

/** OpenCode has no hooks that are programs: a small plugin calls ours, and goes on without it when it fails. */
export function openCodePlugin({ program, args }: LaunchCommand): string {
  const command = JSON.stringify([program, ...args]);
  return `// Written by "loadout init opencode"; "loadout init opencode --remove" takes it away.
import { spawn } from 'node:child_process';

const [PROGRAM, ...ARGS] = ${command};
const LIMIT_MS = 15000;

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

export const Loadout = async ({ directory }) => ({
  'chat.message': async (input, output) => {
    const texts = output.parts.filter((part) => part.type === 'text' && !part.synthetic);
    const prompt = texts.map((part) => part.text).join('\\n');
    if (prompt === '') return;
    const { additionalContext } = await ask(
      'user-prompt-submit',
      { sessionID: input.sessionID, agent: input.agent, prompt },
      directory,
    );
    if (additionalContext) texts[0].text = \`\${additionalContext}\\n\\n\${texts[0].text}\`;
  },
  'tool.execute.before': async (input, output) => {
    if (input.tool !== 'task') return;
    const { toolInput } = await ask(
      'pre-tool-use',
      { sessionID: input.sessionID, tool: input.tool, callID: input.callID, args: output.args },
      directory,
    );
    if (toolInput) Object.assign(output.args, toolInput);
  },
});
`;
}
