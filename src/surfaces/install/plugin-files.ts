import { AGENT_NAME, claudeAgent, skillText } from './agent-texts.ts';
import { SERVER_NAME } from './client-set-ups.ts';
import { claudeEvents, hookValue } from './hook-entries.ts';
import type { LaunchCommand } from './set-up-target.ts';

const PLUGIN_NAME = 'loadout';
/** A plugin is installed on many machines: it finds us on the PATH. */
const LAUNCH: LaunchCommand = { program: 'loadout', args: [] };

/** Short lists on one line, as files of this repository are formatted. */
function json(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  return `${text.replace(/\[\n\s+("[^"\n]*"(?:,\n\s+"[^"\n]*")*)\n\s+\]/g, (_, items: string) => `[${items.replace(/,\n\s+/g, ', ')}]`)}\n`;
}

/** The plugin for Claude Code, by path, from what `loadout init claude` writes. */
export function pluginFiles(version: string): Readonly<Record<string, string>> {
  const hooks = claudeEvents([]).map((one) => [one.name, [hookValue(one, LAUNCH, 'claude')]]);
  return {
    '.claude-plugin/plugin.json': json({
      name: PLUGIN_NAME,
      version,
      description: 'The right files for a task, inside a token budget, explained.',
      author: { name: 'Loadout' },
      license: 'MIT',
      keywords: ['context', 'code-search', 'mcp'],
    }),
    'hooks/hooks.json': json({
      description: 'Gives agents and subagents the context package of their task',
      hooks: Object.fromEntries(hooks),
    }),
    [`agents/${AGENT_NAME}.md`]: claudeAgent(`plugin_${PLUGIN_NAME}_${SERVER_NAME}`),
    'skills/loadout/SKILL.md': skillText(),
    '.mcp.json': json({ mcpServers: { [SERVER_NAME]: { command: LAUNCH.program, args: ['mcp'] } } }),
  };
}
