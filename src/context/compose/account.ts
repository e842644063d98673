import { createHash } from 'node:crypto';
import type {
  ContextItem,
  ContextPack,
  Convention,
  OmittedItem,
  PackEnvironment,
  Receipt,
} from '../../model/context-pack.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import { hiddenCharacterDiagnostics, redactionDiagnostics } from '../../redact/index.ts';
import { type CountTokens, DEFAULT_ENCODING } from '../fit/index.ts';
import type { KeptFile } from '../guidelines/index.ts';
import type { BuiltPackage, PackageRequest } from '../pack/index.ts';
import { contentsLine, formatOf, type RenderOptions, renderPack, renderPieces } from '../render/index.ts';
import type { ComposeContext } from './context.ts';
import type { BuiltForm, PricedFile } from './file-forms.ts';
import type { ChosenForm, FittedFiles, TextOfChoice } from './fit-files.ts';
import type { FindDependencies, FindExternals } from './uses.ts';

/** Everything in a package that does not depend on the chosen files. */
export interface PackSetting {
  readonly task: string;
  readonly role: string | null;
  readonly targets: readonly string[];
  readonly tokenBudget: number;
  readonly encoding: string;
  readonly order?: 'relevance';
  readonly instructions?: string;
  readonly environment: PackEnvironment;
  readonly conventions: readonly Convention[];
  readonly diagnostics: readonly Diagnostic[];
  /** The change under review, or empty. */
  readonly diff: string;
  readonly findDependencies: FindDependencies;
  readonly findExternals: FindExternals;
  /** Whether the whole budget is used. */
  readonly fill: boolean;
  /** How many of the files that are left out are listed. */
  readonly mostOmitted: number;
  /** Files that guidelines keep out. */
  readonly kept: readonly KeptFile[];
}

/** A package while its files are still being chosen: the text of every choice, and the accounts of the last one. */
export interface PackageDraft extends TextOfChoice {
  /** The package for the choice, with a receipt for each of its parts. */
  account(fitted: FittedFiles): ContextPack;
}

export function draftPackage(
  setting: PackSetting,
  priced: readonly PricedFile[],
  { render, count }: ComposeContext,
): PackageDraft {
  const assemble = (chosen: readonly ChosenForm[]) => assemblePack(setting, priced, chosen);
  const accounted = (chosen: readonly ChosenForm[]) =>
    accountFor(assemble(chosen), priced, setting, render, count);
  const pieces = countPieces(render, count);
  const { showsAccounts } = formatOf(render);
  return {
    textFor: (chosen) =>
      showsAccounts
        ? resolveTokenCount(accounted(chosen), render, count).text
        : pieces.textOf(assemble(chosen)),
    countText: pieces.countText,
    besideItem: (item) => count(contentsLine(item, setting, render)),
    account: ({ chosen, tokens }) => ({ ...accounted(chosen), tokenCount: tokens }),
  };
}

/** The package for a choice; receipts, diagnostics and the token count are still to come. */
function assemblePack(
  setting: PackSetting,
  priced: readonly PricedFile[],
  chosen: readonly ChosenForm[],
): ContextPack {
  const { findDependencies, findExternals, mostOmitted, kept: _, fill, ...same } = setting;
  const items = chosen.map(({ form }) => form.item);
  const content = {
    ...same,
    items,
    dependencies: findDependencies(items),
    externals: findExternals(items),
    omitted: leftOut(priced, items, { ...same, fill }).slice(0, mostOmitted),
    tree: '',
  };
  return { ...content, id: packId(content), tokenCount: 0, receipts: [] };
}

/** Adds why each part is in, and what a reader should know about it. */
function accountFor(
  pack: ContextPack,
  priced: readonly PricedFile[],
  { kept, mostOmitted }: Pick<PackSetting, 'kept' | 'mostOmitted'>,
  options: RenderOptions,
  count: CountTokens,
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

/**
 * Renders and counts again and again while a package is fitted. The tokens of the pieces add up to those of the whole,
 * and from one attempt to the next most pieces stay the same: only the others are counted.
 */
function countPieces(options: RenderOptions, count: CountTokens) {
  const known = new Map<string, number>();
  let last: { readonly text: string; readonly tokens: number } | null = null;
  const tokensOf = (piece: string): number => {
    const tokens = known.get(piece) ?? count(piece);
    known.set(piece, tokens);
    return tokens;
  };
  return {
    textOf(pack: ContextPack): string {
      const pieces = renderPieces(pack, options).map(({ text }) => text);
      const text = pieces.join('');
      last = { text, tokens: pieces.reduce((sum, piece) => sum + tokensOf(piece), 0) };
      return text;
    },
    countText: (text: string): number => (last?.text === text ? last.tokens : count(text)),
  };
}

/** Why a file is out that would have been worth its tokens. */
export const NO_ROOM = 'no room';
/** A package of this share of its budget has no room for the next file. */
const NEARLY_FULL = 0.95;

function leftOut(
  priced: readonly PricedFile[],
  items: readonly ContextItem[],
  { tokenBudget, fill }: Pick<PackSetting, 'tokenBudget' | 'fill'>,
): OmittedItem[] {
  const used = items.reduce((sum, { tokens }) => sum + tokens, 0);
  const isFull = (form: BuiltForm | undefined) =>
    fill || used + (form?.item.tokens ?? 0) > tokenBudget * NEARLY_FULL;
  const inside = new Set(items.map(({ path }) => path));
  return priced
    .filter(({ candidate }) => !inside.has(candidate.source.path))
    .map(({ candidate: { source, ranked, wantedForm }, forms }) => {
      const useful = cheapest(forms.filter(({ item }) => item.form !== 'mention')) ?? forms.at(-1);
      return {
        path: source.path,
        reason: wantedForm !== undefined || isFull(useful) ? NO_ROOM : 'worth less than its tokens',
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

/** Why each file is in, and why the others are not. */
export function fileReceipts(items: readonly ContextItem[], omitted: readonly OmittedItem[]): Receipt[] {
  return [
    ...items.map(({ path, form, tokens, combinedScore, reason }): Receipt => {
      return { part: 'file', path, form, tokens, combinedScore, why: reason };
    }),
    ...omitted.map(({ path, cost, combinedScore, reason }): Receipt => {
      return { part: 'file', path, form: null, tokens: cost?.tokens ?? 0, combinedScore, why: reason };
    }),
  ];
}

/** Files that the agent may not see. */
function keptReceipts(kept: readonly KeptFile[]): Receipt[] {
  return kept.map(({ path, guideline }) => {
    const why = `kept out by the guideline ${guideline}`;
    return { part: 'file', path, form: null, tokens: 0, combinedScore: null, why };
  });
}

const WHY: Readonly<Record<Exclude<Receipt['part'], 'file'>, string>> = {
  convention: 'what the repository asks of its contributors',
  environment: 'how to build and test here',
  externals: 'signatures of what the files use from elsewhere',
  dependencies: 'which of the files need which',
  tree: 'the folders',
  diff: 'the change under review',
  frame: 'headings, the task, and how to read this',
};

/** The tokens of all parts that are not files, in the rendered text. */
export function partReceipts(pack: ContextPack, options: RenderOptions, count: CountTokens): Receipt[] {
  const receipts = new Map<string, Receipt>();
  for (const { part, path, text } of formatOf(options).partPieces(pack, options)) {
    if (part === 'file') continue;
    const key = `${part} ${path}`;
    const tokens = (receipts.get(key)?.tokens ?? 0) + count(text);
    receipts.set(key, { part, path, form: 'full', tokens, combinedScore: null, why: WHY[part] });
  }
  return [...receipts.values()];
}

/** Hash of what a reader gets to see: equal ids mean equal packages. */
export function packId(pack: Omit<ContextPack, 'id' | 'tokenCount' | 'receipts' | 'diagnostics'>): string {
  const seen = [
    pack.task,
    pack.role,
    pack.targets,
    pack.tokenBudget,
    pack.encoding,
    pack.items.map(({ path, form, content, lineRuns, combinedScore }) => {
      return [path, form, content, lineRuns.map(({ startLine, count }) => [startLine, count]), combinedScore];
    }),
    pack.dependencies.map(({ from, to }) => [from, to]),
    pack.environment.commands.map(({ purpose, command, path }) => [purpose, command, path]),
    pack.conventions.map(({ path, text }) => [path, text]),
    pack.externals.map(({ path, signature, line }) => [path, signature, line]),
    pack.tree,
    pack.diff,
    ...(pack.order ? [pack.order] : []),
    ...(pack.instructions === undefined ? [] : [{ instructions: pack.instructions }]),
  ];
  return createHash('sha256').update(JSON.stringify(seen)).digest('hex');
}

/** Final validation before a package leaves; a failure here is a bug. */
export function finishPack(pack: ContextPack, text: string, root: SafeRoot): BuiltPackage {
  const problems = validatePack(pack, (path) => root.stat(path)?.type === 'file');
  if (problems.length > 0) throw new Error(`the package is not consistent: ${problems.join('; ')}`);
  return { pack, text };
}

/** The promises that a package breaks, in words; empty for a valid one. */
export function validatePack(pack: ContextPack, isFile: (path: string) => boolean): string[] {
  const problems: string[] = [];
  const paths = pack.items.map(({ path }) => path);
  for (const path of new Set(paths.filter((one, at) => paths.indexOf(one) !== at)))
    problems.push(`${path} is in twice`);
  const named = [...pack.items, ...pack.conventions, ...pack.externals, ...pack.environment.commands];
  for (const path of new Set(named.map(({ path: one }) => one)))
    if (!isFile(path)) problems.push(`${path} does not resolve`);
  for (const { path, combinedScore, astScore, semanticScore } of pack.items)
    for (const score of [combinedScore, astScore, semanticScore])
      if (!(score >= 0 && score <= 1)) problems.push(`${path} has a score of ${score}`);
  const inside = new Set(paths);
  for (const { from, to, external } of pack.dependencies)
    if (!inside.has(from) || (!inside.has(to) && !external))
      problems.push(`the edge ${from} -> ${to} leads out`);
  if (pack.tokenCount > pack.tokenBudget)
    problems.push(`${pack.tokenCount} tokens are more than ${pack.tokenBudget}`);
  return problems;
}

interface CountedPack {
  readonly pack: ContextPack;
  readonly text: string;
}

/** The count is part of what JSON counts: its digits may add a token, which may add a digit. */
const MAX_ROUNDS = 6;

/** Renders a package with its own true token count in it. */
export function resolveTokenCount(
  pack: ContextPack,
  options: RenderOptions,
  count: CountTokens,
): CountedPack {
  let counted = pack;
  let text = renderPack(counted, options);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const tokenCount = count(text);
    if (tokenCount === counted.tokenCount) break;
    counted = { ...counted, tokenCount };
    text = renderPack(counted, options);
  }
  return { pack: counted, text };
}

/** A package with nothing in it, to start from. */
export const EMPTY_PACK: ContextPack = {
  id: '',
  task: '',
  role: null,
  targets: [],
  tokenBudget: 0,
  tokenCount: 0,
  encoding: DEFAULT_ENCODING,
  items: [],
  dependencies: [],
  omitted: [],
  environment: { commands: [] },
  conventions: [],
  externals: [],
  tree: '',
  diff: '',
  receipts: [],
  diagnostics: [],
};

const SWITCHED_OFF =
  'Context packages are switched off (CONTEXT_PACKAGE_ENABLED is false): no files are included.';

/** The answer when packages are switched off: an empty package that says so. */
export function disabledPackage({
  task,
  role = null,
  settings,
  format = 'markdown',
}: PackageRequest): BuiltPackage {
  const content = { ...EMPTY_PACK, task, role, tokenBudget: settings.tokenBudget };
  const pack: ContextPack = {
    ...content,
    id: packId(content),
    diagnostics: [{ code: 'packages-disabled', severity: 'info', message: SWITCHED_OFF }],
  };
  return { pack, text: formatOf({ format }).notice(SWITCHED_OFF, pack) };
}
