import type { ImportResolver, LinkContext } from '../../model/import-resolver.ts';
import type { ImportKind } from '../../model/parsed-file.ts';
import { createLinkContext } from './link-files.ts';

/** A repository for tests: paths with their texts, and the packages that files declare. */
export function fixtureContext(
  files: Readonly<Record<string, string>>,
  packages: Readonly<Record<string, readonly string[]>> = {},
): LinkContext {
  const texts = new Map(Object.entries(files));
  return createLinkContext(
    [...texts.keys()],
    new Map(Object.entries(packages)),
    (path) => texts.get(path) ?? null,
  );
}

/** Paths only, for repositories whose texts do not matter. */
export function listed(...paths: readonly string[]): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [path, '']));
}

export type ResolveFixture = (
  from: string,
  specifier: string,
  names?: readonly string[],
  kind?: ImportKind,
) => readonly string[] | 'external' | 'unresolved';

/** One import after the other, with the answer in a form that reads well in an assertion. */
export function resolveIn(resolver: ImportResolver, context: LinkContext): ResolveFixture {
  const resolve = resolver(context);
  return (from, specifier, names = [], kind = 'import') => {
    const answer = resolve(from, { kind, specifier, names, line: 1, endLine: 1 });
    return answer.kind === 'resolved' ? answer.paths : answer.kind;
  };
}
