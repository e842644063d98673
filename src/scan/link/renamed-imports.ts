import type { ImportReference } from '../../model/import-reference.ts';

/** A name of another file, and what the importing file calls it. */
export interface TakenName {
  readonly name: string;
  readonly local: string;
}

const AS = ' as ';

export function takenNames({ names }: ImportReference): readonly TakenName[] {
  return names.map((entry) => {
    const at = entry.indexOf(AS);
    return at < 0
      ? { name: entry, local: entry }
      : { name: entry.slice(0, at), local: entry.slice(at + AS.length) };
  });
}

/** The reference with the other side's names only, as resolvers want it. */
export function withoutRenames(reference: ImportReference): ImportReference {
  if (!reference.names.some((entry) => entry.includes(AS))) return reference;
  return { ...reference, names: [...new Set(takenNames(reference).map(({ name }) => name))] };
}
