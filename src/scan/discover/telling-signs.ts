// The signs of a file that is not worth reading. In its path: binary formats, names that tools give to their output, copies
// of other projects, numbered steps of a database. In its text: a sentence of a tool in the first lines, the prologue of a
// bundler, a source map that the last line names, lines that nobody writes by hand.
import type { LanguageKind } from './classify.ts';

/**
 * Formats that are never text. SVG, PEM and GeoJSON are text. Extensions that are used for text as often as for
 * something else (`.key`, `.pub`, `.raw`) are not listed: their content decides.
 */
const BINARY_EXTENSIONS: ReadonlySet<string> = new Set(
  [
    // images, textures, models
    'png jpg jpeg jfif gif bmp ico icns cur webp avif heic heif tif tiff psd psb xcf ai eps cr2 nef dng',
    'tga dds exr hdr ktx ktx2 pvr jp2 jxl glb fbx blend 3ds',
    // fonts
    'woff woff2 ttf ttc otf eot pfb pfm fon',
    // archives and disk images
    'zip gz tgz bz2 tbz2 xz txz lz lzma lz4 zst br 7z rar tar jar war ear aar apk aab ipa xpi crx whl egg gem',
    'nupkg vsix cab deb rpm msi dmg iso pkg snupkg cpio phar',
    // audio and video
    'mp3 wav flac ogg oga opus m4a aac wma aiff aif mid midi mp4 m4v mov avi mkv webm wmv flv mpg mpeg 3gp ogv',
    // compiled and linked
    'exe dll so dylib o obj lib pdb ilk class pyc pyo pyd wasm bc elc beam rlib rmeta dex node ko elf bin',
    'mo gmo qm nib swiftmodule metallib spv cubin',
    // databases, models, numbers
    'db db3 sqlite sqlite3 mdb accdb dbf shp shx sbn mmdb rdb parquet avro orc feather arrow npy npz h5 hdf5',
    'pkl pickle joblib pt pth onnx tflite pb safetensors gguf ckpt mat rds rdata sas7bdat',
    // documents
    'pdf doc docx dot dotx xls xlsx xlsm xlsb ppt pptx pps ppsx odt ods odp odg numbers epub mobi',
    'vsd vsdx sketch xd indd',
    // keys and caches in binary form
    'jks keystore p12 pfx der kdbx swp idx pack lockb',
  ].flatMap((line) => line.split(' ')),
);

/** True for names of images, archives and the like, which are never opened. */
export function hasBinaryExtension(path: string): boolean {
  const dot = path.lastIndexOf('.');
  return dot >= 0 && BINARY_EXTENSIONS.has(path.slice(dot + 1).toLowerCase());
}

/** Joins patterns into one, because they run for every file and nearly all files match none of them. */
export const anyOf = (patterns: readonly RegExp[]): RegExp =>
  new RegExp(patterns.map((pattern) => pattern.source).join('|'));

type NamedPattern = readonly [pattern: RegExp, what: string];

/** Finds the description of the first pattern that a name matches. */
function describer(table: readonly NamedPattern[]): (name: string) => string | null {
  const any = anyOf(table.map(([pattern]) => pattern));
  return (name) => (any.test(name) ? (table.find(([pattern]) => pattern.test(name))?.[1] ?? null) : null);
}

/** Names that tools give to their output, in lower case, with a description for the reason. */
export const generatedByName = describer([
  [/[.-]min\.(?:[cm]?js|css)$/, 'a minified file'],
  [/\.(?:bundle|chunk)\.[cm]?js$/, 'a bundle'],
  [/\.(?:[cm]?js|css|ts|wasm|bundle)\.map$/, 'a source map'],
  [
    /\.pb(?:\.gw|\.validate|json)?\.[a-z]+$|_(?:grpc_)?pb(?:2|2_grpc)?\.(?:pyi?|[cm]?js|d\.ts|ts|rb)$|\.twirp\.go$/,
    'a compiled schema',
  ],
  [
    /\.(?:g|gr|freezed|mocks|config)\.dart$|\.g\.(?:cs|vb|ts|go|rs|kt|java)$|\.g\.i\.cs$/,
    'the output of a code generator',
  ],
  [
    /(?:^|_)(?:lextab|parsetab)\.py$|^lex\.yy\.c$|^y\.tab\.[ch]$|\.tab\.(?:cc?|cpp|hh?|hpp)$/,
    'the tables of a parser',
  ],
  [/[._-](?:generated|autogen)\.[a-z.]+$|[._]gen\.[a-z.]+$|^zz_generated[._]/, 'a generated file'],
  [/\.designer\.(?:cs|vb)$|^(?:moc|qrc|ui)_.*\.(?:cpp|h)$/, 'the output of a form designer'],
  [/\.tsbuildinfo$|^\.pnp\.(?:cjs|loader\.mjs)$|\.pbxproj$/, 'the state of a build tool'],
  [/^(?:gradlew|mvnw)(?:\.(?:bat|cmd))?$|^mavenwrapperdownloader\.java$/, 'the wrapper of a build tool'],
  [
    /^(?:config\.(?:guess|sub)|install-sh|ltmain\.sh|depcomp|mkinstalldirs|aclocal\.m4|lt(?:options|sugar|version|~obsolete)\.m4)$/,
    'a part of a build tool',
  ],
]);

/** Names that only copies of other people's files have. */
export const vendoredByName = describer([
  [/^ax_[\w-]+\.m4$|^ax-[\w-]+\.m4$|^libtool\.m4$/, 'a macro of a public archive'],
  [
    /^(?:jquery|bootstrap|angular|lodash|underscore|backbone|moment|d3|three|vue|react)[.-]v?\d+\.\d+(?:\.\d+)?[\w.-]*\.(?:js|css)$/,
    'a release of a library',
  ],
]);

/** A dump of the public names of a module, as a check of compatibility keeps it: `api/core.api`. */
export const API_DUMP = /(?:^|\/)api\/[^/]+\.api$/;

/** `jquery-3.6.0`, `qscintilla_2.14.1`: somebody else's release, unpacked. */
const RELEASE_FOLDER = /^([a-z][a-z\d+]*(?:[_-][a-z][a-z\d+]*)*)[_-]v?\d+\.\d+(?:\.\d+)+$/;
/** Words that name a version of the project itself, or of what it speaks to. */
const OWN_VERSION =
  /(?:^|[_-])(?:v|versions?|releases?|docs?|api|schemas?|specs?|migrations?|migrate|upgrades?|update|from|to|es|python|php|ruby|node|java|go|swift|rust|kotlin|scala)$/;

/** Whether a folder is named like a release of another project. Names are in lower case. */
export function isReleaseFolder(name: string): boolean {
  const project = /\d$/.test(name) ? RELEASE_FOLDER.exec(name)?.[1] : undefined;
  return project !== undefined && !OWN_VERSION.test(project);
}

/** Folders that are other people's only where a repository begins: deeper down they are parts of a program. */
export const FOREIGN_AT_TOP: ReadonlySet<string> = new Set(['deps', 'extern', 'external', 'externals']);

/**
 * Folders of frameworks that hold the steps of a database, and the number that each step's name begins with. The number
 * tells a step from a program about migrations.
 */
const MIGRATION_PLACE = /(?:migrat|alembic)[^/]*\//;
const MIGRATION_FOLDER = /(?:^|\/)(?:migrations?|migrate)\/(?:[^/]+\/)?[^/]+$/;
const MIGRATION_NAME = /^(?:\d{3,}|v\d+(?:[._]\d+)*_|u\d+(?:[._]\d+)*_)[\w.-]*\.[a-z]+$/;
const REVISION = /(?:^|\/)(?:alembic|migrations)\/versions\/[0-9a-f]{8,}_[\w-]*\.py$/;
const MIGRATION_STEP =
  /(?:^|\/)migrations?\/(?:\d{3,}|\d{4}-\d{2}-\d{2})[\w.-]*\/(?:up|down|migration)\.[a-z]+$/;

/** Whether a path is one step of a database: `app/migrations/0001_initial.py`, `db/migrate/20240101000000_add.rb`. */
export function isMigration(lowerPath: string): boolean {
  if (!MIGRATION_PLACE.test(lowerPath)) return false;
  if (REVISION.test(lowerPath) || MIGRATION_STEP.test(lowerPath)) return true;
  return (
    MIGRATION_FOLDER.test(lowerPath) && MIGRATION_NAME.test(lowerPath.slice(lowerPath.lastIndexOf('/') + 1))
  );
}

/** Characters in which a generated file says so: a licence may come first. */
const HEAD_LENGTH = 2_048;
/** Characters at the end in which a compiled file names its source map. */
const TAIL_LENGTH = 300;

/** Whether the text of a file says, or shows, that a tool wrote it. `kind` is that of its language, when it has one. */
export function looksGenerated(text: string, kind: LanguageKind | null = null): boolean {
  const head = text.slice(0, HEAD_LENGTH);
  if (saysGenerated(head) || PINNED.test(head)) return true;
  if (kind === 'markup') return WRITTEN_PAGE.test(head) || namesSourceMap(text);
  return kind === 'code' && (isBundled(head) || namesSourceMap(text) || hasMachineLines(text));
}

/** The characters that begin a comment line, in any language. */
const COMMENT_LEADER =
  /^(?:\/\/[/!]?|\/\*[*!]?|\*|#+!?|--+|;+|%+|<!--|\(\*|\{-|"""|'''|"|@?REM\b|dnl\b|!|\.\\")\s*/i;
/** Lines of frames: `// == DO NOT MODIFY ==`. */
const FRAME = /^[=*#~_-]+\s*/;
/** Words that tools write before the sentence itself. */
const CALL_FOR_ATTENTION = /^(?:warning|note|attention|caution|important)\b[:!\s]*/i;
/** `parser.c: generated by ...` */
const OWN_NAME = /^[\w./-]{1,80}\.\w{1,10}[.:]?\s+(?=(?:this file |automatically |generated ))/i;

/** A request that is about a part of the file, or has a condition, is written by people for people. */
const ABOUT_A_PART =
  /\b(?:above|below|until|following|section|lines?|between|other than|unless|without|yourself|here)\b/.source;

/** Programs that write "generated by NAME" into files which nobody edits afterwards. */
const GENERATORS = [
  'antlr\\d? javacc jjtree bison flex yacc lemon re2c ragel racc menhir alex happy jison peg\\.?js peggy nearley ply',
  'tree-sitter lezer snowball swig thrift cython coffeescript protoc grpc flatc capnp openapi swagger bindgen cbindgen',
  'wasm-bindgen autoconf automake aclocal libtool help2man ronn pod2man pod::man docbook asciidoctor scdoc jazzy javadoc',
  'doxygen typedoc ldoc yard sqlc mockery moq mockgen gomock stringer easyjson go-bindata swiftgen sourcery prisma',
  'graphql-codegen graphql_codegen emscripten uic moc rcc vhdl2vl pip-compile uv dart_style build_runner kapt dagger',
].flatMap((line) => line.split(' '));

/**
 * Sentences that tools write into generated files. A bare "Generated by" does not count: frameworks write it into files
 * that people then edit and own, such as migrations.
 */
const SIGNATURES: readonly RegExp[] = [
  /^@generated\b/,
  /^code generated\b.{0,200}\bdo not edit\b/i,
  /^code generated by\b/i,
  /^<auto-?generated/i,
  new RegExp(`^do not (?:edit|modify)\\b(?!.{0,80}${ABOUT_A_PART})`, 'i'),
  /^(?:this|the) (?:[\w.-]+ ){1,4}(?:is|was|were|has been|have been|been)(?: an?)? (?:auto-?generated|(?:auto|automatically|machine|mechanically)[ -]generated)\b/i,
  /^this is an? (?:auto-?generated|automatically generated)\b/i,
  /^this (?:file|code|class|module|header|source|document)(?: \S{1,60})? (?:is|was|has been) generated\b/i,
  /^this file (?:is |was )?automatically (?:created|built|written|produced) by\b/i,
  /^(?:auto-?generated|automatically generated)(?: (?:file|code|by|from|using|with)\b|[.:! -]*$)/i,
  /^(?:file|source|class|module|parser|lexer|documentation|tables?) (?:auto-?|automatically )?generated (?:from|by|with|using) (?!\/)/i,
  /^generated (?:file|code)\b.{0,100}\bdo not\b/i,
  /^generated (?:automatically )?(?:by|with|using|from) .{0,120}\bdo not (?:edit|modify)\b/i,
  /^generated by the (?:\S{1,40} ){1,4}(?:command|compiler|generator|tool)\b/i,
  new RegExp(
    `^generated (?:automatically )?(?:from \\S{1,80} )?(?:by|with|using)\\b:?\\s*(?:the |gnu )?(?:${GENERATORS.join('|')})\\b`,
    'i',
  ),
  /^a (?:bison parser, made by|lexical scanner generated by)\b/i,
  /^(?:postgresql|mysql|mariadb|sqlite) (?:database )?dump\b/i,
];

/** A text that follows is the template of a file, not this file. */
const TEMPLATE_BEGINS = /(?:[=(,:]|\breturn)\s*[rfub]{0,2}(?:"""|'''|`)[^`"']*$|<<[-~]?\s*['"]?[A-Z_]{2,}/;

function saysGenerated(head: string): boolean {
  // Most files have none of these words. This cheap test avoids the search line by line.
  if (!/generated|do not (?:edit|modify)|automatically|bison parser|dump\b/i.test(head)) return false;
  for (const line of head.split('\n')) {
    const trimmed = line.trim();
    const comment = trimmed.replace(COMMENT_LEADER, '');
    if (comment.length < trimmed.length && /(?:^|\s)@generated\b/.test(comment)) return true;
    const text = comment.replace(FRAME, '').replace(CALL_FOR_ATTENTION, '').replace(OWN_NAME, '');
    if (SIGNATURES.some((signature) => signature.test(text))) return true;
    if (TEMPLATE_BEGINS.test(line)) return false;
  }
  return false;
}

/** A list of packages with the hashes of their archives, as resolvers write it. */
const PINNED = /^[ \t]+--hash=sha256:[0-9a-f]{64}/m;

/** Pages of documentation that a tool wrote. A template (`{{ }}`) names a generator for the pages made from it. */
const WRITTEN_PAGE =
  /<meta name="generator" content="[^"{}<>]+"|<!-- generated by (?:javadoc|doxygen|jazzy|yard|phpdocumentor)\b|\bcss\/jazzy\.css\b/i;

/** The first lines that bundlers and compilers put before what they were given. */
const BUNDLE_PROLOGUES: readonly RegExp[] = [
  /^[ \t]*\/\*{6}\/ /m,
  /^[ \t]*(?:var|let|const) __(?:defProp|getOwnPropNames|commonJS\w*|toESM)\b ?=/m,
  /^(?:var|const) __(?:awaiter|importDefault|importStar|extends|assign|decorate|createBinding|spreadArray) = \(?this && this\./m,
  /^\(?function\(\)\{function \w\(\w,\w,\w\)\{function \w\(/m,
  /^Object\.defineProperty\(exports, ["']__esModule["'], \{ ?value: (?:true|!0) ?\}\);?$/m,
  /^[ \t]*var Module ?= ?typeof Module\b/m,
];

function isBundled(head: string): boolean {
  return (
    /__|\/\*{6}\/|function\(\)\{function|Module/.test(head) &&
    BUNDLE_PROLOGUES.some((prologue) => prologue.test(head))
  );
}

/** The last line of compiled scripts and style sheets: `//# sourceMappingURL=app.js.map`. */
function namesSourceMap(text: string): boolean {
  return /\n(?:\/\/|\/\*)[#@] sourceMappingURL=[^\n]*\s*$/.test(text.slice(-TAIL_LENGTH));
}

/** A line that nobody reads: of code without breaks, or of encoded bytes. */
const MACHINE_LINE = 1_000;
/** A file with such lines is the work of a tool when nearly all of it is in them, */
const MACHINE_SHARE = 0.85;
/** and it has few others: a test with one enormous string is written by hand. */
const MAX_OTHER_LINES = 100;

function hasMachineLines(text: string): boolean {
  if (text.length < MACHINE_LINE) return false;
  let long = 0;
  let others = 0;
  for (let at = 0; at < text.length && others <= MAX_OTHER_LINES; ) {
    const newline = text.indexOf('\n', at);
    const end = newline === -1 ? text.length : newline;
    if (end - at >= MACHINE_LINE) long += end - at;
    else others++;
    at = end + 1;
  }
  return others <= MAX_OTHER_LINES && long >= MACHINE_SHARE * text.length;
}
