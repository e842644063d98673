import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE_SETS = ['swebench', 'commits', 'multilingual', 'multimodal'];
const SEARCH_SET = 'semble';

function readLines(file) {
  return readFileSync(file, 'utf8').split('\n').filter(Boolean).map(JSON.parse);
}

/**
 * The tasks of the development sets that lie in `folder`, all in one shape: `set`, `id`, `repo` (owner/name), `base`
 * (commit), `task`, `gold` (paths), `language`, and for searches `root` (the folder that published figures look at).
 */
export function readSets(folder) {
  const found = FILE_SETS.flatMap((set) => {
    const file = join(folder, set, 'instances.dev.jsonl');
    return existsSync(file) ? readLines(file).map((instance) => fromInstance(set, instance)) : [];
  });
  return [...found, ...readSearches(join(folder, SEARCH_SET))];
}

function fromInstance(
  set,
  { id, repo, base_commit: base, task, gold_files: gold, language, created_at: at },
) {
  return { set, id, repo, base, task, gold, language: language ?? 'Python', at: String(at ?? id) };
}

function readSearches(folder) {
  if (!existsSync(join(folder, 'queries.dev.jsonl'))) return [];
  const repos = new Map(readLines(join(folder, 'repos.dev.jsonl')).map((repo) => [repo.name, repo]));
  return readLines(join(folder, 'queries.dev.jsonl')).map(
    ({ repo: name, query, language, relevant, secondary }) => {
      const { url, checked_out: base, benchmark_root: root } = repos.get(name);
      return {
        set: SEARCH_SET,
        id: `${name}: ${query}`,
        repo: url.replace(/^github:/, ''),
        base,
        task: query,
        gold: [...relevant, ...secondary].map(({ path }) => path),
        language,
        root: root ?? '',
        at: '',
      };
    },
  );
}
