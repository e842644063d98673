const MOST_FOLDERS_KEPT = 100_000;

/**
 * Works out a fact for a folder from the fact of the folder above, once per folder. `''` is the root.
 * Goes down from the root in a loop: a hostile tree may be deeper than the call stack.
 */
export function inheritByFolder<Fact>(
  rootFact: Fact,
  derive: (above: Fact, folder: string) => Fact,
): (folder: string) => Fact {
  const facts = new Map<string, Fact>();
  return (folder) => {
    if (folder === '') return rootFact;
    const known = facts.get(folder);
    if (known !== undefined) return known;
    if (facts.size > MOST_FOLDERS_KEPT) facts.clear();
    let fact = rootFact;
    for (let end = folder.indexOf('/'); ; end = folder.indexOf('/', end + 1)) {
      const ancestor = end === -1 ? folder : folder.slice(0, end);
      const above = fact;
      fact = facts.get(ancestor) ?? derive(above, ancestor);
      facts.set(ancestor, fact);
      if (end === -1) return fact;
    }
  };
}

export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '' : path.slice(0, slash);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
