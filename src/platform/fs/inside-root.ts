/** By whole segments: `/repo-evil` is not inside `/repo`. Both paths are absolute and already real. */
export function isInsideRoot(root: string, path: string): boolean {
  if (path === root) return true;
  return path.startsWith(root.endsWith('/') ? root : `${root}/`);
}
