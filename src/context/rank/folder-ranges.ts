/**
 * The folders of paths that come in sorted order, each as the range of files below it: sorted, all of them stand
 * together.
 */
export class FolderRanges {
  readonly #onFolder: (name: string, folder: number) => void;
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** By file: the folder it lies in, or -1. */
  readonly #folderOf: number[] = [];
  /** The folders around the file that came last, outermost first, with a `/` at the end. */
  readonly #around: { readonly prefix: string; readonly folder: number }[] = [];

  /** `onFolder` is told of each folder once, with its last name. */
  constructor(onFolder: (name: string, folder: number) => void) {
    this.#onFolder = onFolder;
  }

  /** `cut` is the place of the last `/`, or -1. */
  add(path: string, cut: number, file: number): void {
    let innermost = this.#around.at(-1);
    while (innermost && !path.startsWith(innermost.prefix)) {
      this.#ends[innermost.folder] = file;
      this.#around.pop();
      innermost = this.#around.at(-1);
    }
    let from = innermost?.prefix.length ?? 0;
    while (from <= cut) {
      const slash = path.indexOf('/', from);
      const folder = this.#starts.push(file) - 1;
      this.#around.push({ prefix: path.slice(0, slash + 1), folder });
      this.#onFolder(path.slice(from, slash), folder);
      from = slash + 1;
    }
    this.#folderOf[file] = this.#around.at(-1)?.folder ?? -1;
  }

  /** No more files come. */
  close(fileCount: number): void {
    for (const { folder } of this.#around) this.#ends[folder] = fileCount;
    this.#around.length = 0;
  }

  each(folder: number, visit: (file: number, isDirect: boolean) => void): void {
    const end = this.#ends[folder]!;
    for (let file = this.#starts[folder]!; file < end; file++) visit(file, this.#folderOf[file] === folder);
  }
}
