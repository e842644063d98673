import type { RepositoryCommand } from '../../../model/context-pack.ts';
import { LoadoutError } from '../../../model/loadout-error.ts';
import { parseJsonDocument } from '../../../schema/parse-json-document.ts';
import type { CommandReader, Manifests } from './manifests.ts';
import { SCRIPT_NAMES } from './script-names.ts';

interface ScriptManifest {
  readonly path: string;
  readonly install: string;
  readonly run: (script: string) => string;
}

const MANAGERS: readonly (readonly [lock: string, name: string])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lockb', 'bun'],
  ['bun.lock', 'bun'],
];

function nodePackage(manifests: Manifests): ScriptManifest {
  const manager = MANAGERS.find(([lock]) => manifests.has(lock))?.[1] ?? 'npm';
  const install = manager === 'npm' && manifests.has('package-lock.json') ? 'npm ci' : `${manager} install`;
  return {
    path: 'package.json',
    install,
    run: (script) => (script === 'test' ? `${manager} test` : `${manager} run ${script}`),
  };
}

const COMPOSER: ScriptManifest = {
  path: 'composer.json',
  install: 'composer install',
  run: (script) => `composer run-script ${script}`,
};

/** Commands of manifests that list scripts by name. */
export const readPackageScripts: CommandReader = (manifests) =>
  [nodePackage(manifests), COMPOSER].flatMap((manifest) => commandsOf(manifests, manifest));

function commandsOf(manifests: Manifests, { path, install, run }: ScriptManifest): RepositoryCommand[] {
  const scripts = scriptsOf(manifests.text(path), path);
  if (scripts === null) return [];
  const named = SCRIPT_NAMES.flatMap(([purpose, names]): RepositoryCommand[] => {
    const script = names.find((name) => scripts.has(name));
    return script === undefined ? [] : [{ purpose, command: run(script), path }];
  });
  return [{ purpose: 'install', command: install, path }, ...named];
}

/** Names of the scripts; null when there is no such manifest. */
function scriptsOf(text: string | null, path: string): ReadonlySet<string> | null {
  if (text === null) return null;
  try {
    const { value } = parseJsonDocument(text, path);
    const scripts = isRecord(value) ? value.scripts : null;
    return new Set(isRecord(scripts) ? Object.keys(scripts) : []);
  } catch (error) {
    if (error instanceof LoadoutError) return null;
    throw error;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
