// Settings from all sources: program, flags, variables, files and defaults. The strongest source that has a
// value wins, and every value knows where it comes from.

import { isDeepStrictEqual } from 'node:util';
import type { Diagnostic } from '../model/diagnostic.ts';
import { LoadoutError } from '../model/loadout-error.ts';
import { cacheDirectory } from '../platform/cache/user-directories.ts';
import { environment } from '../platform/environment.ts';
import { checkArguments, RECORD } from '../schema/check-arguments.ts';
import { documentError } from '../schema/parsed-document.ts';
import { nearestName } from '../schema/value-issues.ts';
import {
  type ConfigDocument,
  type ConfigFile,
  findConfigFile,
  REPOSITORY_CONFIG_NAMES,
  type ReadConfigText,
  readConfigDocument,
  USER_CONFIG_NAMES,
} from './config-file.ts';
import type { Setting } from './define-settings.ts';
import { SETTING_NAMES, type SettingName, type Settings, settingByName } from './settings.ts';

type SettingSource =
  | 'program'
  | 'flag'
  | 'environment'
  | 'config-flag-file'
  | 'repository-file'
  | 'user-file'
  | 'default';

/** Where a value comes from. */
export interface Provenance {
  readonly source: SettingSource;
  /** `--budget`, `REPO_SCAN_MODE`, `loadout.config.json:3:18`; empty for a default. */
  readonly where: string;
}

export interface SettingsSources {
  /** Values from a program, by setting name; they win over all others. */
  readonly given?: Readonly<Record<string, unknown>>;
  /** Values from the command line, by setting name. */
  readonly flags: Readonly<Partial<Record<SettingName, string | boolean | readonly string[]>>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The file of `--config FILE`: the user chose it, so it may set everything. */
  readonly configFlagFile?: ConfigDocument | null;
  readonly repositoryFile: ConfigDocument | null;
  readonly userFile: ConfigDocument | null;
  /** The user trusts this repository: its file may set what only users may otherwise. */
  readonly trusted: boolean;
  /** Defaults that depend on the machine. */
  readonly defaults?: Partial<Settings>;
}

/** All settings, their sources, and notes about those that were ignored. */
export interface LoadedSettings {
  readonly settings: Settings;
  readonly provenance: Readonly<Record<SettingName, Provenance>>;
  readonly diagnostics: readonly Diagnostic[];
}

interface Candidate extends Provenance {
  readonly raw: unknown;
  readonly read: (setting: Setting<unknown>) => unknown;
}

/** Every setting from the strongest source that has it: flag, environment, files, default. */
export function loadSettings(sources: SettingsSources): LoadedSettings {
  const { configFlagFile = null, repositoryFile, userFile } = sources;
  for (const file of [configFlagFile, repositoryFile, userFile]) if (file) checkKeys(file);
  for (const name of Object.keys(sources.given ?? {}))
    if (!settingByName(name)) throw new LoadoutError('bad-setting', unknownSetting(name), { subject: name });
  const values: Record<string, unknown> = {};
  const provenance: Record<string, Provenance> = {};
  const diagnostics: Diagnostic[] = [];
  for (const name of SETTING_NAMES) {
    const setting = settingByName(name)!;
    const isHeld = setting.trust === 'owner' || (setting.trust === 'user' && !sources.trusted);
    const held = isHeld ? fromFile(setting, repositoryFile, 'repository-file') : null;
    if (held) diagnostics.push(ignored(setting, held.where, repositoryFile!.name));
    const chosen =
      fromProgram(setting, sources.given?.[name]) ??
      fromFlag(setting, sources.flags[name]) ??
      fromEnvironment(setting, sources.environment) ??
      fromFile(setting, configFlagFile, 'config-flag-file') ??
      (isHeld ? null : fromFile(setting, repositoryFile, 'repository-file')) ??
      fromFile(setting, userFile, 'user-file');
    values[name] = chosen ? accept(setting, chosen) : (sources.defaults?.[name] ?? setting.default);
    provenance[name] = chosen
      ? { source: chosen.source, where: chosen.where }
      : { source: 'default', where: '' };
  }
  const places = provenance as Record<SettingName, Provenance>;
  return {
    settings: normaliseWeights(values as unknown as Settings, places),
    provenance: places,
    diagnostics,
  };
}

/** A default is always allowed, also one that cannot be written in a file, such as no store. */
function fromProgram(setting: Setting<unknown>, value: unknown): Candidate | null {
  if (value === undefined) return null;
  const read = () => (isDeepStrictEqual(value, setting.default) ? value : setting.kind.fromValue(value));
  return { source: 'program', where: 'settings', raw: value, read };
}

function fromFlag(setting: Setting<unknown>, given: unknown): Candidate | null {
  if (given === undefined) return null;
  const read =
    typeof given === 'string' ? () => setting.kind.fromText(given) : () => setting.kind.fromFile(given);
  return { source: 'flag', where: setting.flag ?? setting.name, raw: given, read };
}

function fromEnvironment(
  setting: Setting<unknown>,
  environment: SettingsSources['environment'],
): Candidate | null {
  const text = environment[setting.env];
  // `NAME=` is how shells and CI files write "not set".
  if (text === undefined || text.trim() === '') return null;
  return { source: 'environment', where: setting.env, raw: text, read: () => setting.kind.fromText(text) };
}

/** Null when the file does not set it. */
function fromFile(
  setting: Setting<unknown>,
  file: ConfigDocument | null,
  source: SettingSource,
): Candidate | null {
  const entry = file?.entries.get(setting.name);
  if (!file || !entry) return null;
  const where = `${file.name}:${entry.position.line}:${entry.position.column}`;
  return { source, where, raw: entry.value, read: () => setting.kind.fromFile(entry.value) };
}

/** The value, or the error that names the place and what is allowed there. */
function accept(setting: Setting<unknown>, candidate: Candidate): unknown {
  const value = candidate.read(setting);
  if (value !== undefined) return value;
  const shown = showRaw(candidate.raw);
  const short = shown.length > 80 ? `${shown.slice(0, 80)}…` : shown;
  const message = `${candidate.where}: ${short} is not a valid ${setting.name}; allowed is ${setting.kind.allowed}`;
  throw new LoadoutError('bad-setting', message, { subject: candidate.where });
}

/** A value from a program may not be writable as JSON. */
function showRaw(raw: unknown): string {
  try {
    return JSON.stringify(raw) ?? typeof raw;
  } catch {
    return typeof raw;
  }
}

function checkKeys(file: ConfigDocument): void {
  for (const [key, { position }] of file.entries) {
    // Editors read the schema's address from here.
    if (key === '$schema' || settingByName(key)) continue;
    throw documentError(file.name, position, unknownSetting(key));
  }
}

function unknownSetting(key: string): string {
  const near = nearestName(key, SETTING_NAMES);
  const known = near ? `did you mean ${near}?` : `known are ${SETTING_NAMES.join(', ')}`;
  return `there is no setting ${JSON.stringify(key.slice(0, 80))}; ${known}`;
}

function ignored({ name, trust }: Setting<unknown>, where: string, path: string): Diagnostic {
  const why = trust === 'owner' ? 'may not set it' : 'may not set it until you trust it';
  const message = `${where}: ${name} is ignored, because a repository ${why}`;
  return { code: 'setting-ignored', severity: 'warning', message, path };
}

/** Only the ratio of the two weights matters, so their sum must be above 0. */
function normaliseWeights(settings: Settings, provenance: Record<SettingName, Provenance>): Settings {
  const sum = settings.astWeight + settings.semanticWeight;
  if (sum > 0) {
    return {
      ...settings,
      astWeight: settings.astWeight / sum,
      semanticWeight: settings.semanticWeight / sum,
    };
  }
  const where = provenance.astWeight.where || provenance.semanticWeight.where;
  const message = `${where}: astWeight and semanticWeight are both 0; allowed is a sum above 0`;
  throw new LoadoutError('bad-setting', message, { subject: where });
}

/** Settings of a library call: the given values, on top of environment variables and defaults. */
export function librarySettings(given: Partial<Settings> = {}): Settings {
  checkArguments('settings', { settings: given }, { settings: RECORD });
  const env = environment();
  const sources = { flags: {}, environment: env, repositoryFile: null, userFile: null, trusted: false };
  return loadSettings({ ...sources, given, defaults: { cacheDir: cacheDirectory(env) } }).settings;
}

export interface SettingsRequest
  extends Pick<SettingsSources, 'flags' | 'environment' | 'trusted' | 'defaults'> {
  /** Reads a file at the root of the repository, safely. */
  readonly readRepositoryFile: ReadConfigText;
  /** Reads a file in the user's config directory. */
  readonly readUserFile: ReadConfigText;
  /** For messages: a bare `config.yaml` would not tell the user where it is. */
  readonly userDirectory: string;
  /** The file of `--config`, already read; it replaces the repository's own file. */
  readonly configFlagFile: ConfigFile | null;
}

/** Finds and parses the config files, then resolves every setting. */
export async function readSettings(request: SettingsRequest): Promise<LoadedSettings> {
  const { flags, environment, trusted, defaults = {}, configFlagFile } = request;
  const repositoryFile = configFlagFile
    ? null
    : findConfigFile(REPOSITORY_CONFIG_NAMES, request.readRepositoryFile);
  const found = findConfigFile(USER_CONFIG_NAMES, request.readUserFile);
  const userFile = found && { ...found, name: `${request.userDirectory}/${found.name}` };
  const parse = (file: ConfigFile | null) => (file ? readConfigDocument(file) : null);
  return loadSettings({
    flags,
    environment,
    trusted,
    defaults,
    configFlagFile: await parse(configFlagFile),
    repositoryFile: await parse(repositoryFile),
    userFile: await parse(userFile),
  });
}
