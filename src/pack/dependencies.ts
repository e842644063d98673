import type { ContextItem, Dependency } from '../model/context-pack.ts';
import type { IndexView } from '../model/index-view.ts';

/** Says which of the shown files need which. */
export type FindDependencies = (items: readonly Pick<ContextItem, 'path' | 'form'>[]) => Dependency[];

/** Edges between items, those of the best items first; as many as there is room for. */
export function createDependencyFinder(
  { links, snapshot }: IndexView,
  numbers: ReadonlyMap<string, number>,
  room: number,
  price: (dependency: Dependency) => number,
): FindDependencies {
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
    const kept = found.filter((one) => {
      const cost = price(one);
      if (cost > left) return false;
      left -= cost;
      return true;
    });
    return kept.sort((a, b) => compare(a.from, b.from) || compare(a.to, b.to));
  };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
