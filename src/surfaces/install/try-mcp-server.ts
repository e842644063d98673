import type { Environment } from '../../platform/environment.ts';
import { askProgram } from './ask-program.ts';
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
  env: Environment,
  timeoutMs: number,
): Promise<McpTrial> {
  const messages = [INITIALIZE, READY, LIST];
  return askProgram<McpTrial>(program, [...args, 'mcp'], { cwd, env, messages, timeoutMs, read: toolsIn });
}

function toolsIn(message: unknown): McpTrial | null {
  const { id, result } = message as { id?: number; result?: { tools?: { name: string }[] } };
  return id === LIST.id && result?.tools ? { tools: result.tools.map(({ name }) => name) } : null;
}
