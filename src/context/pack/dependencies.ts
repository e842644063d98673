import type { ContextItem, Dependency } from '../../model/context-pack.ts';
import type { IndexView } from '../../model/index-view.ts';
import { externalPackages } from '../../scan/external-packages.ts';

/** Says which of the shown files need which. */
export type FindDependencies = (items: readonly Pick<ContextItem, 'path' | 'form'>[]) => Dependency[];

/** Packages outside of the repository tell less than the files: so much of the room may be theirs. */
const PACKAGES_SHARE = 1 / 3;

/** Edges between items, those of the best items first, then to packages outside; as many as there is room for. */
export function createDependencyFinder(
  index: IndexView,
  numbers: ReadonlyMap<string, number>,
  room: number,
  price: (dependency: Dependency) => number,
): FindDependencies {
  const { links, snapshot } = index;
  const targetsOf = (file: number): number[] => {
    const { imports, definers } = links;
    return [
      ...imports.targets.subarray(imports.starts[file], imports.starts[file + 1]),
      ...definers.targets.subarray(definers.starts[file], definers.starts[file + 1]),
    ];
  };
  return (items) => {
    const shown = items.filter(({ form }) => form !== 'mention');
    const places = new Map(shown.map(({ path }, place) => [path, place]));
    const found = shown.flatMap(({ path: from }) => {
      const file = numbers.get(from);
      if (file === undefined) return [];
      const targets = [...new Set(targetsOf(file).map((target) => snapshot.files[target]!.path))];
      return targets.filter((to) => to !== from && places.has(to)).map((to): Dependency => ({ from, to }));
    });
    const rank = ({ from, to }: Dependency) => places.get(from)! + places.get(to)!;
    found.sort((a, b) => rank(a) - rank(b) || places.get(a.from)! - places.get(b.from)!);
    let left = room;
    const affordable = (some: readonly Dependency[]): Dependency[] =>
      some.filter((one) => {
        const cost = price(one);
        if (cost > left) return false;
        left -= cost;
        return true;
      });
    const kept = affordable(found);
    left = Math.min(left, Math.floor(room * PACKAGES_SHARE));
    const packages = shown.flatMap(({ path: from }) => {
      const file = left > 0 ? numbers.get(from) : undefined;
      const names = file === undefined ? [] : externalPackages(index, file);
      return affordable(names.map((to): Dependency => ({ from, to, external: true })));
    });
    return [...kept, ...packages].sort((a, b) => compare(a.from, b.from) || compare(a.to, b.to));
  };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
