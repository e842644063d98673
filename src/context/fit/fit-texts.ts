import { fitRendered, type RenderedFit } from './fit-rendered.ts';
import type { Measure } from './measure.ts';
import type { ChosenPart, FitRequest, Part, PartForm } from './part.ts';

interface TextForm extends Omit<PartForm, 'cost'> {
  readonly text: string;
}

export interface TextPart extends Omit<Part, 'forms'> {
  /** Best first. */
  readonly forms: readonly TextForm[];
}

export interface TextsRequest extends Omit<FitRequest, 'parts' | 'partOverhead' | 'smallestCut'> {
  readonly parts: readonly TextPart[];
  readonly measure: Measure;
  /** Stands in front of all parts. */
  readonly header?: string;
  /** Stands between two parts. */
  readonly separator?: string;
  /** Ends what was cut, and counts. */
  readonly marker?: string;
}

export interface FittedTexts extends RenderedFit {
  /** The chosen parts as they stand in the text. */
  readonly texts: readonly { readonly id: string; readonly text: string }[];
}

/** Fits texts that are at hand, such as the sections of a prompt or the results of tools, and joins them. */
export function fitTexts(request: TextsRequest): FittedTexts {
  const { parts, measure, header = '', separator = '\n\n', marker = '\n[truncated]' } = request;
  const textOf = ({ index, form, cut, cost }: ChosenPart): string => {
    const { text } = parts[index]!.forms.find(({ name }) => name === form)!;
    return cut ? measure.cut(text, cost, marker) : text;
  };
  const partOverhead = measure.count(separator);
  const fit = fitRendered({
    ...request,
    parts: parts.map((part) => ({
      ...part,
      forms: part.forms.map(({ text, ...form }) => ({ ...form, cost: measure.count(text) })),
    })),
    partOverhead,
    overstated: partOverhead,
    smallestCut: measure.count(marker) + 1,
    render: (chosen) => header + chosen.map(textOf).join(separator),
    count: measure.count,
  });
  return { ...fit, texts: fit.chosen.map((part) => ({ id: part.id, text: textOf(part) })) };
}
