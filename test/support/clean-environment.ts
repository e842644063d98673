import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Programs that a test brings along itself, or wants to be without. */
const PROGRAMS = ['loadout', 'claude', 'codex', 'gemini', 'opencode', 'copilot', 'qwen', 'cursor', 'repomix'];
/** Settings of Loadout, git, desktops and agents. Those of this machine must not affect a test. */
const SETTINGS =
  /^(LOADOUT_|CONTEXT_PACKAGE_|REPO_SCAN_|GIT_|XDG_|CLAUDE|ANTHROPIC_|CODEX_|OPENAI_|GEMINI_|GOOGLE_|COPILOT_|OPENCODE_)/;
/** Variables that control the tests themselves. */
const OF_TESTS = /^LOADOUT_(TEST|CLIENT_TEST)_/;

let own: string | null = null;

/** A folder of this process's own, in the folder of the test run (`clean-folder.ts`), which goes when the run ends. */
function ownFolder(): string {
  if (own === null) {
    const folder = mkdtempSync(join(process.env.LOADOUT_TEST_FOLDER ?? tmpdir(), 'loadout-clean-'));
    // some tests act as a user without rights, and still need the programs in it
    chmodSync(folder, 0o755);
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    own = folder;
  }
  return own;
}

/** The same places without our programs: a folder that holds one is replaced by links to everything else in it. */
export function cleanPath(path: string): string {
  const folders = path.split(delimiter).filter((folder) => folder !== '' && existsSync(folder));
  return folders
    .map((folder, at) => {
      if (!PROGRAMS.some((name) => existsSync(join(folder, name)))) return folder;
      const mirror = join(ownFolder(), `bin-${at}`);
      mkdirSync(mirror, { recursive: true });
      for (const name of readdirSync(folder))
        if (!PROGRAMS.includes(name) && !existsSync(join(mirror, name)))
          symlinkSync(join(folder, name), join(mirror, name));
      return mirror;
    })
    .join(delimiter);
}

/** An environment in which nothing depends on whose machine this is: PATH, home and git's configuration are the tests' own. */
export function cleanEnvironment(given: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const kept = Object.entries(given).flatMap(([name, value]) => {
    return value === undefined || (SETTINGS.test(name) && !OF_TESTS.test(name))
      ? []
      : [[name, value] as const];
  });
  const home = join(ownFolder(), 'home');
  mkdirSync(home, { recursive: true });
  // npm's registries and its cache are not settings of Loadout
  const npm = { npm_config_userconfig: join(homedir(), '.npmrc'), npm_config_cache: join(homedir(), '.npm') };
  return {
    ...npm,
    ...Object.fromEntries(kept),
    PATH: cleanPath(given.PATH ?? ''),
    HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: join(home, '.gitconfig'),
  };
}
