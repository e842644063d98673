// What a path alone says about the origin of a file: names that tools give to their output, copies of other projects,
// and the numbered steps of a database.

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
