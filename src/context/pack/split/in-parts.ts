import type { PackContext } from '../pack-context.ts';
import type { BuiltPackage } from '../package-request.ts';
import { splitPack } from './split-pack.ts';

/** A built package with its text also in numbered documents. */
export async function inParts(
  built: BuiltPackage,
  limit: number,
  { count, render, sources }: PackContext,
): Promise<BuiltPackage> {
  const parts: string[] = [];
  const write = (part: number, text: string) => {
    parts[part - 1] = (parts[part - 1] ?? '') + text;
  };
  const symbolsOf = (path: string) => sources.read(path)?.symbols ?? [];
  const { diagnostics } = await splitPack(built.pack, symbolsOf, { limit, count, render, write });
  const pack = { ...built.pack, diagnostics: [...built.pack.diagnostics, ...diagnostics] };
  return { pack, text: built.text, parts };
}
