// Imports of Python. The module path is not known, so folders that look like roots are detected: those with project
// files, and the parents of top-level packages.
import type { ImportResolver, LinkContext, Resolution } from '../../../model/import-resolver.ts';
import { fileNameOf, folderOf, isInside, joinWithin, sharedDepth } from './repository-path.ts';
import { cachePerFolder, EXTERNAL, UNRESOLVED } from './resolution.ts';

/** A module found on disk: its file, and the folder its submodules lie in. A namespace package has no file. */
interface Module {
  readonly file: string | null;
  readonly folder: string;
}

/** Absolute imports by detected roots, relative ones by dots; a name that is a submodule means its file. */
export const pythonResolver: ImportResolver = (context) => {
  const findModule = createFindModule(context);
  return (from, { specifier, names }) => {
    const found = findModule(from, specifier);
    if (!('folder' in found)) return found;
    const paths = new Set<string>();
    for (const name of names) {
      const submodule = name === '*' ? null : pythonFile(context, `${found.folder}/${name}`);
      const target = submodule ?? found.file;
      if (target !== null) paths.add(target);
    }
    if (names.length === 0 && found.file !== null) paths.add(found.file);
    if (paths.size > 0) return { kind: 'resolved', paths: [...paths] };
    // A folder without `__init__.py` is weak evidence: the import may mean an installed package.
    return specifier.startsWith('.') ? UNRESOLVED : EXTERNAL;
  };
};

function createFindModule(context: LinkContext): (from: string, specifier: string) => Module | Resolution {
  const rootsOf = findPythonRoots(context);

  function moduleAt(place: string): Module | null {
    const file = pythonFile(context, place);
    if (file !== null) return { file, folder: place };
    return context.hasFolder(place) ? { file: null, folder: place } : null;
  }

  /** One dot is the package of the file itself, each further dot one level up. */
  function relative(folder: string, specifier: string): Module | Resolution {
    const dots = /^\.*/.exec(specifier)![0].length;
    const base = joinWithin(folder, '../'.repeat(dots - 1));
    const place = base === null ? null : joinWithin(base, specifier.slice(dots).replaceAll('.', '/'));
    return (place === null ? null : moduleAt(place)) ?? UNRESOLVED;
  }

  /** Searches all roots for the name. A module with a file wins, then the root nearest to the importer. */
  function absolute(folder: string, specifier: string): Module | Resolution {
    const segments = specifier.split('.');
    const top = segments[0]!;
    const standard = PYTHON_STANDARD_LIBRARY.has(top);
    const rest = segments.join('/');
    const inside = `${folder}/`;
    const roots = rootsOf(top)
      .filter((root) => (root.isRegular || !standard) && (root.isStrong || isInside(inside, root.folder)))
      .map((root) => ({ ...root, found: moduleAt(root.folder === '' ? rest : `${root.folder}/${rest}`) }));
    let best: (typeof roots)[number] | null = null;
    for (const root of roots) {
      if (!root.found) continue;
      const better =
        best === null ||
        weight(root.found) > weight(best.found!) ||
        (weight(root.found) === weight(best.found!) && closeness(root, inside) > closeness(best, inside));
      if (better) best = root;
    }
    if (best?.found) return best.found;
    return beside(folder, rest, standard) ?? (roots.some((root) => root.isRegular) ? UNRESOLVED : EXTERNAL);
  }

  /** A script sees its own folder first; a module inside a package does not. */
  function beside(folder: string, rest: string, standard: boolean): Module | null {
    if (standard || context.has(joinWithin(folder, '__init__.py')!)) return null;
    const place = joinWithin(folder, rest);
    const found = place === null ? null : moduleAt(place);
    return found?.file ? found : null;
  }

  return cachePerFolder((folder, specifier) =>
    specifier.startsWith('.') ? relative(folder, specifier) : absolute(folder, specifier),
  );
}

/** A module with a file wins over a namespace package. */
function weight(found: Module): number {
  return found.file === null ? 0 : 1;
}

function closeness(root: { readonly folder: string }, inside: string): number {
  return root.folder === '' ? 0 : sharedDepth(`${root.folder}/`, inside);
}

/** A folder that may be on the module path, for one top-level name. */
interface PythonRoot {
  readonly folder: string;
  /** Any file may import from here; else only files below it. */
  readonly isStrong: boolean;
  /** The name is a module or a package with `__init__`, not just a folder with Python files somewhere below. */
  readonly isRegular: boolean;
}

const EXTENSIONS = ['.py', '.pyx', '.pyi', '.pxd'];
const SOURCE = /\.py[xi]?$/;
const PROJECT_FILES = ['pyproject.toml', 'setup.py', 'setup.cfg'];
/** Packages below these folders are samples. Their names often equal those of installed packages. */
const SAMPLES =
  /(^|\/)(tests?|testing|testdata|fixtures?|examples?|samples?|docs?|templates?|\.[^/]*)(\/|$)/i;

/** The file of the module at `place` (a path without extension). */
function pythonFile(context: LinkContext, place: string): string | null {
  for (const stem of [place, `${place}/__init__`])
    for (const extension of EXTENSIONS) if (context.has(stem + extension)) return stem + extension;
  return null;
}

/** For a top-level name, the roots that hold it: strong ones first, then by path. */
function findPythonRoots(context: LinkContext): (topLevel: string) => readonly PythonRoot[] {
  const packages = new Set<string>();
  const folders = new Set<string>();
  for (const path of context.paths) {
    if (!SOURCE.test(path)) continue;
    const folder = folderOf(path);
    if (fileNameOf(path).startsWith('__init__.')) packages.add(folder);
    for (let above = folder; !folders.has(above); above = folderOf(above)) folders.add(above);
  }

  // A root is strong when any file may import from it: the root of a project, or the parent of a package that is no
  // sample.
  const strength = new Map<string, boolean>();
  const strong = ['', ...PROJECT_FILES.flatMap((name) => context.named(name)).map(folderOf)];
  for (const folder of strong)
    for (const root of [folder, joinWithin(folder, 'src')!, joinWithin(folder, 'lib')!])
      if (folders.has(root) && !packages.has(root)) strength.set(root, true);
  for (const folder of packages) {
    const parent = folderOf(folder);
    if (folder !== '' && !packages.has(parent) && !strength.has(parent))
      strength.set(parent, !SAMPLES.test(parent));
  }

  const byName = new Map<string, PythonRoot[]>();
  const add = (folder: string, name: string, isRegular: boolean) => {
    const known = byName.get(name) ?? [];
    const same = known.findIndex((root) => root.folder === folder);
    const root = { folder, isStrong: strength.get(folder)!, isRegular };
    if (same < 0) known.push(root);
    else if (isRegular) known[same] = root;
    byName.set(name, known);
  };
  for (const root of strength.keys())
    for (const path of context.within(root))
      if (SOURCE.test(path)) add(root, fileNameOf(path).replace(SOURCE, ''), true);
  for (const folder of folders) {
    const parent = folderOf(folder);
    if (folder !== '' && strength.has(parent)) add(parent, fileNameOf(folder), packages.has(folder));
  }
  for (const roots of byName.values())
    roots.sort((a, b) => Number(b.isStrong) - Number(a.isStrong) || (a.folder < b.folder ? -1 : 1));
  return (topLevel) => byName.get(topLevel) ?? [];
}

/** Top-level names that Python itself brings, versions 2.7 to 3.14. */
export const PYTHON_STANDARD_LIBRARY: ReadonlySet<string> = new Set(
  `__future__ __main__ _thread abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore atexit
  audioop base64 bdb binascii binhex bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop
  collections colorsys commands compileall compression concurrent configparser contextlib contextvars copy copyreg
  crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum
  errno faulthandler fcntl filecmp fileinput fnmatch formatter fractions ftplib functools gc genericpath getopt getpass
  gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress
  itertools json keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap
  modulefinder msilib msvcrt multiprocessing netrc nis nntplib ntpath numbers opcode operator optparse os ossaudiodev
  parser pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats
  pty pwd py_compile pyclbr pydoc queue quopri random re readline reprlib resource rlcompleter runpy sched secrets
  select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile
  sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symbol symtable sys sysconfig
  syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading time timeit tkinter token tokenize
  tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest urllib uu uuid venv
  warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo`
    .split(/\s+/)
    .filter(Boolean),
);
