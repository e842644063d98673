// Includes of C and C++. Build files are not read: the paths of includes suggest the include folders.
import type { ImportResolver, LinkContext, Resolution } from '../../../model/import-resolver.ts';
import { fileNameOf, folderOf, joinWithin, sharedDepth, stemOf } from './repository-path.ts';
import {
  cachePerFolder,
  EXTERNAL,
  filesEndingWith,
  nearestTo,
  resolvedTo,
  UNRESOLVED,
} from './resolution.ts';

/** How an include in angle brackets is marked, among the names. */
const ANGLE = '<>';
/** Folders that compilers usually get as include paths. */
const INCLUDE_ROOT = /(^|\/)(include|inc|includes|src|source|lib)\/$/;
const IMPLEMENTATION = ['.c', '.cc', '.cpp', '.cxx', '.c++', '.m', '.mm', '.cu'];
const HEADER = ['.h', '.hpp', '.hh', '.hxx', '.cuh', '.inl'];

/**
 * Quoted includes are searched beside the file first. Includes in angle brackets need two matching segments, because
 * they are usually of a library.
 */
export const cFamilyResolver: ImportResolver = (context) => {
  const quoted = cachePerFolder((folder, specifier): Resolution => {
    const beside = joinWithin(folder, specifier);
    if (beside !== null && context.has(beside)) return resolvedTo(beside);
    const found = byIncludePath(folder, specifier, 1, context);
    if (found !== null) return resolvedTo(found);
    return C_STANDARD_HEADERS.has(specifier) ? EXTERNAL : UNRESOLVED;
  });
  const angled = cachePerFolder((folder, specifier): Resolution => {
    if (C_STANDARD_HEADERS.has(specifier)) return EXTERNAL;
    const found = byIncludePath(folder, specifier, 2, context);
    return found === null ? EXTERNAL : resolvedTo(found);
  });
  return (from, { specifier, names }) => (names.includes(ANGLE) ? angled : quoted)(from, specifier);
};

/**
 * A file that ends with the whole path; otherwise with the longest part of it that has at least `least` segments and
 * matches one file only (`project/util/x.h` where the repository is the project).
 */
function byIncludePath(
  folder: string,
  specifier: string,
  least: number,
  context: LinkContext,
): string | null {
  const segments = specifier.split('/').filter((one) => one !== '' && one !== '.' && one !== '..');
  if (segments.length === 0) return null;
  const whole = filesEndingWith(context, segments.join('/'));
  if (whole.length > 0) return bestRoot(folder, segments.join('/'), whole);
  for (let start = 1; segments.length - start >= least; start++) {
    const found = filesEndingWith(context, segments.slice(start).join('/'));
    if (found.length > 0) return found.length === 1 ? found[0]! : null;
  }
  return null;
}

/** Of several files, one below a folder that looks like an include path, unless another one is nearer. */
function bestRoot(folder: string, suffix: string, found: readonly string[]): string | null {
  const rooted = found.filter((path) => INCLUDE_ROOT.test(path.slice(0, -suffix.length)));
  const inside = `${folder}/`;
  const nearest = nearestTo(inside, found);
  const nearestRooted = nearestTo(inside, rooted);
  if (nearest === null || nearestRooted === null) return nearest;
  return sharedDepth(inside, nearest) > sharedDepth(inside, nearestRooted) ? nearest : nearestRooted;
}

/** The other half of a header or an implementation: beside it, else the only or nearest one of that name. */
export function implementationOf(path: string, context: LinkContext): readonly string[] {
  const stem = stemOf(path);
  const extension = fileNameOf(path).slice(stem.length);
  const wanted = HEADER.includes(extension)
    ? IMPLEMENTATION
    : IMPLEMENTATION.includes(extension)
      ? HEADER
      : [];
  const beside = wanted
    .map((end) => joinWithin(folderOf(path), stem + end)!)
    .filter((one) => context.has(one));
  if (beside.length > 0) return beside;
  const nearest = nearestTo(
    path,
    wanted.flatMap((end) => context.named(stem + end)),
  );
  return nearest === null ? [] : [nearest];
}

const C = `assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg
  stdatomic stdbit stdbool stdckdint stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar
  wctype`;

const POSIX = `aio dirent dlfcn fcntl fnmatch ftw getopt glob grp iconv langinfo libgen mqueue netdb poll pthread pwd
  regex sched search semaphore spawn strings sysexits syslog termios unistd utime utmpx wordexp malloc alloca endian
  execinfo features windows`;

/** Headers of the C standard, of POSIX and of C++ (those have no extension). */
const C_STANDARD_HEADERS: ReadonlySet<string> = new Set([
  ...`${C} ${POSIX}`.split(/\s+/).map((name) => `${name}.h`),
  ...C.split(/\s+/).map((name) => `c${name}`),
  ...`algorithm any array atomic barrier bit bitset charconv chrono codecvt compare concepts condition_variable
  coroutine deque exception execution expected filesystem flat_map flat_set format forward_list fstream functional
  future generator initializer_list iomanip ios iosfwd iostream istream iterator latch limits list locale map mdspan
  memory memory_resource mutex new numbers numeric optional ostream print queue random ranges ratio regex
  scoped_allocator semaphore set shared_mutex source_location span spanstream sstream stack stacktrace stdexcept
  stdfloat stop_token streambuf string string_view strstream syncstream system_error thread tuple type_traits typeindex
  typeinfo unordered_map unordered_set utility valarray variant vector version`.split(/\s+/),
]);
