const C = `assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg
  stdatomic stdbit stdbool stdckdint stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar
  wctype`;

const POSIX = `aio dirent dlfcn fcntl fnmatch ftw getopt glob grp iconv langinfo libgen mqueue netdb poll pthread pwd
  regex sched search semaphore spawn strings sysexits syslog termios unistd utime utmpx wordexp malloc alloca endian
  execinfo features windows`;

/** Headers of the C standard, of POSIX and of C++ (those have no extension). */
export const C_STANDARD_HEADERS: ReadonlySet<string> = new Set([
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
