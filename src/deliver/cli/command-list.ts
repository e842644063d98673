import type { CliCommand } from './command.ts';

type LoadCommand = () => Promise<CliCommand>;

/** Loaded when called: no command pays for another. */
export const COMMANDS: ReadonlyMap<string, LoadCommand> = new Map<string, LoadCommand>([
  ['scan', async () => (await import('./commands/scan.ts')).scan],
  ['map', async () => (await import('./commands/map.ts')).map],
  ['pack', async () => (await import('./commands/pack.ts')).pack],
  ['rank', async () => (await import('./commands/rank.ts')).rank],
  ['roles', async () => (await import('./commands/roles.ts')).roles],
  ['eval', async () => (await import('./commands/eval.ts')).evaluate],
  ['settings', async () => (await import('./commands/settings.ts')).settings],
  ['doctor', async () => (await import('./commands/doctor.ts')).doctor],
]);

export const allCommands = (): Promise<CliCommand[]> =>
  Promise.all([...COMMANDS.values()].map((load) => load()));
