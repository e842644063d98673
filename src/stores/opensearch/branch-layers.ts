import type { StoreFilter } from '../../model/knowledge-store.ts';

export type Query = Readonly<Record<string, unknown>>;

/**
 * Each update is a layer with a name of its own. A file carries the layers that brought it (`on`) and those that took
 * it away (`off`); a snapshot is a list of layers, oldest first. So a branch that starts from another one shares its
 * layers, a change marks what has changed, and what an update that came to nothing has left behind is in no list.
 */
export type Layers = readonly string[];

/** Beyond this an update marks all files anew: the longer the list, the slower every search. */
export const MAX_LAYERS = 40;

/** A file is there when the last of the layers that says something about it brought it. */
export function inLayers(layers: Layers): Query {
  const should = layers.map((layer, at) => {
    const later = layers.slice(at + 1);
    return {
      bool: {
        filter: [{ term: { on: layer } }],
        ...(later.length > 0 ? { must_not: [{ terms: { off: later } }] } : {}),
      },
    };
  });
  return { bool: { should, minimum_should_match: 1 } };
}

export interface SnapshotScope {
  readonly team: string;
  readonly repository: string;
  readonly layers: Layers;
}

/** The team is in every filter, although no layer belongs to two. */
export function inSnapshot({ team, repository, layers }: SnapshotScope): Query[] {
  return [{ term: { kind: 'file' } }, { term: { team } }, { term: { repository } }, inLayers(layers)];
}

/** Null: no file can be what the filter wants. */
export function chosenFiles({ languages, paths }: StoreFilter): Query[] | null {
  if (languages?.length === 0 || paths?.length === 0) return null;
  const chosen: Query[] = [];
  if (languages) chosen.push({ terms: { language: languages } });
  if (paths) chosen.push({ bool: { should: paths.map(pathQuery), minimum_should_match: 1 } });
  return chosen;
}

function pathQuery(pattern: string): Query {
  if (!pattern.includes('*')) return { term: { path: pattern } };
  return { wildcard: { path: { value: pattern.replace(/[\\?]/g, '\\$&') } } };
}
