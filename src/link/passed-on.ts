import type { ResolvedImport } from './import-graph.ts';

/** Where a file may have the names from that others import of it. */
export interface PassedOn {
  /** Files that something said by name, or a file name like the name, leads to. */
  named(name: string): readonly string[];
  /** Files that everything is taken from; empty for a name that was said. */
  wild(name: string): readonly string[];
}

const PACKAGE_ROOT = /^(index|__init__|mod|init)$/;
const NONE: readonly string[] = [];

/** Read once per file: some barrels have hundreds of statements and thousands of importers. */
export function readPassedOn(imports: readonly ResolvedImport[]): PassedOn {
  const said = new Map<string, string[]>();
  const alike = new Map<string, string[]>();
  const everything: string[] = [];
  const defaults: string[][] = [];
  for (const one of imports) {
    const { names, kind } = one.reference;
    for (const name of names)
      if (name !== '*' && name !== 'default') append(said, name, targetsFor(one, name));
    if (names.includes('*')) everything.push(...one.targets);
    if (kind !== 'reexport') continue;
    if (names.includes('default')) defaults.push([...one.targets]);
    // `export { default as Button } from './button'`, `export * as button from './button'`: references keep the
    // other side's name only, but people seldom choose a name that has nothing to do with the file
    if (names.includes('*') || names.includes('default'))
      for (const target of one.targets) append(alike, simplified(moduleNameOf(target)), [target]);
  }
  // with several defaults passed on, each under a name of its own, none is the default of this file
  said.set('default', defaults.length === 1 ? defaults[0]! : []);
  return {
    named: (name) => said.get(name) ?? alike.get(simplified(name)) ?? NONE,
    wild: (name) => (said.has(name) ? NONE : everything),
  };
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
  return name.replace(/[-_.]/g, '').toLowerCase();
}

/** `user` for `user.ts`, `user/index.ts`, `user/__init__.py` and `user/mod.rs`. */
function moduleNameOf(path: string): string {
  const slash = path.lastIndexOf('/');
  const dot = path.indexOf('.', slash + 1);
  const stem = path.slice(slash + 1, dot < 0 ? undefined : dot);
  if (slash < 0 || !PACKAGE_ROOT.test(stem)) return stem;
  return path.slice(path.lastIndexOf('/', slash - 1) + 1, slash);
}

function append(map: Map<string, string[]>, key: string, values: readonly string[]): void {
  const known = map.get(key);
  if (known) known.push(...values);
  else map.set(key, [...values]);
}
