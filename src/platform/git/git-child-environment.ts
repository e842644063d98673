import type { Environment } from '../environment.ts';

/**
 * For the git of an agent in a repository that nobody vouches for. Its work tree has a git directory of ours, so that
 * settings and hooks of the repository are out of reach; what is left is what a file of the repository could talk
 * somebody into: an address that names a program (`ext::`), or a git directory that was committed as a folder.
 */
const UNTRUSTED_SETTINGS: readonly (readonly [string, string])[] = [
  ['protocol.allow', 'never'],
  ['protocol.https.allow', 'always'],
  ['protocol.http.allow', 'always'],
  ['protocol.ssh.allow', 'always'],
  ['protocol.git.allow', 'always'],
  ['protocol.file.allow', 'user'],
  ['safe.bareRepository', 'explicit'],
];

export function untrustedGitEnvironment(): Record<string, string> {
  const env: Record<string, string> = {
    GIT_CONFIG_COUNT: String(UNTRUSTED_SETTINGS.length),
    GIT_TERMINAL_PROMPT: '0',
  };
  for (const [index, [key, value]] of UNTRUSTED_SETTINGS.entries()) {
    env[`GIT_CONFIG_KEY_${index}`] = key;
    env[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return env;
}

/** Without what would lead git out of the work tree it is called in. */
export function withoutGitVariables(env: Environment): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && !name.startsWith('GIT_')) kept[name] = value;
  return kept;
}
