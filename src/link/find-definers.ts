import type { ResolvedImport } from './import-graph.ts';

const MAX_DEPTH = 8;
/** A name that so many files do not define is not going to be found. */
const MAX_VISITED = 256;
const NONE: readonly ResolvedImport[] = [];

export type FindDefiners = (target: string, name: string) => readonly string[];

/**
 * Follows a name through files that pass it on (barrels, package roots, facades) to those that define it; what
 * passes it on is told from the imports alone, so that this works for every language. A name that is defined
 * nowhere stays with the last file that was named for it.
 */
export function createFindDefiners(
  importsOf: ReadonlyMap<string, readonly ResolvedImport[]>,
  exportsOf: (path: string) => ReadonlySet<string>,
): FindDefiners {
  const known = new Map<string, Map<string, readonly string[]>>();

  function search(target: string, name: string): readonly string[] {
    const visited = new Set([target]);
    let named: readonly string[] = [target];
    let level: readonly string[] = named;
    for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
      const found = level.filter((path) => exportsOf(path).has(name));
      if (found.length > 0) return found;
      const exact: string[] = [];
      const wild: string[] = [];
      for (const path of level) {
        const step = passedOn(importsOf.get(path) ?? NONE, name);
        for (const next of step.targets) {
          if (visited.has(next) || visited.size >= MAX_VISITED) continue;
          visited.add(next);
          (step.isExact ? exact : wild).push(next);
        }
      }
      if (exact.length > 0) named = exact;
      level = [...exact, ...wild];
    }
    return named;
  }

  return (target, name) => {
    let ofTarget = known.get(target);
    if (!ofTarget) {
      ofTarget = new Map();
      known.set(target, ofTarget);
    }
    let answer = ofTarget.get(name);
    if (!answer) {
      answer = search(target, name);
      ofTarget.set(name, answer);
    }
    return answer;
  };
}

interface Step {
  readonly isExact: boolean;
  readonly targets: readonly string[];
}

/** Where a file may have a name from: said by name, else renamed from a default, else taken with everything. */
function passedOn(imports: readonly ResolvedImport[], name: string): Step {
  if (name === 'default') return defaultOf(imports);
  const exact = imports.filter(({ reference }) => reference.names.includes(name));
  const chosen = exact.length > 0 ? exact : renamedDefaults(imports, name);
  if (chosen.length > 0) return { isExact: true, targets: chosen.flatMap((one) => targetsFor(one, name)) };
  const wild = imports.filter(({ reference }) => reference.names.includes('*'));
  return { isExact: false, targets: wild.flatMap((one) => one.targets) };
}

/** With several defaults passed on, each under a name of its own, none of them is the default of this file. */
function defaultOf(imports: readonly ResolvedImport[]): Step {
  const found = imports.filter(
    ({ reference }) => reference.kind === 'reexport' && reference.names.includes('default'),
  );
  return { isExact: true, targets: found.length === 1 ? found[0]!.targets : [] };
}

/** `export { default as Button } from './button'`: references keep the other side's name only. */
function renamedDefaults(imports: readonly ResolvedImport[], name: string): ResolvedImport[] {
  const wanted = simplified(name);
  return imports.filter(
    ({ reference, targets }) =>
      reference.kind === 'reexport' &&
      reference.names.includes('default') &&
      targets.some((target) => simplified(moduleNameOf(target)) === wanted),
  );
}

/** Of the targets of one statement, the module called like the name; else those that no other name claims. */
export function targetsFor({ reference, targets }: ResolvedImport, name: string): readonly string[] {
  if (targets.length < 2) return targets;
  const called = targets.filter((target) => moduleNameOf(target) === name);
  if (called.length > 0) return called;
  const rest = targets.filter((target) => !reference.names.includes(moduleNameOf(target)));
  return rest.length > 0 ? rest : targets;
}

function simplified(name: string): string {
  return name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}

/** `user` for `user.ts`, `user/index.ts`, `user/__init__.py` and `user/mod.rs`. */
function moduleNameOf(path: string): string {
  const segments = path.split('/');
  const stem = segments.pop()!.replace(/\..*$/, '');
  return /^(index|__init__|mod|init)$/.test(stem) ? (segments.pop() ?? stem) : stem;
}
