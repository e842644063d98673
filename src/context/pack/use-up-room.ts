import type { LineSpan } from '../../model/context-pack.ts';
import { excerptOf } from './excerpt.ts';
import type { CandidatesFit, ChosenForm } from './fit-candidates.ts';
import { type FormOptions, priced } from './item-forms.ts';

/** Room that is left for want of a form of the right size; less is not worth another look. */
const WORTH_USING = 0.03;
/** Excerpts that are tried, best first, and how often each. */
const MAX_EXCERPTS = 6;
const MAX_TRIES = 3;

/** Shows more of what is in as an excerpt while there is room: what stands around the lines that matter. */
export function useUpRoom(
  fit: CandidatesFit,
  options: FormOptions & { readonly countText: (text: string) => number },
  render: (chosen: readonly ChosenForm[]) => string,
): CandidatesFit {
  const { limit, countText } = options;
  const least = limit * WORTH_USING;
  const excerpts = fit.chosen.flatMap(({ form }, at) => (form.item.form === 'excerpt' ? [at] : []));
  let current = fit;
  for (const at of excerpts.slice(0, MAX_EXCERPTS)) {
    let room = limit - current.tokens;
    for (let round = 0; round < MAX_TRIES && room > least; round++) {
      const grown = growExcerpt(current.chosen[at]!, room, options);
      if (grown === null) break;
      const chosen = current.chosen.with(at, grown);
      const text = render(chosen);
      const tokens = countText(text);
      if (tokens <= limit) {
        current = { chosen, text, tokens };
        break;
      }
      // more lines may use more of what is defined elsewhere, whose signatures come along
      room -= tokens - limit;
    }
  }
  return current;
}

/** The excerpt with as many lines around it as the room pays for; null when that is none. */
function growExcerpt({ candidate, form }: ChosenForm, room: number, options: FormOptions): ChosenForm | null {
  const { source } = candidate;
  const grownBy = (around: number) => {
    const spans = form.item.spans.map(({ startLine, endLine }): LineSpan => {
      return { startLine: Math.max(1, startLine - around), endLine: endLine + around };
    });
    const { content, lineRuns } = excerptOf(source, spans);
    return priced({ ...form.item, content, lineRuns }, options.render, options.count);
  };
  let [fits, over] = [0, source.lines.length];
  let best = null;
  while (over - fits > 1) {
    const middle = (fits + over) >> 1;
    const item = grownBy(middle);
    if (item.tokens - form.item.tokens <= room) {
      fits = middle;
      best = item;
    } else over = middle;
  }
  return best === null ? null : { candidate, form: { ...form, item: best } };
}
