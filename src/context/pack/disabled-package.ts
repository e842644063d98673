import type { ContextPack } from '../../model/context-pack.ts';
import { renderPack } from '../render/render-pack.ts';
import { EMPTY_PACK } from './empty-pack.ts';
import { packId } from './pack-id.ts';
import type { BuiltPackage, PackageRequest } from './package-request.ts';

const SAYS_SO =
  'Context packages are switched off (CONTEXT_PACKAGE_ENABLED is false): no files are included.';

/** What is handed out where packages are switched off: nothing, and a word about it. */
export function disabledPackage({
  task,
  role = null,
  settings,
  format = 'markdown',
}: PackageRequest): BuiltPackage {
  const content = { ...EMPTY_PACK, task, role, tokenBudget: settings.tokenBudget };
  const pack: ContextPack = {
    ...content,
    id: packId(content),
    diagnostics: [{ code: 'packages-disabled', severity: 'info', message: SAYS_SO }],
  };
  if (format === 'json') return { pack, text: renderPack(pack, { format, lineNumbers: false }) };
  const text =
    format === 'xml' ? `<context_package><about>${SAYS_SO}</about></context_package>\n` : `${SAYS_SO}\n`;
  return { pack, text };
}
