import type {
  ContextItem,
  ContextPack,
  Convention,
  OmittedItem,
  PackEnvironment,
} from '../../model/context-pack.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { hiddenCharacterDiagnostics } from '../../redact/hidden-character-diagnostics.ts';
import { redactionDiagnostics } from '../../redact/redaction-diagnostics.ts';
import type { KeptFile } from '../guidelines/guard-files.ts';
import type { RenderOptions } from '../render/render-pack.ts';
import type { FindDependencies } from './dependencies.ts';
import type { FindExternals } from './externals.ts';
import type { ChosenForm, PricedCandidate } from './fit-candidates.ts';
import type { BuiltForm } from './item-forms.ts';
import { packId } from './pack-id.ts';
import { fileReceipts, keptReceipts, partReceipts } from './receipts.ts';

/** What is the same whatever is chosen. */
export interface PackSetting {
  readonly task: string;
  readonly role: string | null;
  readonly targets: readonly string[];
  readonly tokenBudget: number;
  readonly encoding: string;
  readonly environment: PackEnvironment;
  readonly conventions: readonly Convention[];
  readonly diagnostics: readonly Diagnostic[];
  /** The change under review, or empty. */
  readonly diff: string;
  readonly findDependencies: FindDependencies;
  readonly findExternals: FindExternals;
  /** How many of the files that are left out are listed. */
  readonly mostOmitted: number;
  /** What guidelines keep out. */
  readonly kept: readonly KeptFile[];
}

/** The package for a choice; receipts, diagnostics and the token count are still to come. */
export function assemblePack(
  setting: PackSetting,
  priced: readonly PricedCandidate[],
  chosen: readonly ChosenForm[],
): ContextPack {
  const { findDependencies, findExternals, mostOmitted, kept: _, ...same } = setting;
  const items = chosen.map(({ form }) => form.item);
  const content = {
    ...same,
    items,
    dependencies: findDependencies(items),
    externals: findExternals(items),
    omitted: leftOut(priced, items).slice(0, mostOmitted),
    tree: '',
  };
  return { ...content, id: packId(content), tokenCount: 0, receipts: [] };
}

/** Adds why each part is in, and what a reader should know about it. */
export function accountFor(
  pack: ContextPack,
  priced: readonly PricedCandidate[],
  { kept, mostOmitted }: Pick<PackSetting, 'kept' | 'mostOmitted'>,
  options: RenderOptions,
  count: (text: string) => number,
): ContextPack {
  const shown = new Set(pack.items.filter(({ form }) => form !== 'mention').map(({ path }) => path));
  const findings = priced.flatMap(({ candidate: { source } }) =>
    shown.has(source.path) ? source.findings : [],
  );
  return {
    ...pack,
    receipts: [
      ...fileReceipts(pack.items, pack.omitted),
      ...keptReceipts(kept.slice(0, mostOmitted)),
      ...partReceipts(pack, options, count),
    ],
    diagnostics: [
      ...pack.diagnostics,
      ...redactionDiagnostics(findings),
      ...hiddenCharacterDiagnostics(pack),
    ],
  };
}

function leftOut(priced: readonly PricedCandidate[], items: readonly ContextItem[]): OmittedItem[] {
  const inside = new Set(items.map(({ path }) => path));
  return priced
    .filter(({ candidate }) => !inside.has(candidate.source.path))
    .map(({ candidate: { source, ranked }, forms }) => {
      const useful = cheapest(forms.filter(({ item }) => item.form !== 'mention')) ?? forms.at(-1);
      return {
        path: source.path,
        reason: 'no room',
        combinedScore: ranked?.combinedScore ?? 0,
        cost: useful ? { form: useful.item.form, tokens: useful.item.tokens } : null,
      };
    });
}

function cheapest(forms: readonly BuiltForm[]): BuiltForm | undefined {
  return forms.reduce<BuiltForm | undefined>((best, form) => {
    return best === undefined || form.item.tokens < best.item.tokens ? form : best;
  }, undefined);
}
