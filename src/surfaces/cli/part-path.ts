import { extname } from 'node:path';

/** `pack.md` as `pack.2.md`. */
export function partPath(path: string, part: number): string {
  const extension = extname(path);
  return `${path.slice(0, path.length - extension.length)}.${part}${extension}`;
}
