const VIEWS = new Set(['blob', 'tree', 'raw', 'blame', 'edit', 'src', 'browse', 'commits', 'item']);
const REF_KINDS = new Set(['branch', 'tag', 'commit', 'heads', 'tags']);

export interface RepositoryLocation {
  readonly path: string;
  readonly line: number | null;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Where the segments behind the ref begin; -1 when the address does not lead into a repository. */
function pathStart(host: string, segments: readonly string[]): number {
  if (/^raw\./.test(host)) return segments[2] === 'refs' ? 5 : 3;
  const view = segments.findIndex((segment, at) => at >= 2 && VIEWS.has(segment));
  if (view === -1) return -1;
  const afterDash = segments[view - 1] === '-';
  // owner and repository stand in front; groups in between only where a dash ends them or the host allows them
  if (view !== 2 && !afterDash && !/^git|gitlab|gitea|forgejo|codeberg|sr\.ht/.test(host)) return -1;
  if (segments[view] === 'src' && !/bitbucket|gitea|forgejo|codeberg|gitee|git\./.test(host)) return -1;
  let ref = view + 1;
  if (segments[ref] === 'refs') ref++;
  if (REF_KINDS.has(segments[ref] ?? '') && segments.length > ref + 1) ref++;
  return segments[ref + 1] === 'item' ? ref + 2 : ref + 1;
}

/**
 * The file or folder that an address of a repository host shows (`…/owner/name/blob/main/src/a.ts#L10`), or null. A
 * branch with a slash in its name cannot be told from a folder: its tail stays in front of the path.
 */
export function repositoryLocation(url: string): RepositoryLocation | null {
  const address =
    /^(?:https?|ssh|git):\/\/(?:[^/@]{1,100}@)?([^/?#]{1,200})\/([^?#]{1,2000})(\?[^#]{0,500})?(#.{0,200})?/.exec(
      url,
    );
  if (!address) return null;
  const segments = address[2]!.split('/').filter((segment) => segment !== '');
  const query = /[?&]path=\/?([^&]{1,500})/.exec(address[3] ?? '');
  const start = pathStart(address[1]!.toLowerCase(), segments);
  const found = start !== -1 && start < segments.length ? segments.slice(start).map(decoded).join('/') : null;
  const path = found ?? (query && segments.includes('_git') ? decoded(query[1]!) : null);
  if (path === null || path === '' || /[\n\r\0]/.test(path)) return null;
  const line = /^#(?:L|lines-|n|line=)(\d{1,7})/.exec(address[4] ?? '');
  return { path: path.replace(/[.,;:]+$/, ''), line: line ? Number(line[1]) : null };
}
