import { LANGUAGES } from '../../scan/parse/index.ts';
import { anyOf } from './word-runs.ts';

// Tells names of files and folders from other words with a dot or a slash. Nothing is looked up.

function list(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/));
}

/** Extensions of files without a language: data, pictures, project files, tools. */
const OTHER_EXTENSIONS = list(
  `ipynb gradle edn mod csproj vbproj fsproj sln blade raku cabal di ada move sed jade jsonl ndjson ini cfg
  conf xml xsd xsl xslt plist properties env lock csv tsv tfvars cmake mk make ninja gn gni dockerfile txt
  bib pot po svg png jpg jpeg gif ico webp ttf woff woff2 wasm snap patch diff map templ feature ipkg nu
  tscn cfc litcoffee ls xcodeproj pbxproj storyboard resx ftl jspx`,
);

/** Extensions that people also write for other reasons: `example.ru`, `this.ui`, `git.command`. */
const WORDS_AND_DOMAINS = list(
  `apex cake command cr cue geom hx l lean lex man mill odin org peg pod res rq ru sc sky star td thor
  trigger ui vala vm xs y`,
);

/** Extensions that make a word without folders a file name. */
const EXTENSIONS: ReadonlySet<string> = new Set(
  [
    ...LANGUAGES.flatMap(({ extensions }) => extensions.map((one) => one.slice(1))),
    ...OTHER_EXTENSIONS,
  ].filter((extension) => !WORDS_AND_DOMAINS.has(extension)),
);

/** Extensions that are also common names of members: `response.json`, `console.log`, `np.c`, `this.t`. */
const MEMBER_LIKE = list(
  `c h m t d r s v f go re for map mod make move json html css text env conf lock log properties feature
  org patch diff comp pp ls el di pl pm cs ex md sql yaml xml svg inl sh po js proto`,
);

/** Files without an extension. */
const WHOLE_NAMES = list(
  `Makefile makefile GNUmakefile Dockerfile Containerfile Gemfile Rakefile Guardfile Podfile Fastfile
  Brewfile Procfile Jenkinsfile Vagrantfile Justfile justfile Taskfile Earthfile Tiltfile BUILD WORKSPACE
  CODEOWNERS README CHANGELOG CONTRIBUTING LICENSE Pipfile SConstruct SConscript Kconfig Snakefile`,
);

/** `.env.local`, `.npmrc`, `.gitignore`. */
const DOT_FILE = anyOf(
  /^\.env(?:\.[\w-]{1,40}){0,3}$/,
  /^\.[a-z][\w-]{0,40}(?:rc|ignore|config|attributes|modules|keep|version|files|yml|yaml)(?:\.[a-z]{1,5})?$/,
);

/** Products with names like files. */
const PRODUCTS = list(
  'node.js vue.js react.js next.js nuxt.js express.js angular.js nest.js deno.js asp.net docs.rs',
);

/** Whether a name is a file without an extension: `Makefile`. */
export function isWholeName(name: string): boolean {
  return WHOLE_NAMES.has(name);
}

/** Whether a name without folders can only be a file: `settings.py`, `.npmrc`, `Makefile`. */
export function isFileName(name: string): boolean {
  if (WHOLE_NAMES.has(name) || DOT_FILE.test(name)) return true;
  const dot = name.lastIndexOf('.');
  return dot > 0 && EXTENSIONS.has(name.slice(dot + 1).toLowerCase()) && !PRODUCTS.has(name.toLowerCase());
}

/** Whether a name could also be a member of an object. */
export function isMemberLike(name: string): boolean {
  return MEMBER_LIKE.has(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
}

/** Common top folders of repositories. A text that begins with one is a path, even without an extension. */
const FOLDERS = list(
  `src lib libs app apps packages package pkg cmd internal test tests spec specs docs doc core crates
  modules module components tools scripts script examples example include includes api server web bin
  build config configs contrib vendor third_party node_modules dist static public assets templates .github
  .vscode .circleci plugins extensions benchmarks bench fixtures resources util utils helpers services
  controllers models views pages routes source sources python rust java go`,
);

/** Whether a name is a common top folder. */
export function isFolderName(name: string): boolean {
  return FOLDERS.has(name);
}
