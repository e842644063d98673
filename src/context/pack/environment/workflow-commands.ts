import type { RepositoryCommand } from '../../../model/context-pack.ts';
import { LoadoutError } from '../../../model/loadout-error.ts';
import { parseYamlSafely } from '../../../schema/parse-yaml-safely.ts';
import type { CommandReader, Purpose } from './manifests.ts';

const FOLDER = '.github/workflows';
const MOST_FILES = 12;
const LONGEST_COMMAND = 160;
/** A step that tests is one whose line says so; the others are told less surely. */
const TELLING: readonly (readonly [Purpose, RegExp])[] = [
  ['test', /\b(?:run)?tests?\b|\b(?:py|r?spec|phpunit|ctest|tox|nox|jest|vitest)\b/i],
  ['lint', /\b(?:lint|flake8|ruff|rubocop|clippy|eslint)\b/i],
];
/** Steps that prepare, report or depend on the machine that runs them. */
const OF_THE_MACHINE =
  /\$\{\{|\b(?:apt|apt-get|brew|curl|wget|sudo|docker|git|echo|pip|upload|deploy|publish)\b/;

/** What continuous integration runs: the last place to look, and often the only one that says how to test. */
export const readWorkflowCommands: CommandReader = async (manifests) => {
  const found: RepositoryCommand[] = [];
  const paths = manifests.within(FOLDER).filter((path) => /\.ya?ml$/.test(path));
  for (const path of paths.sort(byPromise).slice(0, MOST_FILES)) {
    const text = manifests.text(path);
    if (text === null) continue;
    for (const line of await runLines(text, path)) {
      const purpose = TELLING.find(([, pattern]) => pattern.test(line))?.[0];
      if (purpose && line.length <= LONGEST_COMMAND && !OF_THE_MACHINE.test(line))
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

/** The texts of all `run` keys, wherever they stand. */
function runsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(runsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'run' && typeof inner === 'string' ? [inner] : runsIn(inner),
  );
}
