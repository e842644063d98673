import type { LinkContext } from '../../../model/import-resolver.ts';

/** Files of one ecosystem that declare a package: in a mixed repository others may use the same name. */
export function createDeclaring(
  context: LinkContext,
  extensions: readonly string[],
): (packageName: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (packageName) => {
    let files = known.get(packageName);
    if (!files) {
      const all = context.declaring(packageName);
      files = all.filter((path) => extensions.some((extension) => path.endsWith(extension)));
      known.set(packageName, files);
    }
    return files;
  };
}
