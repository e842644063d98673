import type { Diagnostic } from '../../model/diagnostic.ts';
import { summarizePaths } from './summarize-paths.ts';

export function describeUnreadable(folders: readonly string[]): readonly Diagnostic[] {
  if (folders.length === 0) return [];
  const message = `${summarizePaths(folders, 'folder')} could not be read`;
  return [{ code: 'folder-unreadable', severity: 'warning', message }];
}
