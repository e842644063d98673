// Facts about folders that hold for everything below them, such as "ignored" or "holds tests".

/** More facts than this are forgotten, to bound memory. */
const MAX_FOLDERS_KEPT = 100_000;

/**
 * Computes a fact for a folder from the fact of the folder above, once for each folder. `''` is the root. It climbs in
 * a loop, because a hostile tree may be deeper than the call stack.
 */
export function inheritByFolder<Fact extends boolean | object>(
  rootFact: Fact,
  derive: (above: Fact, folder: string) => Fact,
): (folder: string) => Fact {
  const facts = new Map<string, Fact>();
  const workOut = (folder: string): Fact => {
    if (facts.size > MAX_FOLDERS_KEPT) facts.clear();
    const unknown: string[] = [];
    let ancestor = folder;
    while (ancestor !== '' && !facts.has(ancestor)) {
      unknown.push(ancestor);
      ancestor = folderOf(ancestor);
    }
    let fact = facts.get(ancestor) ?? rootFact;
    for (const next of unknown.reverse()) {
      fact = derive(fact, next);
      facts.set(next, fact);
    }
    return fact;
  };
  // Paths are sorted, so the same folder is asked for many times in a row.
  let lastFolder = '';
  let lastFact = rootFact;
  return (folder) => {
    if (folder !== lastFolder) {
      lastFact = workOut(folder);
      lastFolder = folder;
    }
    return lastFact;
  };
}

/** `a/b` of `a/b/c.ts`; `''` for a file at the root. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '' : path.slice(0, slash);
}

/** The last segment of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
