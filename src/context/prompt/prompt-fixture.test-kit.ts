import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadSettings } from '../../config/load-settings.ts';
import type { Settings } from '../../config/settings.ts';
import { openSafeRoot } from '../../platform/fs/safe-root.ts';
import type { Role } from '../roles/role.ts';
import { createRoleLoader } from '../roles/role-loader.ts';
import { type ContextPacker, type ContextPackerOptions, createContextPacker } from './context-packer.ts';

export interface PromptFixture {
  readonly repository: string;
  readonly home: string;
  readonly settings: Settings;
  packer(options?: Partial<ContextPackerOptions>): ContextPacker;
  write(path: string, content: string | Buffer): void;
  git(...args: string[]): void;
  /** A role of the user. The text follows `name` and `description`. No file of the repository changes. */
  role(name: string, yaml: string): Promise<Role>;
  /** A built-in role. */
  builtIn(name: string): Promise<Role>;
  remove(): void;
}

export function promptFixture(files: Readonly<Record<string, string>>): PromptFixture {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'loadout-prompt-')));
  const repository = join(home, 'repository');
  const sources = { flags: {}, environment: {}, repositoryFile: null, userFile: null, trusted: false };
  const { settings } = loadSettings({
    ...sources,
    defaults: { cacheDir: join(home, 'cache'), parseWorkers: 1 },
  });
  const write: PromptFixture['write'] = (path, content) => {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), content);
  };
  const git: PromptFixture['git'] = (...args) => {
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
    execFileSync('git', [...identity, ...args], { cwd: repository, stdio: 'pipe' });
  };
  mkdirSync(repository);
  for (const [path, text] of Object.entries(files)) write(path, text);
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--allow-empty', '--message=first');
  const load = async (name: string) =>
    (
      await createRoleLoader({
        repository: { root: openSafeRoot(repository), isTrusted: false },
        userDirectory: join(home, 'config'),
      }).load(name)
    ).role;
  return {
    repository,
    home,
    settings,
    write,
    git,
    packer: (options = {}) =>
      createContextPacker({ repo: repository, settings, measure: 'estimate', ...options }),
    role: (name, yaml) => {
      const base = /^extends:/m.test(yaml) ? '' : 'cli: claude\n';
      const prompt = /^(extends|system_prompt):/m.test(yaml) ? '' : 'system_prompt: You work here.\n';
      const text = `name: ${name}\ndescription: A role\n${base}${prompt}${yaml}`;
      mkdirSync(join(home, 'config/roles'), { recursive: true });
      writeFileSync(join(home, 'config/roles', `${name}.yaml`), text);
      return load(name);
    },
    builtIn: load,
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}
