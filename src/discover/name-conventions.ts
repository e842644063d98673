const names = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Patterns as one, because they run for every file and nearly all files match none of them. */
const anyOf = (patterns: readonly RegExp[]): RegExp =>
  new RegExp(patterns.map((pattern) => pattern.source).join('|'));

function endingOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

// All functions but `isTestName` take names in lower case.

const LOCK_FILES = names(
  'package-lock.json npm-shrinkwrap.json pnpm-lock.yaml bun.lockb go.sum go.work.sum package.resolved ' +
    'cartfile.resolved packages.lock.json gradle.lockfile conda-lock.yml .terraform.lock.hcl',
);

export function isLockFile(name: string): boolean {
  return name.endsWith('.lock') || LOCK_FILES.has(name);
}

const SNAPSHOT_ENDINGS = names('snap ambr snapshot');

export function isSnapshotName(name: string): boolean {
  return SNAPSHOT_ENDINGS.has(endingOf(name));
}

/** Names that tools give to what they write. */
const GENERATED_NAMES: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/[.-]min\.(?:[cm]?js|css)$/, 'minified'],
  [/\.(?:bundle|chunk)\.[cm]?js$/, 'bundled'],
  [/\.(?:[cm]?js|css|ts)\.map$/, 'a source map'],
  [
    /\.pb(?:\.gw|json)?\.[a-z]+$|_(?:grpc_)?pb(?:2|2_grpc)?\.(?:pyi?|[cm]?js|d\.ts|ts|rb)$/,
    'a compiled schema',
  ],
  [/\.(?:g|gr|freezed|mocks|config)\.dart$|\.g\.(?:cs|vb|ts|go|rs|kt|java)$/, 'written by a code generator'],
  [/[._-](?:generated|gen|autogen)\.[a-z.]+$|^(?:zz_)?generated[._]/, 'named as generated'],
  [/\.designer\.(?:cs|vb)$|^(?:moc|qrc|ui)_.*\.(?:cpp|h)$/, 'written by a form designer'],
  [/\.tsbuildinfo$|^\.pnp\.(?:cjs|loader\.mjs)$|\.pbxproj$/, 'the state of a build tool'],
];
const ANY_GENERATED_NAME = anyOf(GENERATED_NAMES.map(([pattern]) => pattern));

export function generatedByName(name: string): string | null {
  if (isLockFile(name)) return 'a lock file';
  if (isSnapshotName(name)) return 'a test snapshot';
  if (!ANY_GENERATED_NAME.test(name)) return null;
  return GENERATED_NAMES.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

const TEST_NAME = anyOf([
  /[._-](?:[Tt]ests?|[Ss]pecs?|e2e|cy)\.[A-Za-z0-9]+$/,
  /^[Tt]ests?[_.-]/,
  /[a-z0-9](?:Tests?|TestCase|Specs?)\.[A-Za-z]+$/,
]);

/** With the case kept, because `FooTest` and `latest` differ by it alone. */
export function isTestName(name: string): boolean {
  return TEST_NAME.test(name);
}

const TRANSLATION_ENDINGS = names('po pot mo arb xliff xlf strings stringsdict ftl resx');

export function isTranslationName(name: string): boolean {
  return TRANSLATION_ENDINGS.has(endingOf(name));
}

/** `en.json`, `pt-BR.yml`, `zh_Hans.ts`: a language code and nothing else. */
export function isLanguageCodeName(name: string): boolean {
  return /^[a-z]{2,3}(?:[-_][a-z]{2,4})?\.[a-z]+$/.test(name);
}

const DATA_ENDINGS = names(
  'csv tsv svg jsonl ndjson geojson topojson kml gpx patch diff log pem crt cer asc har srt vtt',
);

export function isDataName(name: string): boolean {
  return DATA_ENDINGS.has(endingOf(name));
}

const DOCUMENT_STEMS = names(
  'readme changelog changes history news contributing contributors authors maintainers license licence copying ' +
    'notice security support governance code_of_conduct roadmap upgrading releasenotes release_notes credits faq',
);
/** The second group is a language code: `README.de.md`. */
const DOCUMENT_NAME =
  /^([a-z_]+)(?:-[\w-]+)?(?:(?:\.[a-z]{2}(?:[-_][a-z]+)?)?\.(?:md|mdx|rst|txt|adoc|org|html?))?$/;

export function isDocumentName(name: string): boolean {
  const stem = DOCUMENT_NAME.exec(name)?.[1];
  return stem !== undefined && DOCUMENT_STEMS.has(stem);
}

const CONFIG_NAMES = names(
  'package.json deno.json deno.jsonc composer.json bower.json angular.json nx.json turbo.json lerna.json ' +
    'project.json app.json vercel.json firebase.json renovate.json biome.json pom.xml makefile gnumakefile ' +
    'justfile cmakelists.txt dockerfile containerfile jenkinsfile vagrantfile procfile gemfile rakefile podfile ' +
    'brewfile pipfile fastfile appfile build workspace build.bazel module.bazel workspace.bazel go.mod go.work ' +
    'setup.py manifest.in mix.exs rebar.config project.clj build.sbt meson.build meson_options.txt configure.ac ' +
    'flake.nix codeowners',
);
const CONFIG_ENDINGS = names(
  'yml yaml toml ini cfg conf config properties env editorconfig gradle cmake csproj fsproj vbproj vcxproj sln ' +
    'props targets xcconfig plist gemspec cabal podspec nuspec service mk',
);
const CONFIG_PATTERN = anyOf([
  /\.config\.[cm]?[jt]sx?$/,
  /\.gradle\.kts$/,
  /^(?:ts|js)config[\w.-]*\.json$/,
  /^(?:requirements|constraints)[\w.-]*\.(?:txt|in)$/,
  /^(?:dockerfile|docker-compose|containerfile)[.-]/,
  /^\.[\w-]+(?:\.[\w-]+)*$/,
]);

export function isConfigName(name: string): boolean {
  return CONFIG_NAMES.has(name) || CONFIG_ENDINGS.has(endingOf(name)) || CONFIG_PATTERN.test(name);
}
