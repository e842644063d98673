import type { ImportResolver } from '../../model/import-resolver.ts';
import { nearestTo } from './nearest.ts';
import { stemOf } from './repository-path.ts';
import { EXTERNAL, resolvedTo, resolvedToAll } from './resolution.ts';

/** `using` names a namespace, or with `static` and `=` a type in one; namespaces are as files declare them. */
export const csharpResolver: ImportResolver =
  (context) =>
  (from, { specifier }) => {
    const path = specifier.replace(/^global::/, '').replace(/<.*$/, '');
    const files = context.declaring(path);
    if (files.length > 0) return resolvedToAll(files);
    const dot = path.lastIndexOf('.');
    const type = path.slice(dot + 1);
    const inNamespace = dot < 0 ? [] : context.declaring(path.slice(0, dot));
    // partial types are spread over `Type.cs`, `Type.Part.cs`
    const named = inNamespace.filter((file) => stemOf(file) === type || stemOf(file).startsWith(`${type}.`));
    if (named.length > 1 && named.every((file) => stemOf(file) === type))
      return resolvedTo(nearestTo(from, named)!);
    return named.length > 0 ? { kind: 'resolved', paths: named } : EXTERNAL;
  };
