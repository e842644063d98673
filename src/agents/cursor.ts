import { join } from 'node:path';
import type { AgentClient, AgentInstall } from './agent-client.ts';
import { fileTarget, jsonTarget, mcpEntry, SKILL_DESCRIPTION, skillText } from './install-parts.ts';

const INSTALL: AgentInstall = {
  targets: ({ base, scope }, launch) => [
    jsonTarget(join(base, '.cursor/mcp.json'), 'MCP server', [mcpEntry(launch)]),
    // rules of the user are no files
    ...(scope === 'project'
      ? [fileTarget(join(base, '.cursor/rules/loadout.mdc'), 'rule', cursorRule())]
      : []),
  ],
  nextSteps: ['Switch the server on in the settings of Cursor, under MCP.'],
  refusesToolsIn: [],
};

export function cursorRule(): string {
  return skillText({ description: SKILL_DESCRIPTION, alwaysApply: 'true' });
}

/** The editor Cursor. It is only set up: it calls no hooks for context, and we do not start its agent. */
export const cursor = {
  id: 'cursor',
  name: 'Cursor',
  program: 'cursor-agent',
  install: INSTALL,
  settingsFolder: '.cursor',
} as const satisfies AgentClient;
