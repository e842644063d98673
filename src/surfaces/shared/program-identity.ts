/**
 * Answers which program this is: its version, its installation, and whether a running server would give the
 * same answers.
 */

import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { jsonOrNull } from '../../model/read-json.ts';
import type { Environment } from '../../platform/environment.ts';
import { builtProgram } from '../../platform/host.ts';
import { ownIdentity } from '../../platform/process/process-identity.ts';

/** Variables with settings, and variables with the folders of settings and caches. */
const SETTING_PREFIXES = ['LOADOUT_', 'CONTEXT_PACKAGE_', 'REPO_SCAN_'];
/** Variables that decide where settings and caches are. */
const PLACES = ['HOME', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME'];
/** These control access to a server and its start, not its answers. */
const ASIDE = ['LOADOUT_SERVER_TOKEN', 'LOADOUT_WARM_SERVER'];

/**
 * Equal for two processes that would give the same answers: same machine or container, same program, same settings in
 * the environment. A server keeps its environment, so a hook asks only a server with its own fingerprint.
 */
export function serverFingerprint(environment: Environment): string {
  const { host, boot, pidNamespace } = ownIdentity();
  const variables = Object.entries(environment)
    .filter(([name, value]) => value !== undefined && isSetting(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([host, boot, pidNamespace, programIdentity(), variables]))
    .digest('hex');
}

/** Whether a variable can change an answer. */
export function isSetting(name: string): boolean {
  if (ASIDE.includes(name)) return false;
  return PLACES.includes(name) || SETTING_PREFIXES.some((prefix) => name.startsWith(prefix));
}

/** Identifies this installation. It changes with every update. */
export function programIdentity(): string {
  const path = builtProgram('program.cjs');
  const stats = statSync(path, { throwIfNoEntry: false });
  return `${path} ${stats?.size} ${stats?.mtimeMs}`;
}

/** The version in the manifest of the package. Works from the sources and from the bundle. */
export function readVersion(): string {
  for (let folder = new URL('.', import.meta.url); ; folder = new URL('..', folder)) {
    const manifest = manifestIn(folder);
    if (manifest?.name === 'loadout' && typeof manifest.version === 'string') return manifest.version;
    if (folder.pathname === new URL('..', folder).pathname) return 'unknown';
  }
}

/** Null when the folder has no readable manifest. */
function manifestIn(folder: URL): { readonly name?: unknown; readonly version?: unknown } | null {
  try {
    const text = readFileSync(new URL('package.json', folder), 'utf8');
    return jsonOrNull(text) as ReturnType<typeof manifestIn>;
  } catch {
    return null;
  }
}
