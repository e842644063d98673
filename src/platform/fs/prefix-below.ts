/** What leads from a work tree to a folder in it (`''` or `sub/folder/`), or null when the folder lies elsewhere. */
export function prefixBelow(workTree: string, folder: string): string | null {
  if (workTree === folder) return '';
  const start = workTree.endsWith('/') ? workTree : `${workTree}/`;
  return folder.startsWith(start) ? `${folder.slice(start.length)}/` : null;
}
