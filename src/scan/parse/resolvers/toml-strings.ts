export interface TomlString {
  /** The table it stands in: `package`, `dependencies.serde`. */
  readonly table: string;
  /** With dots for what an inline table holds: `serde.path`. */
  readonly key: string;
  readonly value: string;
}

const PAIR = /([\w-]+)\s*=\s*(?:"([^"\n]*)"|'([^'\n]*)')/g;

/** The string values of a manifest, read line by line: all that linking needs of TOML. */
export function readTomlStrings(text: string): TomlString[] {
  const found: TomlString[] = [];
  let table = '';
  for (const line of text.split('\n')) {
    const header = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?/.exec(line);
    if (header) {
      table = header[1]!.replaceAll('"', '');
      continue;
    }
    const inline = /^\s*([\w.-]+)\s*=\s*\{/.exec(line);
    const body = line.slice(inline ? inline[0].length : 0);
    if (!inline && !/^\s*[\w.-]+\s*=\s*["']/.test(line)) continue;
    for (const [, key, double, single] of body.matchAll(PAIR)) {
      found.push({ table, key: inline ? `${inline[1]}.${key}` : key!, value: double ?? single ?? '' });
      if (!inline) break;
    }
  }
  return found;
}
