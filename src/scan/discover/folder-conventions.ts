import { inheritByFolder, nameOf } from './inherit-by-folder.ts';

type Trait = 'vendored' | 'generated' | 'test' | 'docs' | 'example' | 'translation' | 'snapshot' | 'tooling';

/** For each trait why everything in the folder has it (`path has a "tests" folder`), or null. */
export interface FolderTraits extends Readonly<Record<Trait, string | null>> {
  /** The first folder of the path is one for documents. */
  readonly docsAtTop: boolean;
  /** Below a folder for the program itself, where `examples` and `samples` are parts of the program. */
  readonly inProgram: boolean;
  /** Below `src/main`, where what is shipped lies whatever its packages are called: `org/example/test` holds no tests. */
  readonly isShipped: boolean;
}

const FOLDER_NAMES: Readonly<Record<Exclude<Trait, 'tooling'> | 'program', string>> = {
  vendored:
    'vendor vendored _vendor third_party third-party thirdparty 3rdparty 3rd_party 3rd-party node_modules ' +
    'bower_components jspm_packages site-packages godeps pods carthage .venv venv virtualenv .yarn .bundle',
  generated:
    'dist generated __generated__ _generated .next .nuxt .output .svelte-kit .turbo .parcel-cache __pycache__ ' +
    '.pytest_cache .mypy_cache .gradle .dart_tool storybook-static htmlcov .nyc_output',
  test:
    'test tests __tests__ __test__ spec specs e2e testdata test-data test_data testcases test-cases fixtures ' +
    '__fixtures__ __mocks__ androidtest unittest unittests unit-tests unit_tests integration-tests ' +
    'integration_tests integrationtest functional-tests functional_tests e2e-tests cypress regression-tests',
  docs: 'docs doc documentation wiki man javadoc docsrc doc-src',
  example: 'example examples sample samples demo demos tutorial tutorials cookbook quickstart quickstarts',
  translation: 'locale locales i18n l10n lang langs translation translations _locales lc_messages',
  snapshot: '__snapshots__ __image_snapshots__ snapshots',
  program: 'src lib app source sources',
};

const MEANINGS: ReadonlyMap<string, string> = new Map(
  Object.entries(FOLDER_NAMES).flatMap(([meaning, list]) => list.split(' ').map((name) => [name, meaning])),
);

/** `com/example/app` is a made-up domain name, not an example. */
const DOMAINS: ReadonlySet<string> = new Set(['com', 'org', 'net', 'io', 'dev', 'edu']);

const NO_TRAITS: FolderTraits = {
  vendored: null,
  generated: null,
  test: null,
  docs: null,
  docsAtTop: false,
  example: null,
  inProgram: false,
  isShipped: false,
  translation: null,
  snapshot: null,
  tooling: null,
};

/** What the folders above a file say about it. */
export const folderTraits = inheritByFolder(NO_TRAITS, (above, folder) => {
  const name = nameOf(folder);
  const lower = name.toLowerCase();
  const meaning = MEANINGS.get(lower) ?? (lower.endsWith('-snapshots') ? 'snapshot' : null);
  const isHidden = name.startsWith('.');
  if (lower === 'main' && isBelowSource(folder)) return { ...above, isShipped: true };
  // Nearly all folders say nothing new and share what is known of the one above.
  if (meaning === null && !isHidden) return above;
  const why = `path has a "${name}" folder`;
  const hidden = isHidden ? { ...above, tooling: above.tooling ?? why } : above;
  switch (meaning) {
    case null:
      return hidden;
    case 'program':
      return { ...hidden, inProgram: true };
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

function isBelowDomain(folder: string, name: string): boolean {
  return DOMAINS.has(nameOf(folder.slice(0, Math.max(0, folder.length - name.length - 1))));
}

function isBelowSource(folder: string): boolean {
  return folder === 'src/main' || folder.endsWith('/src/main');
}
