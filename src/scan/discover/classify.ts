// Classifies files: source, test, documentation, example, configuration or data; and whether a file is generated or
// vendored. Paths decide, by conventions of many ecosystems. Each answer has a reason that a user can read.
import type { FileClass, FileRole } from '../../model/file-entry.ts';
import { folderOf, inheritByFolder, nameOf } from './inherit-by-folder.ts';
import {
  API_DUMP,
  anyOf,
  FOREIGN_AT_TOP,
  generatedByName,
  hasBinaryExtension,
  isMigration,
  isReleaseFolder,
  vendoredByName,
} from './telling-signs.ts';

/** The use of a language, from the language table. */
export type LanguageKind = 'code' | 'markup' | 'data' | 'prose';

/** Configuration is written by hand. A larger file is data. */
const MAX_CONFIG_BYTES = 256 * 1024;

/** Everything that a decision may look at. */
interface Signs {
  readonly name: string;
  readonly lowerName: string;
  readonly meaning: NameMeaning | null;
  readonly size: number;
  readonly kind: LanguageKind | null;
  readonly isTest: boolean;
  readonly traits: FolderTraits;
}

/** Classifies a file. What its text says is added when it is read. */
export function classify(
  path: string,
  size: number,
  languageKind: LanguageKind | null,
  isTest: boolean,
): FileClass {
  const name = nameOf(path);
  const lowerName = name.toLowerCase();
  const meaning = meaningOfName(lowerName, languageKind === 'code');
  const traits = folderTraits(folderOf(path));
  const [role, why] = decideRole({ name, lowerName, meaning, size, kind: languageKind, isTest, traits });
  const generated = whyGenerated(path, lowerName, meaning, traits);
  const vendored = traits.vendored ?? named(vendoredByName(lowerName));
  const migration = isProgram(languageKind) && isMigration(path.toLowerCase());
  if (generated === null && vendored === null && !migration) return plainClass(role, why);
  const reasons = [...plainClass(role, why).reasons];
  if (generated !== null) reasons.push(`generated: ${generated}`);
  if (vendored !== null) reasons.push(`vendored: ${vendored}`);
  if (migration) reasons.push('migration: a numbered step of a database');
  const marks = { generated: generated !== null, vendored: vendored !== null };
  return { role, ...marks, ...(migration ? { migration } : {}), reasons };
}

/** Reasons can name folders, so the number of classes has no natural limit. */
const MAX_CLASSES_KEPT = 10_000;
const plainClasses = new Map<string, FileClass>();

/** One object for all files of the same class. A large repository has many files and few classes. */
function plainClass(role: FileRole, why: string): FileClass {
  const key = why === '' ? role : `${role}: ${why}`;
  const known = plainClasses.get(key);
  if (known !== undefined) return known;
  const made: FileClass = { role, generated: false, vendored: false, reasons: why === '' ? [] : [key] };
  if (plainClasses.size < MAX_CLASSES_KEPT) plainClasses.set(key, made);
  return made;
}

/** The reason why a file counts as generated; null when it does not. */
function whyGenerated(
  path: string,
  lowerName: string,
  meaning: NameMeaning | null,
  traits: FolderTraits,
): string | null {
  if (meaning === 'lock') return 'a lock file';
  if (meaning === 'snapshot') return 'a test snapshot';
  const byName = named(generatedByName(lowerName));
  if (byName !== null) return byName;
  if (lowerName.endsWith('.api') && API_DUMP.test(path)) return 'a dump of public names';
  return traits.generated ?? traits.snapshot;
}

const named = (what: string | null): string | null => what && `named like ${what}`;

type Decision = readonly [role: FileRole, why: string];

/** The first rule that applies decides. Their order matters: data in a test folder is data. */
function decideRole(signs: Signs): Decision {
  return (
    decideData(signs) ??
    decideTest(signs) ??
    decideDocs(signs) ??
    decideExample(signs) ??
    decideConfig(signs) ??
    decideByKind(signs.kind)
  );
}

function decideData({ lowerName, meaning, kind, traits }: Signs): Decision | null {
  if (meaning === 'lock') return ['data', 'a lock file'];
  if (meaning === 'snapshot') return ['data', 'a test snapshot'];
  if (traits.snapshot !== null && kind !== 'code') return ['data', traits.snapshot];
  if (meaning === 'translation') return ['data', 'a translation'];
  if (traits.translation !== null && (kind === 'data' || (kind !== null && isLanguageCodeName(lowerName)))) {
    return ['data', `a translation, ${traits.translation}`];
  }
  if (meaning === 'data')
    return ['data', `the name ends in "${lowerName.slice(lowerName.lastIndexOf('.'))}"`];
  return kind === null && hasBinaryExtension(lowerName) ? ['data', 'a binary format'] : null;
}

function decideTest({ name, meaning, kind, isTest, traits }: Signs): Decision | null {
  // Below `src/main` a folder called `test` is a package of the program.
  if (traits.isShipped && isProgram(kind)) return null;
  if (isTest) return ['test', 'named or placed as a test of its language'];
  if (isProgram(kind) && isTestName(name, traits.inProgram)) return ['test', 'named like a test'];
  if (traits.test === null) return null;
  if (isProgram(kind)) return ['test', traits.test];
  return meaning === 'document' || meaning === 'config' ? null : ['data', traits.test];
}

function decideDocs({ meaning, kind, traits }: Signs): Decision | null {
  if (meaning === 'document') return ['docs', 'a document every project has'];
  // Deeper down, `docs` is often the name of a feature of the program.
  if (traits.docs !== null && (!isProgram(kind) || traits.docsAtTop)) return ['docs', traits.docs];
  return kind === 'prose' && meaning !== 'config' ? ['docs', 'written for people'] : null;
}

function decideExample({ traits }: Signs): Decision | null {
  return traits.example === null ? null : ['example', traits.example];
}

function decideConfig({ meaning, size, kind, traits }: Signs): Decision | null {
  if (size > MAX_CONFIG_BYTES) return null;
  if (meaning === 'config') return ['config', 'the name of a settings or build file'];
  return traits.tooling !== null && kind !== 'code' ? ['config', traits.tooling] : null;
}

/** Templates count as programs, too. */
function isProgram(kind: LanguageKind | null): boolean {
  return kind === 'code' || kind === 'markup';
}

function decideByKind(kind: LanguageKind | null): Decision {
  if (isProgram(kind)) return ['source', ''];
  if (kind === 'data') return ['data', 'a data format'];
  return kind === 'prose' ? ['docs', 'written for people'] : ['other', ''];
}

type Trait = 'vendored' | 'generated' | 'test' | 'docs' | 'example' | 'translation' | 'snapshot' | 'tooling';

/** For each trait the reason why everything in the folder has it (`path has a "tests" folder`), or null. */
interface FolderTraits extends Readonly<Record<Trait, string | null>> {
  /** The first folder of the path is one for documents. */
  readonly docsAtTop: boolean;
  /** Below a folder such as `src`, where `examples` and `samples` are parts of the program. */
  readonly inProgram: boolean;
  /**
   * Below `src/main`. Everything there is shipped, whatever its packages are called: `org/example/test` has no tests.
   */
  readonly isShipped: boolean;
  /** Below a folder that is served as it is, such as `public`: its `lib` is what browsers load and others wrote. */
  readonly isServed: boolean;
}

/** Folder names in lower case, by meaning. */
const FOLDER_NAMES: Readonly<Record<Exclude<Trait, 'tooling'> | 'program' | 'served', string>> = {
  vendored:
    'vendor vendored _vendor third_party third-party thirdparty 3rdparty 3rd_party 3rd-party node_modules ' +
    'bower_components jspm_packages site-packages godeps pods carthage .venv venv virtualenv .yarn .bundle ' +
    'cextern 3party external-libs external_libs',
  generated:
    'dist generated __generated__ _generated .next .nuxt .output .svelte-kit .turbo .parcel-cache __pycache__ ' +
    '.pytest_cache .mypy_cache .gradle .dart_tool storybook-static htmlcov .nyc_output single_include amalgamated',
  test:
    'test tests __tests__ __test__ spec specs e2e testdata test-data test_data testcases test-cases fixtures ' +
    '__fixtures__ __mocks__ androidtest unittest unittests unit-tests unit_tests integration-tests ' +
    'integration_tests integrationtest functional-tests functional_tests e2e-tests cypress regression-tests ' +
    'test-resources test_resources test-fixtures test_fixtures test-suites test_suites',
  docs: 'docs doc documentation wiki man javadoc docsrc doc-src',
  example: 'example examples sample samples demo demos tutorial tutorials cookbook quickstart quickstarts',
  translation: 'locale locales i18n l10n lang langs translation translations _locales lc_messages',
  snapshot: '__snapshots__ __image_snapshots__ snapshots',
  program: 'src lib app source sources',
  served: 'public wwwroot webroot htdocs',
};

const MEANINGS: ReadonlyMap<string, string> = new Map(
  Object.entries(FOLDER_NAMES).flatMap(([meaning, list]) => list.split(' ').map((name) => [name, meaning])),
);

/** `com/example/app` is a made-up domain name, not an example. */
const DOMAINS: ReadonlySet<string> = new Set(['com', 'org', 'net', 'io', 'dev', 'edu']);

/** `com/example/thirdparty` is a package of the program, named by its own domain. */
const OWN_PACKAGE = /(?:^|\/)(?:com|org|net|io|dev|edu)\/[^/]+\/(?:third_?party|vendor(?:ed)?)$/i;

const NO_TRAITS: FolderTraits = {
  vendored: null,
  generated: null,
  test: null,
  docs: null,
  docsAtTop: false,
  example: null,
  inProgram: false,
  isShipped: false,
  isServed: false,
  translation: null,
  snapshot: null,
  tooling: null,
};

/** The traits that a file inherits from the folders above it. */
const folderTraits = inheritByFolder(NO_TRAITS, (above, folder) => {
  const name = nameOf(folder);
  const lower = name.toLowerCase();
  const meaning = MEANINGS.get(lower) ?? meaningOfFolder(lower, name === folder, above);
  const isHidden = name.startsWith('.');
  if (lower === 'main' && isBelowSource(folder)) return { ...above, isShipped: true };
  // Nearly all folders add nothing and share the object of the folder above.
  if (meaning === null && !isHidden) return above;
  if (meaning === 'vendored' && OWN_PACKAGE.test(folder)) return above;
  const why = `path has a "${name}" folder`;
  const hidden = isHidden ? { ...above, tooling: above.tooling ?? why } : above;
  switch (meaning) {
    case null:
      return hidden;
    case 'program':
      return above.isServed
        ? { ...hidden, inProgram: true, vendored: above.vendored ?? (lower === 'lib' ? why : null) }
        : { ...hidden, inProgram: true };
    case 'served':
      return { ...hidden, isServed: true };
    case 'docs':
      return { ...hidden, docs: above.docs ?? why, docsAtTop: above.docsAtTop || name === folder };
    case 'example':
      return above.inProgram || isBelowDomain(folder, name)
        ? hidden
        : { ...hidden, example: above.example ?? why };
    default:
      return { ...hidden, [meaning]: above[meaning as Trait] ?? why };
  }
});

const TEST_FRAMEWORKS: ReadonlySet<string> = new Set(['gtest', 'gmock', 'googletest', 'googlemock']);

/** The meaning of a folder by a part of its name, or by its place. */
function meaningOfFolder(lower: string, isAtTop: boolean, above: FolderTraits): string | null {
  if (lower.endsWith('-snapshots')) return 'snapshot';
  if (lower.endsWith('.docset')) return 'generated';
  if (isAtTop && FOREIGN_AT_TOP.has(lower)) return 'vendored';
  if (isAtTop && lower === 'testing') return 'test';
  // `server-test-suites`, `Shop.Tests`; one `-test` is often a library for tests, which is the product
  if (/[.-]tests$|[._-]test[_-](?:suites?|resources|fixtures|data)$/.test(lower)) return 'test';
  // beside the tests of a project, its framework is a copy; elsewhere it may be the project
  if (above.test !== null && TEST_FRAMEWORKS.has(lower)) return 'vendored';
  // the packages that tests install have versions, too
  if (above.test === null && isReleaseFolder(lower)) return 'vendored';
  return above.isServed && lower === 'libs' ? 'vendored' : null;
}

function isBelowDomain(folder: string, name: string): boolean {
  return DOMAINS.has(nameOf(folder.slice(0, Math.max(0, folder.length - name.length - 1))));
}

function isBelowSource(folder: string): boolean {
  return folder === 'src/main' || folder.endsWith('/src/main');
}

/** The class that a file name alone gives. Names are in lower case, except for `isTestName`. */
type NameMeaning = 'lock' | 'snapshot' | 'translation' | 'data' | 'config' | 'document';

const table = (lists: Partial<Record<NameMeaning, string>>): ReadonlyMap<string, NameMeaning> =>
  new Map(
    Object.entries(lists).flatMap(([meaning, list]) =>
      list.split(' ').map((name): [string, NameMeaning] => [name, meaning as NameMeaning]),
    ),
  );

/** Whole file names, by meaning. */
const WHOLE_NAMES = table({
  lock:
    'package-lock.json npm-shrinkwrap.json pnpm-lock.yaml bun.lockb go.sum go.work.sum package.resolved ' +
    'cartfile.resolved packages.lock.json gradle.lockfile conda-lock.yml .terraform.lock.hcl pylock.toml',
  config:
    'package.json deno.json deno.jsonc composer.json bower.json angular.json nx.json turbo.json lerna.json ' +
    'project.json app.json vercel.json firebase.json renovate.json biome.json pom.xml makefile gnumakefile ' +
    'justfile cmakelists.txt dockerfile containerfile jenkinsfile vagrantfile procfile gemfile rakefile podfile ' +
    'brewfile pipfile fastfile appfile build workspace build.bazel module.bazel workspace.bazel go.mod go.work ' +
    'setup.py manifest.in mix.exs rebar.config project.clj build.sbt meson.build meson_options.txt configure.ac ' +
    'flake.nix codeowners',
});

/** Extensions, by meaning. */
const ENDINGS = table({
  lock: 'lock',
  snapshot: 'snap ambr snapshot',
  translation: 'po pot mo arb xliff xlf strings stringsdict ftl resx',
  data: 'csv tsv svg jsonl ndjson geojson topojson kml gpx patch diff log pem crt cer asc har srt vtt',
  config:
    'yml yaml toml ini cfg conf config properties env editorconfig gradle cmake csproj fsproj vbproj vcxproj sln ' +
    'props targets xcconfig plist gemspec cabal podspec nuspec service mk',
});

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
/** A language code may come before the extension: `README.de.md`. */
const DOCUMENT_NAME =
  /^([a-z_]+)(?:-[\w-]+)?(?:(?:\.[a-z]{2}(?:[-_][a-z]+)?)?\.(?:md|mdx|rst|txt|adoc|org|html?))?$/;

function meaningOfName(name: string, isCode: boolean): NameMeaning | null {
  const known = WHOLE_NAMES.get(name) ?? ENDINGS.get(name.slice(name.lastIndexOf('.') + 1));
  if (known !== undefined) return known;
  if (!isCode && DOCUMENT_STEMS.has(DOCUMENT_NAME.exec(name)?.[1] ?? '')) return 'document';
  return CONFIG_NAME.test(name) ? 'config' : null;
}

const TEST_NAME = anyOf([
  /[._-](?:[Tt]ests?|[Ss]pecs?|e2e|cy)\.[A-Za-z0-9]+$/,
  /[a-z0-9](?:Tests?|TestCase|Specs?)\.[A-Za-z]+$/,
]);
const TEST_PREFIX = /^[Tt]ests?[_.-]/;

/**
 * The case is kept, because `FooTest` and `latest` differ by it alone. Among the files of a program `test_functions` is as
 * often what a test runner is made of; languages that have tests there say so themselves.
 */
function isTestName(name: string, inProgram: boolean): boolean {
  return TEST_NAME.test(name) || (!inProgram && TEST_PREFIX.test(name));
}

/** `en.json`, `pt-br.yml`, `zh_hans.ts`: a language code and nothing else. */
function isLanguageCodeName(name: string): boolean {
  return /^[a-z]{2,3}(?:[-_][a-z]{2,4})?\.[a-z]+$/.test(name);
}
