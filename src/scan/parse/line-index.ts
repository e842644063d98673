/** Line starts of a text, for turning offsets into 1-based line numbers. */
export class LineIndex {
  readonly starts: readonly number[];

  constructor(text: string) {
    const starts = [0];
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.starts = starts;
  }

  /** Lines with content: a final line break starts no further line. */
  countFor(text: string): number {
    if (text.length === 0) return 0;
    return text.endsWith('\n') ? this.starts.length - 1 : this.starts.length;
  }

  lineAt(offset: number): number {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }
}
