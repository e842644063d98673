import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../platform/environment.ts';
import type { ClientHomes, Scope } from './set-up-target.ts';

/** Where clients look for the settings of a repository or of the user. */
export function clientHomes(env: Environment, repository: string, scope: Scope): ClientHomes {
  const home = env.HOME || env.USERPROFILE || homedir();
  return {
    base: scope === 'project' ? repository : home,
    scope,
    codexHome: env.CODEX_HOME || join(home, '.codex'),
    openCodeHome: join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode'),
  };
}
