import { type CommitTable, PLAIN, RENAMED } from '../format/history-codec.ts';

/** Renames undone on another branch could lead in a circle. */
const LONGEST_CHAIN = 16;

/**
 * For each change of a table whose commits stand newest first: the place in `paths` of the name that the file has
 * today. Going back in time, a rename tells what older commits mean by the former name.
 */
export function followRenames(table: CommitTable): Uint32Array {
  const { paths, changeStarts, changedPaths, changeOrigins } = table;
  const today = new Uint32Array(paths.length);
  for (let path = 0; path < today.length; path++) today[path] = path;
  /** Paths that a newer commit has created once more: then the name alone does not tell which file is meant. */
  const createdLater = new Uint8Array(paths.length);
  /** The name today, or -1, of what a commit means that does not know yet of a rename on another branch. */
  const elsewhere = new Int32Array(paths.length).fill(-1);
  const names = new Uint32Array(changedPaths.length);
  for (let commit = 0; commit + 1 < changeStarts.length; commit++) {
    const [start, end] = [changeStarts[commit]!, changeStarts[commit + 1]!];
    for (let at = start; at < end; at++) {
      names[at] = today[changedPaths[at]!]!;
      if (changeOrigins[at] !== PLAIN) createdLater[changedPaths[at]!] = 1;
    }
    // after all names of the commit are known: two files may have changed places
    for (let at = start; at < end; at++) {
      if (changeOrigins[at]! < RENAMED) continue;
      const from = changeOrigins[at]! - RENAMED;
      today[from] = names[at]!;
      if (createdLater[from] === 0) elsewhere[from] = names[at]!;
    }
  }
  for (let at = 0; at < names.length; at++) {
    let name = names[at]!;
    for (let step = 0; step < LONGEST_CHAIN && elsewhere[name] !== -1; step++) name = elsewhere[name]!;
    names[at] = name;
  }
  return names;
}
