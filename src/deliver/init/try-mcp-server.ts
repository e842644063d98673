import { spawn } from 'node:child_process';
import type { LaunchCommand } from './set-up-target.ts';

export type McpTrial = { readonly tools: readonly string[] } | { readonly problem: string };

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'doctor', version: '1' } },
};
const READY = { jsonrpc: '2.0', method: 'notifications/initialized' };
const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

/** Starts the server as a client would, asks for its tools and ends it. */
export function tryMcpServer(
  { program, args }: LaunchCommand,
  cwd: string,
  timeoutMs: number,
): Promise<McpTrial> {
  return new Promise((resolve) => {
    const child = spawn(program, [...args, 'mcp'], {
      cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let out = '';
    let said = '';
    const end = (trial: McpTrial) => {
      clearTimeout(timer);
      child.kill();
      resolve(trial);
    };
    const timer = setTimeout(() => end({ problem: `no answer within ${timeoutMs} ms` }), timeoutMs);
    child.on('error', (error) => end({ problem: error.message }));
    child.on('exit', (code) => end({ problem: `it ended with code ${code}: ${said.trim().slice(0, 300)}` }));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text.slice(0, 1_000);
    });
    child.stdin.on('error', () => {});
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      const tools = out.includes('\n') ? toolsIn(out) : null;
      if (tools) end({ tools });
    });
    child.stdin.write([INITIALIZE, READY, LIST].map((message) => `${JSON.stringify(message)}\n`).join(''));
  });
}

function toolsIn(text: string): readonly string[] | null {
  for (const line of text.split('\n').slice(0, -1)) {
    try {
      const { id, result } = JSON.parse(line) as { id?: number; result?: { tools?: { name: string }[] } };
      if (id === LIST.id && result?.tools) return result.tools.map(({ name }) => name);
    } catch {
      // not ours to read
    }
  }
  return null;
}
