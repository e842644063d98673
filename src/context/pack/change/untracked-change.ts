import { decodeText } from '../../../platform/fs/decode-text.ts';
import type { SafeRoot } from '../../../platform/fs/safe-root.ts';
import type { ChangedFile } from './read-change.ts';

/** A larger new file is named, not shown: it is data rather than a change to review. */
const MOST_BYTES = 1_000_000;

/** A file that git does not know yet, as git would show it once it was added; null when it is no regular file. */
export function untrackedChange(root: SafeRoot, path: string): ChangedFile | null {
  const outcome = root.read(path, MOST_BYTES);
  if (outcome.kind !== 'content' && outcome.reason !== 'too-large') return null;
  const [before, after] = [quoted(`a/${path}`), quoted(`b/${path}`)];
  const head = `diff --git ${before} ${after}\nnew file mode 100644\n`;
  const decoded = outcome.kind === 'content' ? decodeText(outcome.bytes) : null;
  if (decoded?.kind !== 'text')
    return { path, text: `${head}Binary files /dev/null and ${after} differ\n`, spans: [] };
  const lines = decoded.text.split('\n');
  const endsOpen = lines.at(-1) !== '';
  if (!endsOpen) lines.pop();
  if (lines.length === 0) return { path, text: head, spans: [] };
  const added = lines.map((line) => `+${line}\n`).join('');
  // git closes a name with a blank in it by a tab, and leaves out the count of a single line
  const target = path.includes(' ') ? `${after}\t` : after;
  const range = lines.length === 1 ? '1' : `1,${lines.length}`;
  const end = endsOpen ? '\\ No newline at end of file\n' : '';
  const text = `${head}--- /dev/null\n+++ ${target}\n@@ -0,0 +${range} @@\n${added}${end}`;
  return { path, text, spans: [{ startLine: 1, endLine: lines.length }] };
}

/** As git writes a name that could be taken for something else: in quotes, with escapes. */
function quoted(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to be escaped
  if (!/["\\\u0000-\u001f\u007f]/.test(path)) return path;
  const escaped = path.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to be escaped
    /["\\\u0000-\u001f\u007f]/g,
    (character) =>
      ({ '"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r' })[character] ??
      `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  return `"${escaped}"`;
}
