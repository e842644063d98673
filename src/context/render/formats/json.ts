import type { ContextItem, ContextPack, Receipt } from '../../../model/context-pack.ts';
import { escapeHidden, markHidden } from '../../../redact/index.ts';
import { contentsEntry, type OutputFormat, type RenderedPiece, showsContents } from '../output-format.ts';

/** One JSON document for programs. It holds everything that is known about a package, accounts included. */
export const JSON_FORMAT: OutputFormat = {
  pieces: jsonPieces,
  file: jsonItem,
  contentsLine: (item) => `${markedJson(contentsEntry(item))},`,
  partPieces: jsonParts,
  // A JSON document cannot be read in parts.
  partHead: () => '',
  end: '',
  notice: (_message, pack) =>
    jsonPieces(pack)
      .map(({ text }) => text)
      .join(''),
  showsAccounts: true,
};

/** The keys are listed, so that their order never depends on how an object was built. */
const HEAD_KEYS = ['id', 'task', 'role', 'targets', 'tokenBudget', 'tokenCount', 'encoding'] as const;
const TAIL_KEYS = [
  'dependencies',
  'omitted',
  'environment',
  'conventions',
  'externals',
  'tree',
  'diff',
  'receipts',
  'diagnostics',
] as const;
const ITEM_KEYS = [
  'path',
  'form',
  'tokens',
  'combinedScore',
  'astScore',
  'semanticScore',
  'source',
  'symbols',
  'spans',
  'lineRuns',
  'language',
  'reason',
  'content',
] as const satisfies readonly (keyof ContextItem)[];

/** Keys of paths. Programs open files by them, so their values are not changed. */
const NAME_KEYS: ReadonlySet<string> = new Set(['path', 'from', 'to']);

/**
 * JSON with the same marks for hidden characters as the other formats: a parser would turn an escaped character back
 * into a hidden one. In a path it is only escaped, so that a parser gets the true name.
 */
function markedJson(value: unknown): string {
  const json = JSON.stringify(value, (key, one: unknown) =>
    typeof one === 'string' && !NAME_KEYS.has(key) ? markHidden(one).text : one,
  );
  return escapeHidden(json);
}

/** An item on a line of its own. `jsonPieces` takes the comma off the last one. */
function jsonItem(item: ContextItem): string {
  return `${markedJson(Object.fromEntries(ITEM_KEYS.map((key) => [key, item[key]])))},\n`;
}

/** The head, a piece for each item, and the rest. */
function jsonPieces(pack: ContextPack): RenderedPiece[] {
  const lines = (keys: readonly (keyof ContextPack)[]) =>
    keys
      .map((key) => {
        const json = key === 'targets' ? escapeHidden(JSON.stringify(pack[key])) : markedJson(pack[key]);
        return `${JSON.stringify(key)}: ${json}`;
      })
      .join(',\n');
  const frame = (text: string): RenderedPiece => ({ part: 'frame', path: '', text });
  return [
    frame(`{\n${lines(HEAD_KEYS)},\n${jsonContents(pack)}${jsonInstructions(pack)}"items": [\n`),
    ...pack.items.map((item, at): RenderedPiece => {
      const text = jsonItem(item);
      const isLast = at === pack.items.length - 1;
      return { part: 'file', path: item.path, text: isLast ? `${text.slice(0, -2)}\n` : text };
    }),
    frame(`],\n${lines(TAIL_KEYS)}\n}\n`),
  ];
}

/** The order and the table of contents, for packages that have them. */
function jsonContents(pack: ContextPack): string {
  if (pack.order === undefined) return '';
  const order = `"order": ${markedJson(pack.order)},\n`;
  if (!showsContents(pack)) return order;
  const shown = pack.items.filter(({ form }) => form !== 'mention');
  return `${order}"contents": ${markedJson(shown.map(contentsEntry))},\n`;
}

/** The user's text, where there is one. */
function jsonInstructions({ instructions }: ContextPack): string {
  return instructions === undefined ? '' : `"instructions": ${markedJson(instructions)},\n`;
}

/** The parts beside the files, each as JSON of its own, for counting. */
function jsonParts({ conventions, environment, externals, dependencies }: ContextPack): RenderedPiece[] {
  const part = (name: Receipt['part'], value: unknown, path = ''): RenderedPiece => {
    return { part: name, path, text: JSON.stringify(value) };
  };
  return [
    ...conventions.map((one) => part('convention', one, one.path)),
    ...(environment.commands.length > 0 ? [part('environment', environment)] : []),
    ...(externals.length > 0 ? [part('externals', externals)] : []),
    ...(dependencies.length > 0 ? [part('dependencies', dependencies)] : []),
  ];
}
