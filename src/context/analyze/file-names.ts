import { LANGUAGES } from '../../scan/parse/index.ts';
import { anyOf } from './word-runs.ts';

function list(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/));
}

/** Endings of files that are in no language: data, pictures, project files, tools. */
const OTHER_EXTENSIONS = list(
  `ipynb gradle edn mod csproj vbproj fsproj sln blade raku cabal di ada move sed jade jsonl ndjson ini cfg
  conf xml xsd xsl xslt plist properties env lock csv tsv tfvars cmake mk make ninja gn gni dockerfile txt
  bib pot po svg png jpg jpeg gif ico webp ttf woff woff2 wasm snap patch diff map templ feature ipkg nu
  tscn cfc litcoffee ls xcodeproj pbxproj storyboard resx ftl jspx`,
);

/** Endings of languages that people write behind a dot for other reasons: `example.ru`, `this.ui`, `git.command`. */
const WORDS_AND_DOMAINS = list(
  `apex cake command cr cue geom hx l lean lex man mill odin org peg pod res rq ru sc sky star td thor
  trigger ui vala vm xs y`,
);

/** Endings that make a bare word the name of a file. */
const EXTENSIONS: ReadonlySet<string> = new Set(
  [
    ...LANGUAGES.flatMap(({ extensions }) => extensions.map((one) => one.slice(1))),
    ...OTHER_EXTENSIONS,
  ].filter((extension) => !WORDS_AND_DOMAINS.has(extension)),
);

/** Endings that are also common names of members: `response.json`, `console.log`, `np.c`, `this.t`. */
const MEMBER_LIKE = list(
  `c h m t d r s v f go re for map mod make move json html css text env conf lock log properties feature
  org patch diff comp pp ls el di pl pm cs ex md sql yaml xml svg inl sh po js proto`,
);

const WHOLE_NAMES = list(
  `Makefile makefile GNUmakefile Dockerfile Containerfile Gemfile Rakefile Guardfile Podfile Fastfile
  Brewfile Procfile Jenkinsfile Vagrantfile Justfile justfile Taskfile Earthfile Tiltfile BUILD WORKSPACE
  CODEOWNERS README CHANGELOG CONTRIBUTING LICENSE Pipfile SConstruct SConscript Kconfig Snakefile`,
);

const DOT_FILE = anyOf(
  /^\.env(?:\.[\w-]{1,40}){0,3}$/,
  /^\.[a-z][\w-]{0,40}(?:rc|ignore|config|attributes|modules|keep|version|files|yml|yaml)(?:\.[a-z]{1,5})?$/,
);

/** Products that are named like a file. */
const PRODUCTS = list(
  'node.js vue.js react.js next.js nuxt.js express.js angular.js nest.js deno.js asp.net docs.rs',
);

/** A name that needs no ending: `Makefile`. */
export function isWholeName(name: string): boolean {
  return WHOLE_NAMES.has(name);
}

/** A name without folders that is surely not something else: `settings.py`, `.npmrc`, `Makefile`. */
export function isFileName(name: string): boolean {
  if (WHOLE_NAMES.has(name) || DOT_FILE.test(name)) return true;
  const dot = name.lastIndexOf('.');
  return dot > 0 && EXTENSIONS.has(name.slice(dot + 1).toLowerCase()) && !PRODUCTS.has(name.toLowerCase());
}

/** A name that could as well be a member of an object. */
export function isMemberLike(name: string): boolean {
  return MEMBER_LIKE.has(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
}

/** First folders of repositories: what begins with one is a path even without an ending. */
const FOLDERS = list(
  `src lib libs app apps packages package pkg cmd internal test tests spec specs docs doc core crates
  modules module components tools scripts script examples example include includes api server web bin
  build config configs contrib vendor third_party node_modules dist static public assets templates .github
  .vscode .circleci plugins extensions benchmarks bench fixtures resources util utils helpers services
  controllers models views pages routes source sources python rust java go`,
);

export function isFolderName(name: string): boolean {
  return FOLDERS.has(name);
}
