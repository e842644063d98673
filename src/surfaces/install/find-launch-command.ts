import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { LaunchCommand } from '../../agents/agent-client.ts';
import type { Environment } from '../../platform/environment.ts';
import { findProgram } from '../../platform/process/find-program.ts';

export interface FoundCommand {
  readonly launch: LaunchCommand;
  /** Holds on other machines as well. */
  readonly isPortable: boolean;
}

/** How clients can start us: by name where that leads here, by path otherwise. */
export function findLaunchCommand(env: Environment, repository: string): FoundCommand {
  if (findProgram('loadout', env, repository))
    return { launch: { program: 'loadout', args: [] }, isPortable: true };
  return { launch: { program: process.execPath, args: [ownScript()] }, isPortable: false };
}

/** `bin/loadout.js`, from the bundle or from the sources. */
function ownScript(): string {
  const places = ['../bin/loadout.js', '../../../bin/loadout.js'];
  const paths = places.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return paths.find((path) => existsSync(path)) ?? process.argv[1] ?? 'loadout';
}
