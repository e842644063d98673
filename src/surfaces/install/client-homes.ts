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
    claudeHome: env.CLAUDE_CONFIG_DIR || join(home, '.claude'),
    claudeFile: join(env.CLAUDE_CONFIG_DIR || home, '.claude.json'),
    codexHome: env.CODEX_HOME || join(home, '.codex'),
    geminiHome: join(env.GEMINI_CLI_HOME || home, '.gemini'),
    copilotHome: env.COPILOT_HOME || join(home, '.copilot'),
    openCodeHome: join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode'),
  };
}
