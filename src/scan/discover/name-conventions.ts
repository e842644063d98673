/** What a file name alone tells. Names are in lower case, except for `isTestName`. */
export type NameMeaning = 'lock' | 'snapshot' | 'translation' | 'data' | 'config' | 'document';

const table = (lists: Partial<Record<NameMeaning, string>>): ReadonlyMap<string, NameMeaning> =>
  new Map(
    Object.entries(lists).flatMap(([meaning, list]) =>
      list.split(' ').map((name): [string, NameMeaning] => [name, meaning as NameMeaning]),
    ),
  );

const WHOLE_NAMES = table({
  lock:
    'package-lock.json npm-shrinkwrap.json pnpm-lock.yaml bun.lockb go.sum go.work.sum package.resolved ' +
    'cartfile.resolved packages.lock.json gradle.lockfile conda-lock.yml .terraform.lock.hcl',
  config:
    'package.json deno.json deno.jsonc composer.json bower.json angular.json nx.json turbo.json lerna.json ' +
    'project.json app.json vercel.json firebase.json renovate.json biome.json pom.xml makefile gnumakefile ' +
    'justfile cmakelists.txt dockerfile containerfile jenkinsfile vagrantfile procfile gemfile rakefile podfile ' +
    'brewfile pipfile fastfile appfile build workspace build.bazel module.bazel workspace.bazel go.mod go.work ' +
    'setup.py manifest.in mix.exs rebar.config project.clj build.sbt meson.build meson_options.txt configure.ac ' +
    'flake.nix codeowners',
});

const ENDINGS = table({
  lock: 'lock',
  snapshot: 'snap ambr snapshot',
  translation: 'po pot mo arb xliff xlf strings stringsdict ftl resx',
  data: 'csv tsv svg jsonl ndjson geojson topojson kml gpx patch diff log pem crt cer asc har srt vtt',
  config:
    'yml yaml toml ini cfg conf config properties env editorconfig gradle cmake csproj fsproj vbproj vcxproj sln ' +
    'props targets xcconfig plist gemspec cabal podspec nuspec service mk',
});

/** Patterns as one, because they run for every file and nearly all files match none of them. */
const anyOf = (patterns: readonly RegExp[]): RegExp =>
  new RegExp(patterns.map((pattern) => pattern.source).join('|'));

const CONFIG_NAME = anyOf([
  /\.config\.[cm]?[jt]sx?$/,
  /\.gradle\.kts$/,
  /^(?:ts|js)config[\w.-]*\.json$/,
  /^(?:requirements|constraints)[\w.-]*\.(?:txt|in)$/,
  /^(?:dockerfile|docker-compose|containerfile)[.-]/,
  /^\.[\w-]+(?:\.[\w-]+)*$/,
]);

const DOCUMENT_STEMS: ReadonlySet<string> = new Set(
  (
    'readme changelog changes history news contributing contributors authors maintainers license licence copying ' +
    'notice security support governance code_of_conduct roadmap upgrading releasenotes release_notes credits faq ' +
    'install todo'
  ).split(' '),
);
/** What may stand before the ending is a language code: `README.de.md`. */
const DOCUMENT_NAME =
  /^([a-z_]+)(?:-[\w-]+)?(?:(?:\.[a-z]{2}(?:[-_][a-z]+)?)?\.(?:md|mdx|rst|txt|adoc|org|html?))?$/;

export function meaningOfName(name: string, isCode: boolean): NameMeaning | null {
  const known = WHOLE_NAMES.get(name) ?? ENDINGS.get(name.slice(name.lastIndexOf('.') + 1));
  if (known !== undefined) return known;
  if (!isCode && DOCUMENT_STEMS.has(DOCUMENT_NAME.exec(name)?.[1] ?? '')) return 'document';
  return CONFIG_NAME.test(name) ? 'config' : null;
}

/** Names that tools give to what they write. */
const GENERATED_NAMES: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/[.-]min\.(?:[cm]?js|css)$/, 'a minified file'],
  [/\.(?:bundle|chunk)\.[cm]?js$/, 'a bundle'],
  [/\.(?:[cm]?js|css|ts)\.map$/, 'a source map'],
  [
    /\.pb(?:\.gw|json)?\.[a-z]+$|_(?:grpc_)?pb(?:2|2_grpc)?\.(?:pyi?|[cm]?js|d\.ts|ts|rb)$/,
    'a compiled schema',
  ],
  [
    /\.(?:g|gr|freezed|mocks|config)\.dart$|\.g\.(?:cs|vb|ts|go|rs|kt|java)$/,
    'the output of a code generator',
  ],
  [/[._-](?:generated|autogen)\.[a-z.]+$|[._]gen\.[a-z.]+$|^zz_generated[._]/, 'a generated file'],
  [/\.designer\.(?:cs|vb)$|^(?:moc|qrc|ui)_.*\.(?:cpp|h)$/, 'the output of a form designer'],
  [/\.tsbuildinfo$|^\.pnp\.(?:cjs|loader\.mjs)$|\.pbxproj$/, 'the state of a build tool'],
];
const ANY_GENERATED_NAME = anyOf(GENERATED_NAMES.map(([pattern]) => pattern));

export function generatedByName(name: string): string | null {
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

/** `en.json`, `pt-br.yml`, `zh_hans.ts`: a language code and nothing else. */
export function isLanguageCodeName(name: string): boolean {
  return /^[a-z]{2,3}(?:[-_][a-z]{2,4})?\.[a-z]+$/.test(name);
}
