// Imports of Java, Kotlin and Scala, by declared packages.

import type { ImportResolver, LinkContext, Resolution } from '../../../model/import-resolver.ts';
import { stemOf } from './repository-path.ts';
import {
  createDeclaring,
  EXTERNAL,
  filesEndingWith,
  nearestTo,
  resolvedOr,
  resolvedTo,
  resolvedToAll,
  UNRESOLVED,
} from './resolution.ts';

/** Wildcards of Java, Scala 2 and Scala 3. */
const WILD = new Set(['*', '_', 'given']);
const EXTENSIONS = ['.java', '.kt', '.scala', '.kts', '.groovy'];

/** Files of which the nearest is meant, or an answer that is the same from everywhere. */
type Answer = readonly string[] | Resolution;

/**
 * Imports of Java, Kotlin and Scala. Files declare their packages. A class is the file of its name in the package;
 * otherwise the whole package is meant.
 */
export const jvmResolver: ImportResolver = (context) => {
  const known = new Map<string, Answer>();
  const declaring = createDeclaring(context, EXTENSIONS);
  function resolve(from: string, path: string, isWild: boolean): Resolution {
    const key = isWild ? `${path}.*` : path;
    let answer = known.get(key);
    if (!answer) {
      answer = inPackage(path, isWild, declaring) ?? byPath(path, context);
      known.set(key, answer);
    }
    return 'kind' in answer ? answer : resolvedOr(nearestTo(from, answer), UNRESOLVED);
  }
  return (from, { specifier, names }) => {
    const base = specifier.replace(/^_root_\./, '');
    const plain = names.filter((name) => !WILD.has(name));
    if (plain.length < names.length || names.length === 0) return resolve(from, base, true);
    const answers = plain.map((name) => resolve(from, `${base}.${name}`, false));
    if (answers.length === 1) return answers[0]!;
    const paths = answers.flatMap((answer) => (answer.kind === 'resolved' ? answer.paths : []));
    return paths.length > 0 ? { kind: 'resolved', paths: [...new Set(paths)] } : answers[0]!;
  };
};

/**
 * Finds the longest part that is a package. The next part is a class in it, and further parts are members of the class.
 */
function inPackage(
  path: string,
  isWild: boolean,
  declaring: (packageName: string) => readonly string[],
): Answer | null {
  const whole = declaring(path);
  // `import a.b` of a package by itself (Scala) means the package like `a.b.*` does
  if (whole.length > 0) return resolvedToAll(whole);
  const segments = path.split('.');
  for (let length = segments.length - 1; length > 0; length--) {
    const files = declaring(segments.slice(0, length).join('.'));
    if (files.length === 0) continue;
    const name = segments[length]!;
    const named = files.filter((file) => stemOf(file) === name || stemOf(file) === `${name}Kt`);
    if (named.length > 0) return named;
    // Directly below the package it may be a function or another class in any file; deeper it is another library.
    const isMember = length < segments.length - 1;
    if (isMember && !/^\p{Lu}/u.test(name)) return EXTERNAL;
    return isWild && !isMember ? UNRESOLVED : { kind: 'resolved', paths: files };
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
