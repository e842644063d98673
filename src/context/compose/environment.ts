import type { PackEnvironment, RepositoryCommand } from '../../model/context-pack.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import type { SnapshotFile } from '../../model/snapshot.ts';
import { parseJsonDocument } from '../../schema/parse-json-document.ts';
import { parseYamlSafely } from '../../schema/parse-yaml-safely.ts';
import type { CountTokens } from '../fit/index.ts';
import type { SourceReader } from './source.ts';

/** The commands that a change of code needs first. */
const ORDER: readonly Purpose[] = ['test', 'build', 'install', 'lint', 'types', 'format', 'run'];
/** Tokens of the frame around one command. */
const FRAME = 8;

/** How to build and test here, as the repository's own files say; nothing is run. */
export async function findEnvironment(
  manifests: Manifests,
  room: number,
  count: CountTokens,
): Promise<PackEnvironment> {
  const found = [readPackageScripts, readMakeTargets, readKnownTools];
  const commands = (await Promise.all(found.map((read) => read(manifests)))).flat();
  if (!commands.some(({ purpose }) => purpose === 'test'))
    commands.push(...(await readWorkflowCommands(manifests)));
  const kept: RepositoryCommand[] = [];
  let left = room;
  for (const purpose of ORDER) {
    // the first manifest says it best; but tests of a second language are in a second manifest
    const meant = commands.filter((one) => one.purpose === purpose).slice(0, purpose === 'test' ? 2 : 1);
    for (const command of meant) {
      const cost = count(`${command.command} ${command.path}`) + FRAME;
      if (cost > left) continue;
      left -= cost;
      kept.push(command);
    }
  }
  return { commands: kept };
}

const FILES: readonly (readonly [path: string, program: string])[] = [
  ['Makefile', 'make'],
  ['makefile', 'make'],
  ['GNUmakefile', 'make'],
  ['justfile', 'just'],
  ['Justfile', 'just'],
];
const TARGETS = /^@?([A-Za-z][\w.:-]*?)(?: +[^:=\n]*)?:(?![:=])/gm;

/** Targets with telling names. */
const readMakeTargets: CommandReader = (manifests) =>
  FILES.flatMap(([path, program]) => {
    const text = manifests.text(path);
    if (text === null) return [];
    const targets = new Set(Array.from(text.matchAll(TARGETS), ([, name]) => name!));
    return SCRIPT_NAMES.flatMap(([purpose, names]): RepositoryCommand[] => {
      const target = names.find((name) => targets.has(name));
      return target === undefined ? [] : [{ purpose, command: `${program} ${target}`, path }];
    });
  });

const FOLDER = '.github/workflows';
const MAX_FILES = 12;
const MAX_COMMAND = 160;
/** A step is a test if its line says so. The purpose of other steps is less certain. */
const TELLING: readonly (readonly [Purpose, RegExp])[] = [
  ['test', /\b(?:run)?tests?\b|\b(?:py|r?spec|phpunit|ctest|tox|nox|jest|vitest)\b/i],
  ['lint', /\b(?:lint|flake8|ruff|rubocop|clippy|eslint)\b/i],
];
/** Steps that prepare, report or depend on the machine that runs them. */
const OF_THE_MACHINE =
  /\$\{\{|\b(?:apt|apt-get|brew|curl|wget|sudo|docker|git|echo|pip|upload|deploy|publish)\b/;

/** The commands of continuous integration: the last place to look, and often the only one with the test command. */
const readWorkflowCommands: CommandReader = async (manifests) => {
  const found: RepositoryCommand[] = [];
  const paths = manifests.within(FOLDER).filter((path) => /\.ya?ml$/.test(path));
  for (const path of paths.sort(byPromise).slice(0, MAX_FILES)) {
    const text = manifests.text(path);
    if (text === null) continue;
    for (const line of await runLines(text, path)) {
      const purpose = TELLING.find(([, pattern]) => pattern.test(line))?.[0];
      if (purpose && line.length <= MAX_COMMAND && !OF_THE_MACHINE.test(line))
        found.push({ purpose, command: line, path });
    }
  }
  return found;
};

function byPromise(one: string, other: string): number {
  const promise = (path: string) => (/(?:^|\/)(?:tests?|ci)\b[^/]*$/.test(path) ? 0 : 1);
  return promise(one) - promise(other) || (one < other ? -1 : 1);
}

async function runLines(text: string, path: string): Promise<string[]> {
  try {
    const { value } = await parseYamlSafely(text, path);
    return runsIn(value).flatMap((run) => run.split('\n').map((line) => line.trim()));
  } catch (error) {
    if (error instanceof LoadoutError) return [];
    throw error;
  }
}

/** The texts of all `run` keys, at any depth. */
function runsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(runsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'run' && typeof inner === 'string' ? [inner] : runsIn(inner),
  );
}

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
const readPackageScripts: CommandReader = (manifests) =>
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

/** Usual names of scripts and targets, best first. */
const SCRIPT_NAMES: readonly (readonly [purpose: Purpose, names: readonly string[]])[] = [
  ['build', ['build', 'compile', 'all']],
  ['test', ['test', 'tests', 'check', 'test:unit', 'unit', 'unit-test']],
  ['lint', ['lint', 'lint:check', 'eslint', 'phpcs']],
  ['format', ['format', 'fmt', 'format:check', 'prettier', 'style']],
  ['types', ['typecheck', 'type-check', 'types', 'check-types', 'tsc', 'phpstan']],
  ['run', ['start', 'dev', 'serve', 'run']],
];

interface ToolRule {
  /** The tool is in use if one of these files exists. */
  readonly files: readonly string[];
  /** And holds this, if anything is asked for. */
  readonly holds?: RegExp;
  /** This file must exist as well. */
  readonly beside?: string;
  readonly commands: readonly (readonly [Purpose, string])[];
}

/** The tools that a file at the top of a repository implies; narrower rules first. */
const RULES: readonly ToolRule[] = [
  { files: ['uv.lock'], commands: [['install', 'uv sync']] },
  { files: ['poetry.lock'], commands: [['install', 'poetry install']] },
  { files: ['Pipfile'], commands: [['install', 'pipenv install --dev']] },
  { files: ['pyproject.toml', 'setup.py', 'setup.cfg'], commands: [['install', 'pip install -e .']] },
  {
    files: ['pyproject.toml', 'setup.cfg', 'tox.ini', 'pytest.ini', 'conftest.py'],
    holds: /pytest/,
    commands: [['test', 'pytest']],
  },
  { files: ['tox.ini'], commands: [['test', 'tox']] },
  { files: ['noxfile.py'], commands: [['test', 'nox']] },
  { files: ['pyproject.toml', 'ruff.toml'], holds: /ruff|line-length/, commands: [['lint', 'ruff check .']] },
  { files: ['.flake8', 'setup.cfg', 'tox.ini'], holds: /flake8/, commands: [['lint', 'flake8']] },
  { files: ['pyproject.toml'], holds: /\[tool\.black\]/, commands: [['format', 'black .']] },
  {
    files: ['pyproject.toml', 'mypy.ini', 'setup.cfg'],
    holds: /\[(?:tool\.)?mypy\]/,
    commands: [['types', 'mypy .']],
  },
  {
    files: ['go.mod'],
    commands: [
      ['build', 'go build ./...'],
      ['test', 'go test ./...'],
      ['lint', 'go vet ./...'],
    ],
  },
  {
    files: ['Cargo.toml'],
    commands: [
      ['build', 'cargo build'],
      ['test', 'cargo test'],
      ['lint', 'cargo clippy'],
      ['format', 'cargo fmt'],
    ],
  },
  {
    files: ['gradlew'],
    commands: [
      ['build', './gradlew build'],
      ['test', './gradlew test'],
    ],
  },
  {
    files: ['build.gradle', 'build.gradle.kts'],
    commands: [
      ['build', 'gradle build'],
      ['test', 'gradle test'],
    ],
  },
  {
    files: ['pom.xml'],
    beside: 'mvnw',
    commands: [
      ['build', './mvnw package'],
      ['test', './mvnw test'],
    ],
  },
  {
    files: ['pom.xml'],
    commands: [
      ['build', 'mvn package'],
      ['test', 'mvn test'],
    ],
  },
  { files: ['Gemfile'], commands: [['install', 'bundle install']] },
  { files: ['.rspec'], commands: [['test', 'bundle exec rspec']] },
  { files: ['Rakefile'], holds: /test/i, commands: [['test', 'bundle exec rake test']] },
  { files: ['.rubocop.yml'], commands: [['lint', 'bundle exec rubocop']] },
  { files: ['phpunit.xml', 'phpunit.xml.dist'], commands: [['test', 'vendor/bin/phpunit']] },
  {
    files: ['mix.exs'],
    commands: [
      ['install', 'mix deps.get'],
      ['test', 'mix test'],
      ['format', 'mix format'],
    ],
  },
  {
    files: ['Package.swift'],
    commands: [
      ['build', 'swift build'],
      ['test', 'swift test'],
    ],
  },
  {
    files: ['build.zig'],
    commands: [
      ['build', 'zig build'],
      ['test', 'zig build test'],
    ],
  },
  { files: ['build.sbt'], commands: [['test', 'sbt test']] },
  { files: ['pubspec.yaml'], commands: [['test', 'dart test']] },
  {
    files: ['CMakeLists.txt'],
    commands: [
      ['build', 'cmake -B build && cmake --build build'],
      ['test', 'ctest --test-dir build'],
    ],
  },
  {
    files: ['deno.json', 'deno.jsonc'],
    commands: [
      ['test', 'deno test'],
      ['lint', 'deno lint'],
    ],
  },
];

/** Commands that follow from which tools a repository uses. */
const readKnownTools: CommandReader = (manifests) =>
  RULES.flatMap(({ files, holds, beside, commands }): RepositoryCommand[] => {
    if (beside !== undefined && !manifests.has(beside)) return [];
    const path = files.find((one) => manifests.has(one) && (!holds || holds.test(manifests.text(one) ?? '')));
    return path === undefined ? [] : commands.map(([purpose, command]) => ({ purpose, command, path }));
  });

type Purpose = RepositoryCommand['purpose'];

/** The files at the top of a repository that show how to work on it. */
export interface Manifests {
  has(path: string): boolean;
  /** Null when it is not there or cannot be read. */
  text(path: string): string | null;
  /** Paths below a folder of the root. */
  within(folder: string): readonly string[];
}

/** Reads commands out of one kind of manifest. Nothing is run: what a file says is taken as text. */
type CommandReader = (manifests: Manifests) => RepositoryCommand[] | Promise<RepositoryCommand[]>;

/** The manifests among the listed files. */
export function manifestsOf(
  files: readonly SnapshotFile[],
  sources: SourceReader,
  allow: (path: string) => boolean,
): Manifests {
  const has = (path: string) => sources.fileAt(path) !== undefined && allow(path);
  return {
    has,
    text: (path) => (has(path) ? (sources.read(path)?.text ?? null) : null),
    within: (folder) => files.map(({ path }) => path).filter((path) => path.startsWith(`${folder}/`)),
  };
}
