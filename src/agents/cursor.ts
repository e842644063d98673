// Cursor.

import { join } from 'node:path';
import type { AgentClient, AgentInstall } from './agent-client.ts';
import { fileTarget, jsonTarget, mcpEntry, SKILL_DESCRIPTION, skillText } from './install-parts.ts';

const INSTALL: AgentInstall = {
  targets: ({ base, scope }, launch) => [
    jsonTarget(join(base, '.cursor/mcp.json'), 'MCP server', [mcpEntry(launch)]),
    // The rules of a user are not files.
    ...(scope === 'project'
      ? [fileTarget(join(base, '.cursor/rules/loadout.mdc'), 'rule', cursorRule())]
      : []),
  ],
  userFolder: (home) => join(home, '.cursor'),
  withoutLoadout: 'not tried, because Cursor cannot be run without a window',
  nextSteps: ['Switch the server on in the settings of Cursor, under MCP.'],
  refusesToolsIn: [],
};

/** The rule that tells its agent about Loadout. */
export function cursorRule(): string {
  return skillText({ description: SKILL_DESCRIPTION, alwaysApply: 'true' });
}

/** The editor Cursor. Loadout only sets it up: it has no hooks for context, and its agent is not started as a worker. */
export const cursor = {
  id: 'cursor',
  name: 'Cursor',
  program: 'cursor-agent',
  install: INSTALL,
  settingsFolder: '.cursor',
} as const satisfies AgentClient;
