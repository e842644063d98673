export interface CommentReader {
  /** Parts a line in what a reader sees and what stands in `<!-- … -->`, which may go on over lines. */
  read(line: string): { readonly seen: string; readonly hidden: string };
  readonly isOpen: boolean;
}

/** `closings` is how many times `-->` follows in the text: a comment that never ends is none. */
export function createCommentReader(closings: number): CommentReader {
  let open = false;
  let left = closings;
  return {
    get isOpen() {
      return open;
    },
    read(line) {
      if (!open && !line.includes('<!--')) {
        if (line.includes('-->')) left -= line.split('-->').length - 1;
        return { seen: line, hidden: '' };
      }
      let seen = '';
      let hidden = '';
      let at = 0;
      while (at < line.length) {
        const mark = open ? '-->' : '<!--';
        const next = line.indexOf(mark, at);
        const end = next === -1 ? line.length : next;
        if (open) hidden += `${line.slice(at, end)} `;
        else seen += line.slice(at, end);
        if (next === -1) break;
        at = next + mark.length;
        if (open) left--;
        open = !open && left > 0;
      }
      return { seen, hidden };
    },
  };
}
