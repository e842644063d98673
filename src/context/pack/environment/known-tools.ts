import type { RepositoryCommand } from '../../../model/context-pack.ts';
import type { CommandReader, Purpose } from './manifests.ts';

interface ToolRule {
  /** The tool is used where one of these files is there. */
  readonly files: readonly string[];
  /** And holds this, if anything is asked for. */
  readonly holds?: RegExp;
  /** And this one is there as well. */
  readonly beside?: string;
  readonly commands: readonly (readonly [Purpose, string])[];
}

/** What a file at the top of a repository says about the tools in use; narrower rules first. */
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
export const readKnownTools: CommandReader = (manifests) =>
  RULES.flatMap(({ files, holds, beside, commands }): RepositoryCommand[] => {
    if (beside !== undefined && !manifests.has(beside)) return [];
    const path = files.find((one) => manifests.has(one) && (!holds || holds.test(manifests.text(one) ?? '')));
    return path === undefined ? [] : commands.map(([purpose, command]) => ({ purpose, command, path }));
  });
