import type { Environment } from './environment.ts';
import { gitOutput } from './git-failure.ts';
import { NEUTRAL_SETTINGS } from './git-hardening.ts';
import { needGit } from './git-writer.ts';

/** Settings that name a program for git to run, wherever their middle part comes from. */
const NAMES_PROGRAMS =
  '^(filter[.].*|diff[.].*[.](command|textconv)|merge[.].*[.]driver|alias[.].*|pager[.].*|trailer[.].*[.](cmd|command)|' +
  'credential[.].*|remote[.].*[.](uploadpack|receivepack|proxy|vcs)|sequence[.]editor|interactive[.]difffilter|' +
  'uploadpack[.]packobjectshook|difftool[.].*|mergetool[.].*|man[.].*|browser[.].*|guitool[.].*|submodule[.].*[.]update|' +
  'sendemail[.].*|imap[.]tunnel|web[.]browser|init[.]templatedir|core[.]worktree)$';

/**
 * Environment for programs that call git in a repository which nobody vouches for: agents ask git for the status and
 * the history all the time, and a repository's own settings would make it run whatever they name.
 */
export async function untrustedGitEnvironment(workTree: string): Promise<Record<string, string>> {
  const git = needGit(workTree);
  const result = await git([
    'config',
    '--show-scope',
    '--null',
    '--name-only',
    '--get-regexp',
    NAMES_PROGRAMS,
  ]);
  const isNone = result.outcome === 'exited' && result.exitCode === 1;
  const fields = isNone ? [] : gitOutput('config', result).toString('utf8').split('\0');
  const settings = new Map<string, string>();
  for (const setting of NEUTRAL_SETTINGS) {
    const at = setting.indexOf('=');
    settings.set(setting.slice(0, at), setting.slice(at + 1));
  }
  // A repository does not get to say where to download from, but tools fetch from where they like.
  settings.delete('protocol.allow');
  settings.delete('core.quotePath');
  settings.delete('safe.bareRepository');
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [scope, key = ''] = [fields[index], fields[index + 1]];
    if (scope === 'global' || scope === 'system') continue;
    settings.set(key, key.endsWith('.required') ? 'false' : '');
  }
  return settingsAsEnvironment(settings);
}

/** Without what would lead git out of the work tree it is called in. */
export function withoutGitVariables(env: Environment): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && !name.startsWith('GIT_')) kept[name] = value;
  return kept;
}

function settingsAsEnvironment(settings: ReadonlyMap<string, string>): Record<string, string> {
  const env: Record<string, string> = { GIT_CONFIG_COUNT: String(settings.size), GIT_TERMINAL_PROMPT: '0' };
  for (const [index, [key, value]] of [...settings].entries()) {
    env[`GIT_CONFIG_KEY_${index}`] = key;
    env[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return env;
}
