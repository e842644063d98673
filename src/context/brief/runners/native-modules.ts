import { fromFolder, inFolder, shell, type TestLookup } from './test-lookup.ts';

/** Systems and versions are build constraints too, but no tags that a command could set. */
const NOT_A_TAG = /^(?:linux|darwin|windows|unix|freebsd|amd64|arm64|cgo|race|ignore)$/;

/** `go test` for the package of the file, in its module. */
export function checkWithGo(test: TestLookup): string | null {
  const module = test.nearest('go.mod');
  if (module === undefined) return null;
  const [folder] = test.folders;
  const tag = /^\/\/go:build (\w+)[ \t]*$/m.exec(test.source)?.[1];
  const options = tag === undefined || NOT_A_TAG.test(tag) ? '' : `-tags ${tag} `;
  const target = folder === module ? '.' : shell`./${fromFolder(module, folder!)}`;
  return target && inFolder(module, `go test ${options}${target}${goPattern(test)}`);
}

/** ` -run` with a whole name. A method of a suite cannot be run alone, so its package is run. */
function goPattern({ name, source }: TestLookup): string {
  const [test = '', ...cases] = name?.replaceAll(' ', '_').split('/') ?? [];
  if (!/^(?:Test|Fuzz|Example)\w*$/.test(test) || !cases.every((one) => /^[\w-]+$/.test(one))) return '';
  if (source !== '' && !source.includes(`func ${test}(`)) return '';
  return ` -run '${[test, ...cases].map((one) => `^${one}$`).join('/')}'`;
}

/** `cargo test` for the crate of the file: its library, or the integration test that the file belongs to. */
export function checkWithCargo(test: TestLookup): string | null {
  const crate = test.folders.find((folder) => valueIn(test.text(folder, 'Cargo.toml'), '[package]', 'name'));
  if (crate === undefined) return null;
  const manifest = test.text(crate, 'Cargo.toml');
  const isRoot = (folder: string) => /^\[workspace\]/m.test(test.text(folder, 'Cargo.toml'));
  const isMember = !isRoot(crate) && test.above(crate).some(isRoot);
  const start = isMember ? shell`cargo test -p ${valueIn(manifest, '[package]', 'name')} ` : 'cargo test ';
  const filter = /^\w+$/.test(test.name ?? '') ? test.name! : modulePath(test.from(crate));
  const rest = cargoFeatures(test.source, manifest) + cargoTarget(test, crate, manifest) + filter;
  return start && inFolder(isMember ? '' : crate, (start + rest).trim());
}

function cargoTarget(test: TestLookup, crate: string, manifest: string): string {
  const [top, second = '', ...deeper] = test.from(crate).split('/');
  if (top === 'src')
    return test.has(crate, 'src/lib.rs') && second !== 'main.rs' && second !== 'bin' ? '--lib ' : '';
  const own = deeper.length === 0 ? `tests/${second}` : `tests/${second}/main.rs`;
  const root = [own, 'tests/main.rs', 'tests/mod.rs'].find((file) => test.has(crate, file));
  if (top !== 'tests' || root === undefined) return '';
  const blocks = manifest.split('[[test]]').slice(1);
  const listed = blocks.find((block) => valueIn(block, '', 'path') === root) ?? '';
  const name = valueIn(listed, '', 'name') ?? (root === own ? second : root.slice('tests/'.length));
  return shell`--test ${name.replace(/\.rs$/, '')} ` ?? '';
}

/** The features without which the file is empty: its first attribute names them, or the crate has `full` for users. */
function cargoFeatures(source: string, manifest: string): string {
  const attribute = /^#!\[cfg\(([^\]]{0,2000})/m.exec(source)?.[1]?.split('not(')[0] ?? '';
  const names = Array.from(attribute.matchAll(/feature = "([\w-]{1,60})"/g), ([, name]) => name!);
  if (names.length === 0 && /^full = \[/m.test(manifest) && /^default = \[\]/m.test(manifest))
    names.push('full');
  return names.length === 0 ? '' : `--features ${names.slice(0, 8).join(',')} `;
}

/** The module of a file of the library; tests in it have names that begin with it. */
function modulePath(path: string): string {
  const parts = /^src\/([\w/]+)\.rs$/.exec(path)?.[1]?.split('/') ?? [];
  const names = /^(?:mod|lib|main)$/.test(parts.at(-1) ?? '') ? parts.slice(0, -1) : parts;
  return names[0] === 'bin' ? '' : names.join('::');
}

/** The text of `key = "value"` in a section of a TOML file. Lines are enough: a broken manifest still tells its name. */
function valueIn(text: string, header: string, key: string): string | null {
  let isInside = header === '';
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line.startsWith('[')) {
      if (isInside) return null;
      isInside = line === header;
    }
    const value = isInside ? /^([\w-]+)\s*=\s*"([^"]*)"/.exec(line) : null;
    if (value?.[1] === key) return value[2]!;
  }
  return null;
}
