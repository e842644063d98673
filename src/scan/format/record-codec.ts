import { crc32 } from 'node:zlib';
import type { ImportKind, ImportReference } from '../../model/parsed-file.ts';
import { kindsWith, SYMBOL_KINDS, type SymbolDefinition } from '../../model/symbol.ts';

/** Symbols and imports as rows without field names: a third of the bytes, and JSON still parses them natively. */
type SymbolRow = [
  name: string,
  kind: number,
  container: number,
  start: number,
  nameStart: number,
  headerEnd: number,
  bodyEnd: number,
  end: number,
  startLine: number,
  endLine: number,
  signature: string,
  doc: string,
];

type ImportRow = [
  kind: ImportKind,
  specifier: string,
  names: readonly string[],
  line: number,
  endLine: number,
];

/** The symbols of one document as a record of a segment. */
export function encodeSymbols(symbols: readonly SymbolDefinition[]): string {
  const rows = symbols.map(
    (s): SymbolRow => [
      s.name,
      SYMBOL_KINDS.indexOf(s.kind),
      s.container,
      s.start,
      s.nameStart,
      s.headerEnd,
      s.bodyEnd,
      s.end,
      s.startLine,
      s.endLine,
      s.signature,
      s.doc,
    ],
  );
  return JSON.stringify(rows);
}

export function decodeSymbols(record: string): SymbolDefinition[] {
  return (JSON.parse(record) as SymbolRow[]).map((row) => ({
    name: row[0],
    kind: SYMBOL_KINDS[row[1]]!,
    container: row[2],
    start: row[3],
    nameStart: row[4],
    headerEnd: row[5],
    bodyEnd: row[6],
    end: row[7],
    startLine: row[8],
    endLine: row[9],
    signature: row[10],
    doc: row[11],
  }));
}

/** The imports of one document as a record of a segment. */
export function encodeImports(imports: readonly ImportReference[]): string {
  return JSON.stringify(imports.map((i): ImportRow => [i.kind, i.specifier, i.names, i.line, i.endLine]));
}

export function decodeImports(record: string): ImportReference[] {
  return (JSON.parse(record) as ImportRow[]).map(([kind, specifier, names, line, endLine]) => ({
    kind,
    specifier,
    names,
    line,
    endLine,
  }));
}

/** Definitions that another file can name. */
const EXPORTED_KINDS = kindsWith('exported');

/** Names at the top level of a file, on one line. */
export function encodeExports(symbols: readonly SymbolDefinition[]): string {
  const names = symbols.filter(({ container, kind }) => container < 0 && EXPORTED_KINDS.has(kind));
  return names.map(({ name }) => name.replace(/[\0\n]/g, ' ')).join('\0');
}

export function decodeExports(line: string): string[] {
  return line === '' ? [] : line.split('\0');
}

/** Changes whenever linking could come out differently: what a file imports, and what it offers. */
export function interfaceHash(
  symbols: readonly SymbolDefinition[],
  imports: readonly ImportReference[],
): number {
  const used = imports.map(({ kind, specifier, names }) => [kind, specifier, names]);
  return crc32(`${encodeExports(symbols)}\n${JSON.stringify(used)}`);
}
