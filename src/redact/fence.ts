import { inlineText } from './inline-text.ts';
import { markHidden } from './mark-hidden.ts';

const BACKTICK = 96;

function longestRun(text: string): number {
  let longest = 0;
  let run = 0;
  for (let at = text.indexOf('`'); at !== -1 && at < text.length; at++) {
    if (text.charCodeAt(at) === BACKTICK) {
      if (++run > longest) longest = run;
    } else {
      run = 0;
      const next = text.indexOf('`', at);
      if (next === -1) break;
      at = next - 1;
    }
  }
  return longest;
}

/** A fence that nothing inside can close: longer than any run of backticks in the text. Hidden characters are marked. */
export function fenced(text: string, label: string): string {
  const marked = markHidden(text).text;
  const fence = '`'.repeat(Math.max(3, longestRun(marked) + 1));
  const safeLabel = label.replace(/[^\p{L}\p{N}+#._-]/gu, '');
  return marked === '' ? `${fence}${safeLabel}\n${fence}` : `${fence}${safeLabel}\n${marked}\n${fence}`;
}

/** The same inside a line. */
export function inlineCode(text: string): string {
  const inline = inlineText(text);
  const fence = '`'.repeat(longestRun(inline) + 1);
  const space = inline.startsWith('`') || inline.endsWith('`') ? ' ' : '';
  return `${fence}${space}${inline}${space}${fence}`;
}
