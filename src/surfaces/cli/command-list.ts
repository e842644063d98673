/**
 * The list of all commands and the groups in which `loadout --help` shows them. The build reads the names from
 * this file, so keep one entry on each line.
 */

import type { CliCommand } from './command.ts';

/** Imports the file of a command and returns its declaration. */
type LoadCommand = () => Promise<CliCommand>;

/** Each command is loaded when it is called. */
export const COMMANDS: ReadonlyMap<string, LoadCommand> = new Map<string, LoadCommand>([
  ['scan', async () => (await import('./commands/scan.ts')).scan],
  ['map', async () => (await import('./commands/map.ts')).map],
  ['pack', async () => (await import('./commands/pack.ts')).pack],
  ['brief', async () => (await import('./commands/brief.ts')).brief],
  ['rank', async () => (await import('./commands/rank.ts')).rank],
  ['prompt', async () => (await import('./commands/prompt.ts')).prompt],
  ['trust', async () => (await import('./commands/trust.ts')).trust],
  ['roles', async () => (await import('./commands/roles.ts')).roles],
  ['run', async () => (await import('./commands/run.ts')).run],
  ['runs', async () => (await import('./commands/runs.ts')).runs],
  ['loop', async () => (await import('./commands/loop.ts')).loop],
  ['stats', async () => (await import('./commands/stats.ts')).stats],
  ['inspect', async () => (await import('./commands/inspect.ts')).inspect],
  ['eval', async () => (await import('./commands/eval.ts')).evaluate],
  ['init', async () => (await import('./set-up/init.ts')).init],
  ['mcp', async () => (await import('./commands/serve.ts')).mcp],
  ['serve', async () => (await import('./commands/serve.ts')).serve],
  ['hook', async () => (await import('./commands/hook.ts')).hook],
  ['guardrails', async () => (await import('./commands/guardrails.ts')).guardrails],
  ['gap', async () => (await import('./commands/eval.ts')).gap],
  ['store', async () => (await import('./commands/store.ts')).store],
  ['settings', async () => (await import('./set-up/settings.ts')).settings],
  ['uninstall', async () => (await import('./set-up/uninstall.ts')).uninstall],
  ['config', async () => (await import('./set-up/settings.ts')).settings],
  ['completion', async () => (await import('./completion/completion-command.ts')).completion],
  ['doctor', async () => (await import('./commands/doctor.ts')).doctor],
]);

/** How `loadout --help` lists the commands. */
export const COMMAND_GROUPS: readonly { readonly title: string; readonly names: readonly string[] }[] = [
  { title: 'Every day:', names: ['pack', 'brief', 'rank', 'map', 'prompt'] },
  { title: 'With agents:', names: ['init', 'hook', 'mcp', 'run', 'loop'] },
  { title: 'Look and measure:', names: ['inspect', 'stats', 'runs', 'eval', 'gap', 'doctor'] },
  {
    title: 'More:',
    names: ['scan', 'serve', 'settings', 'roles', 'guardrails', 'trust', 'store', 'completion', 'uninstall'],
  },
];

/** Loads every command, for `--help`, for suggestions and for the reference pages. */
export async function allCommands(): Promise<CliCommand[]> {
  const commands = await Promise.all([...COMMANDS.values()].map((load) => load()));
  // A command with two names is listed once.
  return [...new Set(commands)];
}
