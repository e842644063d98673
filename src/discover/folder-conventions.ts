import { inheritByFolder, nameOf } from './inherit-by-folder.ts';

/** For each trait why everything in the folder has it (`path has a "tests" folder`), or null. */
export interface FolderTraits {
  readonly vendored: string | null;
  readonly generated: string | null;
  readonly test: string | null;
  readonly docs: string | null;
  /** The first folder of the path is one for documents. */
  readonly docsAtTop: boolean;
  readonly example: string | null;
  readonly translation: string | null;
  readonly snapshot: string | null;
  readonly tooling: string | null;
}

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const VENDORED = names(
  'vendor vendored _vendor third_party third-party thirdparty 3rdparty 3rd_party 3rd-party node_modules ' +
    'bower_components jspm_packages site-packages godeps pods carthage .venv venv virtualenv .yarn .bundle',
);
const GENERATED = names(
  'dist generated __generated__ _generated .next .nuxt .output .svelte-kit .turbo .parcel-cache __pycache__ ' +
    '.pytest_cache .mypy_cache .gradle .dart_tool storybook-static htmlcov .nyc_output',
);
const TEST = names(
  'test tests __tests__ __test__ spec specs e2e testdata test-data test_data testcases test-cases fixtures ' +
    '__fixtures__ __mocks__ androidtest unittest unittests unit-tests unit_tests integration-tests ' +
    'integration_tests integrationtest functional-tests functional_tests e2e-tests cypress regression-tests',
);
const DOCS = names('docs doc documentation wiki man javadoc docsrc doc-src');
const EXAMPLE = names(
  'example examples sample samples demo demos tutorial tutorials cookbook quickstart quickstarts',
);
const TRANSLATION = names(
  'locale locales i18n l10n lang langs translation translations _locales lc_messages',
);
const SNAPSHOT = names('__snapshots__ __image_snapshots__ snapshots');
/** `com/example/app` is a made-up domain name, not an example. */
const DOMAINS = names('com org net io dev edu');

const NO_TRAITS: FolderTraits = {
  vendored: null,
  generated: null,
  test: null,
  docs: null,
  docsAtTop: false,
  example: null,
  translation: null,
  snapshot: null,
  tooling: null,
};

/** What the folders above a file say about it. */
export const folderTraits = inheritByFolder(NO_TRAITS, (above, folder) => {
  const name = nameOf(folder);
  const lower = name.toLowerCase();
  const why = `path has a "${name}" folder`;
  const pick = (inherited: string | null, list: ReadonlySet<string>): string | null =>
    inherited ?? (list.has(lower) ? why : null);
  const parent = nameOf(folder.slice(0, Math.max(0, folder.length - name.length - 1)));
  return {
    vendored: pick(above.vendored, VENDORED),
    generated: pick(above.generated, GENERATED),
    test: pick(above.test, TEST),
    docs: pick(above.docs, DOCS),
    docsAtTop: above.docsAtTop || (name === folder && DOCS.has(lower)),
    example: DOMAINS.has(parent) ? above.example : pick(above.example, EXAMPLE),
    translation: pick(above.translation, TRANSLATION),
    snapshot: above.snapshot ?? (SNAPSHOT.has(lower) || lower.endsWith('-snapshots') ? why : null),
    tooling: above.tooling ?? (name.startsWith('.') ? why : null),
  };
});
