// Imports of C#: `using` names a namespace, and files declare namespaces.

import type { ImportResolver, Resolution } from '../../../model/import-resolver.ts';
import { stemOf } from './repository-path.ts';
import { createDeclaring, EXTERNAL, nearestTo, resolvedTo, resolvedToAll } from './resolution.ts';

/**
 * `using` names a namespace, or with `static` and `=` a type in one. Files declare namespaces, so their declarations
 * decide.
 */
export const csharpResolver: ImportResolver = (context) => {
  const declaring = createDeclaring(context, ['.cs', '.csx', '.vb', '.fs']);
  const types = new Map<string, readonly string[]>();
  return (from, { specifier }): Resolution => {
    const path = specifier.replace(/^global::/, '').replace(/<.*$/, '');
    const files = declaring(path);
    if (files.length > 0) return resolvedToAll(files);
    let named = types.get(path);
    if (!named) {
      named = filesOfType(path, declaring);
      types.set(path, named);
    }
    if (named.length === 0) return EXTERNAL;
    // Several files with exactly this name are copies; `Type.Part.cs` beside `Type.cs` are parts of one type.
    const isPartial = named.some((file) => stemOf(file).includes('.'));
    return isPartial ? resolvedToAll(named) : resolvedTo(nearestTo(from, named)!);
  };
};

/** Files that are called like a type of a namespace. */
function filesOfType(path: string, declaring: (namespace: string) => readonly string[]): readonly string[] {
  const dot = path.lastIndexOf('.');
  const type = path.slice(dot + 1);
  const files = dot < 0 ? [] : declaring(path.slice(0, dot));
  return files.filter((file) => stemOf(file) === type || stemOf(file).startsWith(`${type}.`));
}
