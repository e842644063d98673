/**
 * Writes settings files: `loadout settings set`, `unset`, `edit` and `init`. Each reads the whole file, makes the new text,
 * checks all of it, and then replaces the file at once.
 */

import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import {
  type ConfigFile,
  type ConfigOwner,
  exampleConfig,
  findConfigFile,
  type LoadedSettings,
  loadSettings,
  REPOSITORY_CONFIG_NAMES,
  readConfigDocument,
  SETTING_NAMES,
  type Setting,
  type SettingName,
  settingByName,
  USER_CONFIG_NAMES,
} from '../../../config/index.ts';
import { describeSkip } from '../../../model/file-entry.ts';
import { LoadoutError } from '../../../model/loadout-error.ts';
import { configDirectory } from '../../../platform/cache/user-directories.ts';
import { OWNER_ONLY, writeFileAtomic } from '../../../platform/fs/atomic-file.ts';
import { decodeText } from '../../../platform/fs/decode-text.ts';
import { withLock } from '../../../platform/fs/file-lock.ts';
import { createFolders, OWNER_FOLDER } from '../../../platform/fs/make-folder.ts';
import { readRegularFile } from '../../../platform/fs/read-file.ts';
import { runInTerminal } from '../../../platform/process/terminal-process.ts';
import { MAX_DOCUMENT_BYTES } from '../../../schema/parsed-document.ts';
import { nearestName } from '../../../schema/value-issues.ts';
import { type CommandCall, canAsk } from '../command.ts';
import { splitLine } from '../completion/shell-words.ts';
import { alreadyThere } from '../named-files.ts';
import { printable } from '../views/output.ts';

/** The settings file that a call works on. */
interface SettingsFile {
  readonly owner: ConfigOwner;
  /** The full path. A link of the user's own is followed. */
  readonly path: string;
  /** For messages. */
  readonly name: string;
  /** Null when it does not exist yet. */
  readonly text: string | null;
}

const LOCK_WAIT_MS = 10_000;
/** The permission bits that allow writing, for any user. */
const ANY_WRITE = 0o222;

/** Finds the file: that of `--config`, the user's own with `--user`, else the repository's. */
function openFile(call: CommandCall): SettingsFile {
  const { config } = call.global;
  if (config !== '' && call.flags.user === true)
    throw new LoadoutError('bad-flag', '--config and --user both name a file: give one of them', {
      subject: '--user',
    });
  if (config !== '') {
    const path = resolve(call.io.cwd, config);
    return { owner: 'user', path, name: config, text: readOwn(path) };
  }
  return call.flags.user === true ? userFile(call) : repositoryFile(call);
}

function userFile({ io }: CommandCall): SettingsFile {
  const folder = configDirectory(io.env);
  const found = findConfigFile(USER_CONFIG_NAMES, (name) => readOwn(join(folder, name)));
  const path = join(folder, found?.name ?? USER_CONFIG_NAMES[0]);
  return { owner: 'user', path, name: path, text: found?.text ?? null };
}

/** Read without following links, because a link in a repository could lead anywhere. */
function repositoryFile(call: CommandCall): SettingsFile {
  const root = call.repository();
  const found = findConfigFile(REPOSITORY_CONFIG_NAMES, (name) => {
    const outcome = root.read(name, MAX_DOCUMENT_BYTES);
    if (outcome.kind === 'content') return textOf(outcome.bytes, name);
    if (outcome.reason === 'vanished') return null;
    throw new LoadoutError('unreadable', `${name} is not read: ${describeSkip(outcome.reason)}`, {
      subject: name,
    });
  });
  // YAML, because it has comments.
  const name = found?.name ?? 'loadout.config.yaml';
  return { owner: 'repository', path: `${root.path}/${name}`, name, text: found?.text ?? null };
}

function readOwn(path: string): string | null {
  return existsSync(path) ? textOf(readRegularFile(realpathSync(path), MAX_DOCUMENT_BYTES), path) : null;
}

function textOf(bytes: Buffer, name: string): string {
  const decoded = decodeText(bytes);
  if (decoded.kind === 'text') return decoded.text;
  throw new LoadoutError('bad-config-file', `${name} is not a text file`, { subject: name });
}

/** Reads a file, changes it and writes it, one process at a time. `change` gives null to leave it as it is. */
async function rewrite(
  call: CommandCall,
  change: (file: SettingsFile) => Promise<string | null>,
): Promise<{ readonly file: SettingsFile; readonly isChanged: boolean }> {
  const folder = configDirectory(call.io.env);
  createFolders(folder, OWNER_FOLDER);
  return withLock(join(folder, '.settings.lock'), LOCK_WAIT_MS, async () => {
    const file = openFile(call);
    const text = await change(file);
    if (text === null) return { file, isChanged: false };
    await checkWhole(file, text);
    const isChanged = text !== file.text;
    if (isChanged) write(file, text);
    return { file, isChanged };
  });
}

/** Creates the folder of the user's file. The folder of a repository's file exists already. */
function write({ path, name, owner, text }: SettingsFile, changed: string): void {
  if (owner === 'user') createFolders(dirname(path), OWNER_FOLDER);
  // Users may keep the file elsewhere and link to it, so the file itself is replaced.
  const real = text === null ? path : realpathSync(path);
  // A rename would succeed although the user has made the file read-only.
  if (text !== null && (statSync(real).mode & ANY_WRITE) === 0)
    throw new LoadoutError('cannot-write', `${name} is read-only`, {
      subject: name,
      hint: 'nothing was written; allow writing to the file first',
    });
  writeFileAtomic(real, changed, text === null && owner === 'user' ? OWNER_ONLY : null);
}

/** Checks every setting of a text, in the same way as a command that reads it. */
async function checkWhole({ owner, name }: SettingsFile, text: string): Promise<void> {
  const document = await readConfigDocument({ name, text });
  const files = owner === 'user' ? { userFile: document } : { repositoryFile: document };
  loadSettings({
    flags: {},
    environment: {},
    repositoryFile: null,
    userFile: null,
    trusted: true,
    ...files,
  });
}

/** The setting of a name, or an error with the nearest one. */
function settingOf(call: CommandCall): Setting<unknown> {
  const [action, name] = call.arguments;
  const usual = `such as: loadout settings ${action} tokenBudget${action === 'set' ? ' 30k' : ''}`;
  if (name === undefined)
    throw new LoadoutError('missing-name', `"loadout settings ${action}" needs the name of a setting`, {
      hint: usual,
    });
  const setting = settingByName(name);
  if (setting) return setting;
  const near = nearestName(name, SETTING_NAMES);
  throw new LoadoutError('bad-setting', `there is no setting ${JSON.stringify(name.slice(0, 80))}`, {
    subject: name,
    hint: near ? `did you mean ${near}?` : '"loadout settings" lists them',
  });
}

/** `loadout settings set NAME VALUE` and `loadout settings unset NAME`. */
export async function changeSetting(call: CommandCall): Promise<number> {
  const [action, , given] = call.arguments;
  const setting = settingOf(call);
  const isSet = action === 'set';
  const value = isSet ? readValue(setting, given) : undefined;
  const { editConfig } = await import('../../../config/edit-config.ts');
  const { file, isChanged } = await rewrite(call, async (found) => {
    if (isSet) refuseForRepository(setting, found);
    else if (found.text === null) return null;
    const config: ConfigFile = { name: found.name, text: found.text ?? '' };
    return editConfig(config, { setting: setting.name, value });
  });
  const now = await call.settings();
  const { source, where } = now.provenance[setting.name as SettingName];
  const shown = setting.kind.show(now.settings[setting.name as SettingName]);
  if (call.global.json)
    call.output.json({
      file: file.path,
      setting: setting.name,
      ...(isSet ? { written: value } : {}),
      changed: isChanged,
      effective: { value: now.settings[setting.name as SettingName], shown, source, where },
    });
  else {
    const what = isSet
      ? `${setting.name} is set`
      : isChanged
        ? `${setting.name} is removed`
        : `${setting.name} was not set`;
    call.output.line(printable(`${what} in ${file.name}`));
    sayWhatCounts(call, setting, now, file, isSet);
  }
  return 0;
}

/** A stronger source may hide what was written. */
function sayWhatCounts(
  call: CommandCall,
  { name, kind }: Setting<unknown>,
  { settings, provenance }: LoadedSettings,
  file: SettingsFile,
  isSet: boolean,
): void {
  const { source, where } = provenance[name as SettingName];
  const isOurs = where.startsWith(`${file.name}:`);
  if (call.global.quiet || source === 'default' || (isSet && isOurs)) return;
  const value = kind.show(settings[name as SettingName]);
  call.io.stderr.write(printable(`note: here it is ${value}, from ${where}`).concat('\n'));
}

/** The value in the form that the file has. An invalid value is refused before any file is opened. */
function readValue({ name, kind }: Setting<unknown>, given: string | undefined): unknown {
  if (given === undefined)
    throw new LoadoutError('missing-value', `"loadout settings set ${name}" needs a value`, {
      hint: `allowed is ${kind.allowed}`,
    });
  const value = kind.toFile(given);
  if (value !== undefined && kind.fromText(given) !== undefined && kind.fromFile(value) !== undefined)
    return value;
  const shown = given.length > 80 ? `${given.slice(0, 80)}…` : given;
  throw new LoadoutError(
    'bad-setting',
    `${JSON.stringify(shown)} is not a valid ${name}; allowed is ${kind.allowed}`,
    { subject: name, hint: 'nothing was written' },
  );
}

/** Refuses a setting that a repository may not set. It would be ignored in its file, or wait there for trust. */
function refuseForRepository({ name, trust }: Setting<unknown>, file: SettingsFile): void {
  if (file.owner === 'user' || trust === 'project') return;
  const why =
    trust === 'owner'
      ? 'it decides which server is asked, and no repository may decide that'
      : 'it decides what happens on your machine or what your agents get, so only users may set it';
  throw new LoadoutError('setting-not-for-repository', `${name} cannot be set in ${file.name}: ${why}`, {
    subject: name,
    hint: `set it for yourself: loadout settings set ${name} VALUE --user`,
  });
}

/** `loadout settings init`: an example in which every setting is explained and commented out. */
export async function writeExample(call: CommandCall): Promise<number> {
  let backup: string | null = null;
  const { file } = await rewrite(call, async (found) => {
    if (found.text !== null) {
      if (call.flags.force !== true)
        throw new LoadoutError('already-there', alreadyThere(found.name).message, {
          subject: found.name,
          hint: 'edit it with "loadout settings edit", or replace it with --force, which keeps a copy',
        });
      backup = freeName(`${found.path}.backup`);
      writeFileAtomic(backup, found.text);
    }
    // JSON has no comments, so the example of a JSON file is an empty object that names its schema.
    return /\.json$/i.test(found.path) ? await emptyJson() : exampleConfig(found.owner);
  });
  if (call.global.json) call.output.json({ file: file.path, backup });
  else {
    call.output.line(
      printable(`wrote ${file.name}${backup === null ? '' : `; the former file is ${basename(backup)}`}`),
    );
    if (file.owner === 'repository' && !call.global.quiet)
      call.io.stderr.write(
        'note: commit it, and colleagues get the same settings; "--user" writes your own file\n',
      );
  }
  return 0;
}

async function emptyJson(): Promise<string> {
  const { CONFIG_SCHEMA_ADDRESS } = await import('../../../config/settings-schema.ts');
  return `${JSON.stringify({ $schema: CONFIG_SCHEMA_ADDRESS }, null, 2)}\n`;
}

/** The first free name: `x`, `x-2`, `x-3`. */
function freeName(path: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? path : `${path}-${number}`;
    if (!existsSync(name)) return name;
  }
}

/** `loadout settings edit`: opens a copy in the user's editor, and takes it over when every setting in it is valid. */
export async function editFile(call: CommandCall): Promise<number> {
  const { io } = call;
  const [program, ...words] = splitLine(io.env.VISUAL || io.env.EDITOR || '').words.filter(Boolean);
  const before = openFile(call);
  if (program === undefined || !canAsk(io))
    throw new LoadoutError(
      'no-editor',
      program === undefined ? 'no editor is set' : 'there is no terminal to edit in',
      {
        subject: before.path,
        hint: `${program === undefined ? 'set the variable EDITOR, or ' : ''}open ${before.path} yourself, or use "loadout settings set"`,
      },
    );
  const folder = mkdtempSync(join(tmpdir(), 'loadout-settings-'));
  const copy = join(folder, basename(before.path));
  writeFileAtomic(copy, before.text ?? exampleConfig(before.owner), OWNER_ONLY);
  const exitCode = await runInTerminal(program, [...words, copy], { cwd: io.cwd, env: io.env });
  const text = readFileSync(copy, 'utf8');
  if (exitCode !== 0)
    throw new LoadoutError('editor-failed', `${program} ended with ${exitCode}: nothing was changed`, {
      subject: program,
      hint: `your text is in ${copy}`,
    });
  try {
    const { file, isChanged } = await rewrite(call, async (found) => {
      if (found.text === before.text) return text;
      throw new LoadoutError('file-changed', `${found.name} was changed while you were editing`, {
        subject: found.name,
      });
    });
    rmSync(folder, { recursive: true, force: true });
    if (call.global.json) call.output.json({ file: file.path, changed: isChanged });
    else call.output.line(printable(isChanged ? `wrote ${file.name}` : `${file.name} is unchanged`));
    return 0;
  } catch (error) {
    if (!(error instanceof LoadoutError)) throw error;
    throw new LoadoutError(error.code, error.message, {
      subject: before.name,
      hint: `nothing was written; your text is in ${copy}`,
      cause: error,
    });
  }
}
