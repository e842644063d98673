// Keeps git harmless: the commands and options that are allowed, the settings that are switched off, and the
// environment that git runs in.

import { delimiter, join } from 'node:path';
import { LoadoutError } from '../../model/loadout-error.ts';
import type { Environment } from '../environment.ts';
import { trustedPathEntries } from '../process/find-program.ts';

/** Read-only commands with the options that are always added to them. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  'cat-file': [],
  'check-attr': [],
  'check-ignore': [],
  // Looking into a submodule would start `git status` there, under that repository's own settings.
  'diff-files': ['--no-ext-diff', '--no-textconv', '--ignore-submodules=all'],
  'diff-index': ['--no-ext-diff', '--no-textconv', '--ignore-submodules=all'],
  'diff-tree': ['--no-ext-diff', '--no-textconv'],
  'for-each-ref': [],
  'hash-object': ['--no-filters'],
  log: ['--no-ext-diff', '--no-textconv', '--no-show-signature', '--no-color', '--no-decorate', '--no-notes'],
  'ls-files': [],
  'ls-tree': [],
  'merge-base': [],
  'rev-list': [],
  'rev-parse': [],
  'symbolic-ref': ['--quiet'],
};

/** Options that write, run a program or enter other repositories. git takes any unambiguous beginning of one. */
const FORBIDDEN_OPTIONS = [
  '--ext-diff',
  '--exec',
  '--filters',
  '--ignore-submodules',
  '--output',
  '--recurse-submodules',
  '--show-signature',
  '--submodule',
  '--textconv',
  '--upload-pack',
];
/** The shortest beginning that could still mean a forbidden option. */
const MIN_BEGINNING = '--x'.length;

/** The arguments with the fixed options added, or a `git-command-refused` error. */
export function checkGitArguments(args: readonly string[]): readonly string[] {
  const [command = '', ...rest] = args;
  const fixed = Object.hasOwn(COMMANDS, command) ? COMMANDS[command]! : null;
  if (fixed === null) return refuse(command, `only ${Object.keys(COMMANDS).join(', ')} are allowed`);
  const end = rest.findIndex((argument) => argument === '--' || argument === '--end-of-options');
  for (const option of end === -1 ? rest : rest.slice(0, end)) checkOption(command, option);
  if (command === 'symbolic-ref' && rest.filter((argument) => !argument.startsWith('-')).length !== 1) {
    return refuse(command, 'it may only be asked for one name');
  }
  return [command, ...fixed, ...rest];
}

/** Refuses an option that writes, runs a program or asks for signatures. */
function checkOption(command: string, option: string): void {
  if (option.includes('\0')) refuse(command, 'an argument holds a NUL character');
  const name = option.split('=', 1)[0]!;
  const forbidden = FORBIDDEN_OPTIONS.find(
    (known) => name.length >= MIN_BEGINNING && (known.startsWith(name) || name.startsWith(`${known}-`)),
  );
  if (forbidden !== undefined) refuse(command, `${option} may mean ${forbidden}`);
  // Signature placeholders run the configured gpg program.
  if (/%G|%\(signature/.test(option)) refuse(command, `${option} asks for signatures`);
  if (command === 'hash-object' && /^-[^-]*w/.test(option)) refuse(command, '-w writes an object');
  if (command === 'symbolic-ref' && /^-(?!-short$|-quiet$|q$)/.test(option))
    refuse(command, `${option} may write`);
}

/** The error for a command that is not allowed. */
function refuse(command: string, why: string): never {
  throw new LoadoutError('git-command-refused', `git ${command} is refused: ${why}`, { subject: command });
}

/** Settings with which a repository could run a program, reach the network or change an answer. */
const NEUTRAL_SETTINGS: readonly string[] = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  'core.editor=/dev/null',
  'core.askPass=',
  'core.sshCommand=/dev/null',
  'core.gitProxy=',
  'core.alternateRefsCommand=/dev/null',
  'core.attributesFile=/dev/null',
  'core.quotePath=false',
  'core.trustctime=true',
  'core.checkStat=default',
  'core.ignoreStat=false',
  'core.splitIndex=false',
  'core.untrackedCache=false',
  'credential.helper=',
  'diff.external=',
  'diff.orderFile=/dev/null',
  'diff.submodule=short',
  'format.pretty=medium',
  'gpg.program=/dev/null',
  'gpg.openpgp.program=/dev/null',
  'gpg.x509.program=/dev/null',
  'gpg.ssh.program=/dev/null',
  'gpg.ssh.defaultKeyCommand=',
  'log.showSignature=false',
  'protocol.allow=never',
  'safe.bareRepository=explicit',
  'submodule.recurse=false',
];

/** Settings for every git command: nothing that a repository names may run. */
export const HARDENING: readonly string[] = [
  '--no-pager',
  '--literal-pathspecs',
  '--no-optional-locks',
  ...NEUTRAL_SETTINGS.flatMap((setting) => ['-c', setting]),
];

/** Variables that git needs from the user; everything else is left out. */
const INHERITED = [
  'HOME',
  'XDG_CONFIG_HOME',
  'USERPROFILE',
  'HOMEDRIVE',
  'HOMEPATH',
  'SYSTEMROOT',
  'SystemRoot',
  'TEMP',
  'TMP',
  'TMPDIR',
  'LD_LIBRARY_PATH',
  // git asks it whether root may use a repository of the user who called sudo.
  'SUDO_UID',
];

/** An environment without inherited GIT_* variables, which could point git elsewhere. */
export function gitEnvironment(env: Environment, workTree: string): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of INHERITED) if (env[name] !== undefined) kept[name] = env[name];
  return {
    ...kept,
    PATH: trustedPathEntries(env, workTree).join(delimiter),
    LC_ALL: 'C',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
  };
}

/** Asks for the settings whose names only the repository knows, and for the one that only the user may set. */
export const OVERRIDABLE_SETTINGS_QUERY: readonly string[] = [
  'config',
  '--show-scope',
  '--null',
  '--get-regexp',
  '^(filter[.].*|core[.]excludesfile)$',
];

/**
 * Environment that switches off every filter driver (git runs them even to compare a single file) and takes the
 * ignore file from the user alone: a repository could name a FIFO there.
 */
export function settingOverrides(queryOutput: string, env: Environment): Record<string, string> {
  const fields = queryOutput.split('\0');
  const settings = new Map<string, string>([['core.excludesFile', defaultIgnoreFile(env)]]);
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const scope = fields[index];
    const [key = '', ...value] = fields[index + 1]!.split('\n');
    if (key.startsWith('filter.')) settings.set(key, key.endsWith('.required') ? 'false' : '');
    else if (scope === 'global') settings.set('core.excludesFile', expandHome(value.join('\n'), env));
  }
  const overrides: Record<string, string> = { GIT_CONFIG_COUNT: String(settings.size) };
  for (const [index, [key, value]] of [...settings].entries()) {
    overrides[`GIT_CONFIG_KEY_${index}`] = key;
    overrides[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return overrides;
}

/** The user's ignore file when no setting names another; empty without a home. */
export function defaultIgnoreFile(env: Environment): string {
  if (env.XDG_CONFIG_HOME) return join(env.XDG_CONFIG_HOME, 'git', 'ignore');
  return env.HOME ? join(env.HOME, '.config', 'git', 'ignore') : '';
}

/** `~/` as git expands it. */
export function expandHome(value: string, env: Environment): string {
  return value.startsWith('~/') && env.HOME ? join(env.HOME, value.slice(2)) : value;
}

/**
 * For the git of an agent in a repository that the user does not trust. Its work tree has a git directory of Loadout, so that
 * settings and hooks of the repository are out of reach. Two dangers are left that a file of the repository could talk
 * the agent into: an address that names a program (`ext::`), and a git directory that was committed as a folder.
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

/** Variables that carry these settings to the git of an agent. */
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

/** The environment without variables that would lead git out of the work tree it is called in. */
export function withoutGitVariables(env: Environment): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && !name.startsWith('GIT_')) kept[name] = value;
  return kept;
}
