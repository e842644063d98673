import type { ImportResolver, LinkContext, Resolution } from '../../model/import-resolver.ts';
import { filesEndingWith, nearestTo } from './nearest.ts';
import { stemOf } from './repository-path.ts';
import { EXTERNAL, resolvedTo, resolvedToAll, UNRESOLVED } from './resolution.ts';

const EXTENSIONS = ['.java', '.kt', '.scala', '.kts', '.groovy'];

/** Java, Kotlin, Scala: packages as files declare them, classes by the name of the file, else the whole package. */
export const jvmResolver: ImportResolver = (context) => {
  const known = new Map<string, Resolution>();
  return (from, { specifier, names }) => {
    const [name = ''] = names;
    const isWild = name === '' || name === '*' || name === '_' || name === 'given';
    const path = (isWild ? specifier : `${specifier}.${name}`).replace(/^_root_\./, '');
    const declared = inPackage(path, isWild, from, context);
    if (declared) return declared;
    const key = `${path} ${isWild}`;
    const answer = known.get(key) ?? byPath(path, context);
    known.set(key, answer);
    return answer;
  };
};

/** The longest part that is a package; what follows is a class in it, and then members of that class. */
function inPackage(path: string, isWild: boolean, from: string, context: LinkContext): Resolution | null {
  const whole = context.declaring(path);
  // `import a.b` of a package by itself (Scala) means the package like `a.b.*` does
  if (whole.length > 0) return resolvedToAll(whole);
  const segments = path.split('.');
  for (let length = segments.length - 1; length > 0; length--) {
    const files = context.declaring(segments.slice(0, length).join('.'));
    if (files.length === 0) continue;
    const name = segments[length]!;
    const named = files.filter((file) => stemOf(file) === name || stemOf(file) === `${name}Kt`);
    const nearest = nearestTo(from, named);
    if (nearest !== null) return resolvedTo(nearest);
    // one level up it may be a function or an extra class in any file; more levels up it is another library
    if (length === segments.length - 1) return isWild ? UNRESOLVED : resolvedToAll(files);
    return /^\p{Lu}/u.test(name) ? resolvedToAll(files) : EXTERNAL;
  }
  return null;
}

/** For files whose package is not known, and for Scala's imports relative to the current package. */
function byPath(path: string, context: LinkContext): Resolution {
  const place = path.replaceAll('.', '/');
  if (!place.includes('/')) return EXTERNAL;
  for (const extension of EXTENSIONS) {
    const found = filesEndingWith(context, place + extension);
    if (found.length === 1) return resolvedTo(found[0]!);
  }
  return EXTERNAL;
}
