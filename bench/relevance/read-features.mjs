import { readFileSync } from 'node:fs';
import { isSamePath } from './score.mjs';

/**
 * Tasks with the evidence of their candidates, as `run.mjs --features` writes them: the first line has the names of
 * the columns and says which are roles; every other line is a task.
 */
export function readFeatures(files, { roles = null, ignore = [] } = {}) {
  const tasks = [];
  let header = null;
  for (const file of files) {
    const [first, ...lines] = readFileSync(file, 'utf8').split('\n').filter(Boolean);
    const { names, roles: own = [], weights = {} } = JSON.parse(first);
    if (header && header.names.join() !== names.join())
      throw new Error(`${file}: other columns than in the files before it`);
    header = { names, roles: roles ?? own, weights };
    for (const line of lines) tasks.push(toTask(JSON.parse(line)));
  }
  if (!header || tasks.length === 0) throw new Error('no tasks');
  const kept = header.names.filter((name) => !ignore.includes(name));
  const evidence = kept.filter((name) => !header.roles.includes(name));
  const places = (list) => list.map((name) => header.names.indexOf(name));
  return {
    evidence,
    roles: header.roles,
    /** Those in use when the features were written. */
    weights: header.weights,
    tasks: tasks.map((task) => ({
      ...task,
      columns: columnsOf(task, places(evidence)),
      roleColumns: columnsOf(task, places(header.roles)),
      rows: undefined,
    })),
  };
}

function toTask({ set, id, repo, root, language, gold, files }) {
  const isSearch = set === 'semble' || root !== undefined;
  // by path, so that the place of a row breaks ties as the ranking does
  const rows = files.toSorted((a, b) => (a[0] < b[0] ? -1 : 1));
  const isWanted = isSearch
    ? (path) => gold.some((wanted) => isSamePath(path, wanted))
    : (path) => gold.includes(path);
  const found = rows.flatMap(([path], at) => (isWanted(path) ? [at] : []));
  const inRoot = isSearch ? rows.map(([path]) => !root || path.startsWith(`${root}/`)) : null;
  return { set, id, repo, language, wanted: new Set(gold).size, found, inRoot, isSearch, rows };
}

function columnsOf({ rows }, places) {
  return places.map((place) => Float64Array.from(rows, (row) => row[place + 1]));
}
