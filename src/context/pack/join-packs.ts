import type { ContextPack } from '../../model/context-pack.ts';
import { type RenderOptions, renderPiece } from '../render/render-pack.ts';
import { packId } from './pack-id.ts';
import { fileReceipts, partReceipts } from './receipts.ts';

export interface LabelledPack {
  /** Stands in front of every path of this repository. */
  readonly label: string;
  readonly pack: ContextPack;
}

/** One package out of those of several repositories for the same task; the best of all come first. */
export function joinPacks(
  packs: readonly LabelledPack[],
  tokenBudget: number,
  options: RenderOptions,
  count: (text: string) => number,
): ContextPack {
  const first = packs[0]!.pack;
  const prefixed = packs.map(({ label, pack }) => withLabel(pack, label));
  const all = <Key extends 'dependencies' | 'omitted' | 'conventions' | 'externals' | 'targets'>(key: Key) =>
    prefixed.flatMap((pack) => pack[key] as ContextPack[Key][number][]);
  const items = prefixed
    .flatMap((pack) => pack.items)
    .map((item) => ({ ...item, tokens: count(renderPiece(item, options)) }))
    .sort((a, b) => b.combinedScore - a.combinedScore || (a.path < b.path ? -1 : 1));
  const content = {
    task: first.task,
    role: first.role,
    targets: all('targets'),
    tokenBudget,
    encoding: first.encoding,
    items,
    dependencies: all('dependencies'),
    omitted: all('omitted'),
    environment: { commands: prefixed.flatMap((pack) => pack.environment.commands) },
    conventions: all('conventions'),
    externals: all('externals'),
    tree: '',
    diff: prefixed.map((pack) => pack.diff).join(''),
    diagnostics: prefixed.flatMap((pack) => pack.diagnostics),
  };
  const pack: ContextPack = { ...content, id: packId(content), tokenCount: 0, receipts: [] };
  const receipts = [...fileReceipts(items, pack.omitted), ...partReceipts(pack, options, count)];
  return { ...pack, receipts };
}

function withLabel(pack: ContextPack, label: string): ContextPack {
  const at = <Thing extends { readonly path: string }>(thing: Thing): Thing => {
    return { ...thing, path: `${label}/${thing.path}` };
  };
  return {
    ...pack,
    targets: pack.targets.map((path) => `${label}/${path}`),
    items: pack.items.map(at),
    dependencies: pack.dependencies.map((one) => {
      return { ...one, from: `${label}/${one.from}`, to: one.external ? one.to : `${label}/${one.to}` };
    }),
    omitted: pack.omitted.map(at),
    environment: { commands: pack.environment.commands.map(at) },
    conventions: pack.conventions.map(at),
    externals: pack.externals.map(at),
    diff: pack.diff === '' ? '' : `# ${label}\n${pack.diff}`,
    diagnostics: pack.diagnostics.map((one) => ({ ...one, message: `${label}: ${one.message}` })),
  };
}

/** A name for each repository: that of its folder, numbered when two are called the same. */
export function repositoryLabels(paths: readonly string[]): string[] {
  const used = new Set<string>();
  return paths.map((path) => {
    const name = path.split('/').filter(Boolean).at(-1) ?? 'repository';
    let label = name;
    for (let number = 2; used.has(label); number++) label = `${name}-${number}`;
    used.add(label);
    return label;
  });
}
