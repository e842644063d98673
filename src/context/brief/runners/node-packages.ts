import { basename, join } from 'node:path/posix';
import { asRecord, both, fromFolder, inFolder, jsonRecord, shell, type TestLookup } from './test-lookup.ts';

/** A test runner: the signs that a package uses it, and how it is started. */
interface NodeRunner {
  /** How it is started for one run. */
  readonly start: string;
  /** How a script of package.json calls it. */
  readonly script: RegExp;
  /** Modules that a test imports from it. */
  readonly imports: readonly string[];
  /** Its packages among the dependencies. */
  readonly packages: readonly string[];
  /** Its configuration files, without extension. */
  readonly configs?: readonly string[];
  /** The option that chooses a case; a regular expression follows it. */
  readonly nameOption?: string;
  /** The form of a path on its command line: a file, a part of a path, or a regular expression. */
  readonly takes?: 'file' | 'part' | 'pattern';
  /** It is a program on the PATH and not part of an npm package. */
  readonly isProgram?: boolean;
  /** Options of a script that a single test needs too, each with a value. */
  readonly keeps?: RegExp;
}

/** A runner that is known by one word. */
function runner(word: string, start: string, more: Partial<NodeRunner> = {}): NodeRunner {
  return { start, script: new RegExp(`\\b${word}\\b`), imports: [word], packages: [word], ...more };
}

const LOADERS = /^(?:-r|--require|--import|--loader|--experimental-loader|-u|--ui)$/;
const NODE_TEST: NodeRunner = {
  start: 'node',
  script: /\bnode\b.*\s--test\b|\bborp\b/,
  imports: ['node:test'],
  packages: ['borp'],
  isProgram: true,
  keeps: LOADERS,
};

/** In the order in which they are tried. */
const RUNNERS: readonly NodeRunner[] = [
  runner('vitest', 'vitest run', { configs: ['vitest.config'], nameOption: '-t', takes: 'part' }),
  runner('react-scripts test', 'react-scripts test --watchAll=false', { nameOption: '-t', takes: 'pattern' }),
  runner('jest', 'jest', {
    imports: ['@jest/globals'],
    packages: ['jest', 'jest-cli', 'ts-jest'],
    configs: ['jest.config'],
    nameOption: '-t',
    takes: 'pattern',
  }),
  runner('mocha', 'mocha', { configs: ['.mocharc'], nameOption: '-g', keeps: LOADERS }),
  NODE_TEST,
  runner('ava', 'ava', { configs: ['ava.config'] }),
  runner('bun test', 'bun test', { imports: ['bun:test'], packages: [], isProgram: true, nameOption: '-t' }),
  ...['tap', 'tape', 'jasmine', 'qunit'].map((word) => runner(word, word)),
  runner('playwright test', 'playwright test', {
    imports: ['@playwright/test'],
    packages: ['@playwright/test'],
    configs: ['playwright.config'],
    nameOption: '-g',
    takes: 'pattern',
  }),
  runner('cypress', 'cypress run --spec'),
];

/** The command for a file and a case in it; the options are ready to use and end with a space. */
function startRunner(one: NodeRunner, path: string, name: string | null, options = ''): string | null {
  const pattern = asPattern(name);
  if (one === NODE_TEST) {
    const target = shell`--test-name-pattern=${pattern} ${path}` ?? shell`${path}`;
    return both(`node ${options}--test `, target);
  }
  // a runner that compares parts of paths finds a file in a folder such as `[id]` by its last part
  const last = one.takes ? shell`${asPattern(basename(path))}` : null;
  const target = shell`${one.takes === 'pattern' ? asPattern(path) : path}` ?? last;
  const chosen = one.nameOption ? shell`${pattern}` : null;
  return target && `${one.start} ${options}${target}${chosen ? ` ${one.nameOption} ${chosen}` : ''}`;
}

/** A regular expression that finds the text: of the marks in a plain word only `+` does not match itself. */
function asPattern(text: string | null): string | null {
  return text?.replaceAll('+', '.') ?? null;
}

type Scripts = readonly (readonly [name: string, text: string])[];

/** The facts about tests in a package.json. */
interface NodePackage {
  readonly folder: string;
  /** Scripts that may run tests: `test` itself comes first. */
  readonly scripts: Scripts;
  /** Names of dependencies, and keys of the manifest with a configuration below them. */
  readonly names: ReadonlySet<string>;
  readonly manager: string;
}

/** The runner of the nearest package that names one; otherwise the nearest `test` script. */
export function checkWithNode(test: TestLookup): string | null {
  const folders = test.folders.filter((folder) => test.has(folder, 'package.json'));
  const packages = folders.map((folder) => readPackage(test, folder));
  const manager = packages.map((one) => one.manager).find((name) => name !== '') ?? 'npm';
  const imported = new Set(Array.from(test.source.matchAll(IMPORTS), ([, name]) => name!));
  const known = RUNNERS.find(({ imports }) => imports.some((one) => imported.has(one)));
  const inOrder = IN_A_BROWSER.test(test.path) ? [...RUNNERS].reverse() : RUNNERS;
  for (const one of packages) {
    const found = runnerOf(test, one, known ? [known] : inOrder);
    if (found) return runnerCommand(test, one, found, manager) ?? scriptCommand(packages, manager);
  }
  if (known && (known.isProgram || folders.length > 0)) {
    const folder = folders[0] ?? '';
    const command = startRunner(known, test.from(folder), test.name);
    return inFolder(folder, both(known.isProgram ? '' : START[manager]!, command));
  }
  const deno = test.nearest('deno.json', 'deno.jsonc');
  if (deno === undefined || packages.length > 0) return scriptCommand(packages, manager);
  const path = test.from(deno);
  return inFolder(deno, shell`deno test ${path} --filter ${test.name}` ?? shell`deno test ${path}`);
}

const IMPORTS = /(?:from|require\(|import)\s{0,4}['"]([^'"\n]{1,80})['"]/g;
/** The runner of tests that drive a browser; unit tests usually have another one. */
const IN_A_BROWSER = /(?:^|[/.-])(?:e2e|playwright|cypress|cy)(?:[/.-]|$)/;
const CONFIG_EXTENSIONS = ['ts', 'js', 'mts', 'mjs', 'cts', 'cjs', 'json', 'jsonc', 'yml', 'yaml'];
const MAX_SCRIPT = 2_000;
const LOCK_FILES: readonly (readonly [file: string, manager: string])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
];

function readPackage(test: TestLookup, folder: string): NodePackage {
  const manifest = jsonRecord(test.text(folder, 'package.json'));
  const { packageManager, dependencies, devDependencies } = manifest;
  const scripts = Object.entries(asRecord(manifest.scripts))
    .filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].length <= MAX_SCRIPT,
    )
    .filter(([name]) => /test|unit|spec/.test(name) && !/^(?:pre|post)test/.test(name))
    .sort(([one], [other]) => Number(other === 'test') - Number(one === 'test'));
  const settings = Object.keys(manifest).filter((key) => typeof manifest[key] === 'object');
  const named = typeof packageManager === 'string' ? /^(npm|pnpm|yarn|bun)@/.exec(packageManager)?.[1] : null;
  const names = [asRecord(dependencies), asRecord(devDependencies)].flatMap((one) => Object.keys(one));
  return {
    folder,
    scripts,
    names: new Set([...names, ...settings]),
    manager: named ?? LOCK_FILES.find(([file]) => test.has(folder, file))?.[1] ?? '',
  };
}

/** The runner that a package names: in its `test` script, in another script, by a configuration or as a dependency. */
function runnerOf(
  test: TestLookup,
  one: NodePackage,
  runners: readonly NodeRunner[],
): NodeRunner | undefined {
  const own = one.scripts.filter(([name]) => name === 'test');
  return (
    runners.find(({ script }) => own.some(([, text]) => script.test(text))) ??
    runners.find(({ script }) => one.scripts.some(([, text]) => script.test(text))) ??
    runners.find((runner) => configOf(test, one.folder, runner) !== undefined) ??
    runners.find(({ packages }) => packages.some((name) => one.names.has(name)))
  );
}

/** The configuration file that a runner finds by itself. */
function configOf(test: TestLookup, folder: string, { configs = [] }: NodeRunner): string | undefined {
  const files = configs.flatMap((name) => CONFIG_EXTENSIONS.map((end) => `${name}.${end}`));
  return files.find((file) => test.has(folder, file));
}

const START: Record<string, string> = { npm: 'npx ', pnpm: 'pnpm exec ', yarn: 'yarn ', bun: 'bunx ' };

function runnerCommand(test: TestLookup, at: NodePackage, one: NodeRunner, manager: string): string | null {
  const { folder } = at;
  const path = test.from(folder);
  const calls = at.scripts.filter(([, text]) => one.script.test(text));
  const own = configOf(test, folder, one);
  const config = own === undefined ? configBelow(test, folder, one) : otherConfig(test, folder, calls, own);
  const scripts = calls.filter(([, text]) => configIn(text) === config);
  const wrapping = one.isProgram ? undefined : wrappingScript(scripts, one);
  if (wrapping !== undefined) {
    const rest = startRunner({ ...one, start: '' }, path, test.name);
    return inFolder(folder, both(runScript(manager, wrapping), rest));
  }
  const kept = own === undefined ? keptOptions(scripts[0]?.[1] ?? '', one.keeps) : '';
  const options = kept + (shell`--config ${config} ` ?? '');
  const command = startRunner(one, path, test.name, options);
  if (one.isProgram) return inFolder(folder, command);
  if (manager === 'pnpm' && folder !== '') return both(shell`pnpm -C ${folder} exec `, command);
  return inFolder(folder, both(START[manager]!, command));
}

/**
 * The script that starts the runner with variables or flags of Node around it, when no script starts it directly: then the
 * runner alone would not do. Paths can be appended to it because it is one command that ends in options.
 */
function wrappingScript(scripts: Scripts, { script }: NodeRunner): string | undefined {
  if (scripts.some(([, text]) => text.search(script) === 0)) return undefined;
  const wrapping = scripts.find(([name, text]) => {
    const words = text.replace(CONFIG, '').trim().split(/\s+/);
    const at = words.findIndex((word) => /(?:^|\/)(?:vitest|jest|mocha)(?:\.[cm]?js)?$/.test(word));
    const endsInOptions = words.slice(at + 1).every((word) => word.startsWith('-') || word === 'run');
    const isWrapped = at > 0 && /^(?:node|cross-env|[A-Z][A-Z0-9_]*=.*)$/.test(words[0]!);
    return isWrapped && endsInOptions && !/[&|;<>]/.test(text) && /^[\w:.-]+$/.test(name);
  });
  return wrapping?.[0];
}

function runScript(manager: string, name: string): string {
  return manager === 'yarn' ? `yarn ${name}` : `${manager} run ${name}${manager === 'npm' ? ' --' : ''}`;
}

/** Options of a script that load a compiler or a set-up file; without them a single file may not even parse. */
function keptOptions(script: string, keeps: RegExp | undefined): string {
  const words = script.split(/[\s=]+/);
  return words.reduce((kept, word, index) => {
    const value = keeps?.test(word) ? shell`${words[index + 1] ?? null}` : null;
    return value === null ? kept : `${kept}${word} ${value} `;
  }, '');
}

const CONFIG = /(?:^|\s)(?:-c|--config)[ =]([\w./-]{1,200})/;

function configIn(script: string): string | null {
  return CONFIG.exec(script)?.[1] ?? null;
}

/** A configuration in a folder between the package and the test, which the runner does not find by itself. */
function configBelow(test: TestLookup, folder: string, one: NodeRunner): string | null {
  const inside = test.folders.slice(0, test.folders.indexOf(folder));
  const found = inside.find((nested) => configOf(test, nested, one) !== undefined);
  return found === undefined ? null : fromFolder(folder, join(found, configOf(test, found, one)!));
}

/** The configuration of another script that fits the test better than the one that the runner finds by itself. */
function otherConfig(test: TestLookup, folder: string, scripts: Scripts, own: string): string | null {
  const path = test.from(folder);
  let best = closeness(test.text(folder, own), path);
  let found: string | null = null;
  for (const file of new Set(scripts.flatMap(([, script]) => configIn(script) ?? []))) {
    const close = closeness(test.text(folder, file), path);
    if (close > best) [best, found] = [close, file];
  }
  return found;
}

/** How much of a path the patterns under `include` of a configuration spell out; 0 when they do not cover it. */
function closeness(config: string, path: string): number {
  const list = /\binclude:\s{0,9}\[([\s\S]{0,2000})/.exec(config)?.[1]?.split(/['"`],?\s{0,20}\]/)[0] ?? '';
  const covering = Array.from(list.matchAll(/['"`](?:\.\/)?([\w./*-]{1,200})/g), ([, glob]) => {
    const start = glob!.split('*')[0]!;
    const end = glob!.slice(glob!.lastIndexOf('*') + 1);
    return path.startsWith(start) && basename(path).includes(end) ? start.length + end.length : 0;
  });
  return Math.max(0, ...covering);
}

/** The `test` script of the nearest package that has a real one. */
function scriptCommand(packages: readonly NodePackage[], manager: string): string | null {
  const isReal = ([name, text]: Scripts[number]) => name === 'test' && !text.includes('no test specified');
  const found = packages.find(({ scripts }) => scripts.some(isReal));
  return found ? inFolder(found.folder, manager === 'bun' ? 'bun run test' : `${manager} test`) : null;
}
