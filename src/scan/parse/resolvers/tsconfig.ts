// Compiler settings of TypeScript projects, with `extends` and `references` followed. Only settings about where modules
// are count.
import type { LinkContext } from '../../../model/import-resolver.ts';
import { asRecord, asString, asStrings, type JsonRecord, readJsonRecord } from './package-manifest.ts';
import { fileNameOf, folderOf, joinWithin } from './repository-path.ts';

/** The compiler settings of one folder, as far as they say where modules are. */
export interface ProjectConfig {
  readonly folder: string;
  /** `paths`, most specific first; the targets are relative to the root. */
  readonly patterns: readonly PathPattern[];
  readonly baseUrl: string | null;
  /** Where builds write their output and where its sources are, for imports that name a build output. */
  readonly outputs: readonly { readonly outDir: string; readonly rootDir: string | null }[];
}

/** A setting, and the folder of the file that made it. */
interface Located<Value> {
  readonly value: Value;
  readonly folder: string;
}

/** The settings that matter, each with the folder that its paths are relative to. */
interface Options {
  readonly paths?: Located<JsonRecord> | undefined;
  readonly baseUrl?: Located<string> | undefined;
  readonly outDir?: Located<string> | undefined;
  readonly rootDir?: Located<string> | undefined;
}

/** `tsconfig.json`, `jsconfig.json` and variants such as `tsconfig.app.json`. */
const CONFIG_NAME = /^[jt]sconfig(?:\.[^/]+)?\.json$/;
/** Which settings file of a folder counts, best first. */
const PREFERRED = ['tsconfig.json', 'jsconfig.json', 'tsconfig.base.json', 'tsconfig.app.json'];
/** Files in a chain of `extends`. */
const MAX_EXTENDS = 16;

/** Settings by folder. `extends` of a package is looked up with `packageFolder`, which knows those of the repository. */
export function readProjectConfigs(
  context: LinkContext,
  packageFolder: (name: string) => string | null,
): ReadonlyMap<string, ProjectConfig> {
  const byFolder = new Map<string, string[]>();
  for (const path of context.paths) {
    if (!path.endsWith('.json') || !CONFIG_NAME.test(fileNameOf(path))) continue;
    const folder = folderOf(path);
    const known = byFolder.get(folder);
    if (known) known.push(path);
    else byFolder.set(folder, [path]);
  }
  const records = new Map<string, JsonRecord | null>();
  const recordOf = (path: string): JsonRecord | null => {
    let record = records.get(path);
    if (record === undefined) {
      record = readJsonRecord(context.readText(path));
      records.set(path, record);
    }
    return record;
  };

  /** The file that `extends` names, relative or in a package of the repository. */
  function extended(specifier: string, folder: string): string | null {
    const joined = specifier.startsWith('.') ? joinWithin(folder, specifier) : inPackage(specifier);
    if (joined === null) return null;
    const candidates = [joined, `${joined}.json`, `${joined}/tsconfig.json`];
    return candidates.find((path) => context.has(path)) ?? null;
  }

  function inPackage(specifier: string): string | null {
    const [, name, rest = ''] = /^((?:@[^/]+\/)?[^/]+)\/?(.*)$/.exec(specifier) ?? [];
    const folder = name === undefined ? null : packageFolder(name);
    return folder === null ? null : joinWithin(folder, rest);
  }

  const known = new Map<string, Options>();
  /** Settings of a file, with those that it extends. Later ones win. */
  function optionsOf(path: string, depth = 0): Options {
    let options = known.get(path);
    if (options) return options;
    // Files that extend each other in a circle end here.
    known.set(path, {});
    options = depth > MAX_EXTENDS ? {} : readOptions(path, depth);
    known.set(path, options);
    return options;
  }

  function readOptions(path: string, depth: number): Options {
    const record = recordOf(path);
    if (!record) return {};
    const folder = folderOf(path);
    let options: Options = {};
    for (const specifier of asStrings(record.extends)) {
      const base = extended(specifier, folder);
      if (base !== null) options = { ...options, ...defined(optionsOf(base, depth + 1)) };
    }
    const own = asRecord(record.compilerOptions) ?? {};
    const located = <Value>(value: Value | null) => (value === null ? undefined : { value, folder });
    return {
      ...options,
      ...defined({
        paths: located(asRecord(own.paths)),
        baseUrl: located(asString(own.baseUrl)),
        outDir: located(asString(own.outDir)),
        rootDir: located(asString(own.rootDir)),
      }),
    };
  }

  /** A settings file that only lists projects means the settings of those projects. */
  function ofReferences(path: string): Options | undefined {
    const references = recordOf(path)?.references;
    if (!Array.isArray(references)) return undefined;
    return references
      .map((one) => asString(asRecord(one)?.path))
      .map((target) => (target === null ? null : extended(`./${target}`, folderOf(path))))
      .filter((target) => target !== null && folderOf(target) === folderOf(path))
      .map((target) => optionsOf(target!))
      .find((options) => options.paths || options.baseUrl);
  }

  const configs = new Map<string, ProjectConfig>();
  for (const [folder, files] of byFolder) {
    const main = PREFERRED.map((name) => (folder === '' ? name : `${folder}/${name}`)).find((path) =>
      files.includes(path),
    );
    const path = main ?? files[0]!;
    let options = optionsOf(path);
    if (!options.paths && !options.baseUrl) options = ofReferences(path) ?? options;
    const place = (one: Located<string> | undefined): string | null => (one ? placed(one, folder) : null);
    const outputs = files
      .map((file) => optionsOf(file))
      .map((one) => ({ outDir: place(one.outDir), rootDir: place(one.rootDir) }))
      .filter((one): one is { outDir: string; rootDir: string | null } => !!one.outDir);
    const baseUrl = place(options.baseUrl);
    configs.set(folder, { folder, baseUrl, outputs, patterns: patternsOf(options, baseUrl, folder) });
  }
  return configs;
}

function patternsOf(options: Options, baseUrl: string | null, folder: string): PathPattern[] {
  if (!options.paths) return [];
  const { value, folder: definedIn } = options.paths;
  const patterns = Object.entries(value).map(([key, targets]) => {
    const places = asStrings(targets).map((target) =>
      placed({ value: target, folder: baseUrl ?? definedIn }, folder),
    );
    return pathPattern(
      key,
      places.filter((place) => place !== null),
    );
  });
  return sortPatterns(patterns);
}

/** `${configDir}` means the folder of the extending file, not of the file that has the setting. */
function placed({ value, folder }: Located<string>, configFolder: string): string | null {
  const template = `\${configDir}`;
  return value.startsWith(template)
    ? joinWithin(configFolder, value.slice(template.length))
    : joinWithin(folder, value);
}

function defined(options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** A key with at most one `*` and its targets: `paths` of a tsconfig, `exports` of a package. */
export interface PathPattern {
  readonly prefix: string;
  /** Null when the key has no `*` and must match as a whole. */
  readonly suffix: string | null;
  readonly targets: readonly string[];
}

/** More patterns than people write by hand. The rest is not worth a slow scan. */
const MAX_PATTERNS = 2_000;

export function pathPattern(key: string, targets: readonly string[]): PathPattern {
  const star = key.indexOf('*');
  if (star < 0) return { prefix: key, suffix: null, targets };
  return { prefix: key.slice(0, star), suffix: key.slice(star + 1), targets };
}

/** Whole keys first, then the longest prefix. */
export function sortPatterns(patterns: readonly PathPattern[]): PathPattern[] {
  return patterns
    .slice(0, MAX_PATTERNS)
    .sort(
      (left, right) =>
        Number(left.suffix !== null) - Number(right.suffix !== null) ||
        right.prefix.length - left.prefix.length,
    );
}

/** The targets of every pattern that matches, best first, with `*` filled in. */
export function matchPatterns(patterns: readonly PathPattern[], value: string): string[] {
  const found: string[] = [];
  for (const { prefix, suffix, targets } of patterns) {
    if (suffix === null) {
      if (value === prefix) found.push(...targets);
    } else if (
      value.length >= prefix.length + suffix.length &&
      value.startsWith(prefix) &&
      value.endsWith(suffix)
    ) {
      const middle = value.slice(prefix.length, value.length - suffix.length);
      for (const target of targets) found.push(target.replaceAll('*', () => middle));
    }
  }
  return found;
}
