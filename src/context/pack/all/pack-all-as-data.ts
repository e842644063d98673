import type { ContextItem, ContextPack } from '../../../model/context-pack.ts';
import { loadTokenCounter } from '../../fit/count-tokens.ts';
import { loadModelCounter } from '../../fit/models.ts';
import { renderPiece } from '../../render/render-pack.ts';
import { resolveTokenCount } from '../../render/resolve-token-count.ts';
import { EMPTY_PACK } from '../empty-pack.ts';
import { packId } from '../pack-id.ts';
import type { BuiltPackage } from '../package-request.ts';
import type { AllWriter } from './all-writer.ts';
import { type AllRequest, packAll } from './pack-all.ts';

/** Of the budget; names of files that are left out cost as well. */
const OMITTED_SHARE = 0.02;
const TOKENS_PER_OMITTED = 40;
/** In JSON line ends and quotes are escaped, which the choice of files does not know: it is repeated with less room. */
const MAX_ROUNDS = 6;
const JSON_OPTIONS = { format: 'json', lineNumbers: false } as const;

/** Everything that fits as one JSON package; it is held in memory, unlike the text. */
export async function packAllAsData(request: Omit<AllRequest, 'writer'>): Promise<BuiltPackage> {
  const { settings, model } = request;
  const budget = settings.tokenBudget;
  const count = await (model ? loadModelCounter(model) : loadTokenCounter('o200k_base'));
  let room = budget;
  for (let round = 0; round < MAX_ROUNDS && room > 0; round++) {
    const attempt = await collect(request, Math.floor(room));
    const built = resolveTokenCount(attempt, JSON_OPTIONS, count);
    const { tokenCount, items } = built.pack;
    if (tokenCount <= budget) return built;
    if (items.length === 0) break;
    room *= (budget / tokenCount) * 0.98;
  }
  const none: ContextPack = { ...nothing(request, budget), tokenCount: 0 };
  return { pack: none, text: '' };

  async function collect(given: Omit<AllRequest, 'writer'>, tokenBudget: number): Promise<ContextPack> {
    const items: ContextItem[] = [];
    const writer: AllWriter = {
      begin: () => {},
      file: (_bytes, _tokens, again) => {
        const item = again()?.item;
        if (item) items.push({ ...item, tokens: count(renderPiece(item, JSON_OPTIONS)) });
      },
      end: () => {},
    };
    const summary = await packAll({ ...given, settings: { ...settings, tokenBudget }, writer });
    const most = Math.floor((budget * OMITTED_SHARE) / TOKENS_PER_OMITTED);
    const omitted = summary.omitted
      .slice(0, most)
      .map((path) => ({ path, reason: 'no room', combinedScore: 0, cost: null }));
    const pack = { ...nothing(given, budget), items, omitted, diagnostics: summary.diagnostics };
    return { ...pack, id: packId(pack) };
  }
}

function nothing({ role = null, model }: Omit<AllRequest, 'writer'>, tokenBudget: number): ContextPack {
  return { ...EMPTY_PACK, role, tokenBudget, encoding: model?.encoding ?? 'o200k_base' };
}
