import { fitTexts } from '../../../fit/fit-texts.ts';
import { BYTES } from '../../../fit/measure.ts';
import { fenced } from '../../../render/fence.ts';
import { goalLines } from '../goal-text.ts';
import { showNodePath } from '../tree/select-leaf.ts';
import { FAILURE_HEADING, HISTORY_HEADING } from '../write-context.ts';
import { outputContract, runnerContract } from './contract-texts.ts';
import type { PromptInputs } from './prompt-inputs.ts';

export const DEFAULT_PROMPT_BYTES = 40 * 1024;

/** In the order in which they stand in the prompt. */
export const SECTION_ORDER = [
  'contract',
  'goal',
  'history',
  'failure',
  'selected',
  'tree',
  'assumptions',
  'questions',
  'package',
  'output',
] as const;
export type SectionName = (typeof SECTION_ORDER)[number];

/** What goes when there is no room, the least important first. The others never go. */
export const DROP_ORDER: readonly SectionName[] = [
  'tree',
  'assumptions',
  'questions',
  'history',
  'failure',
  'package',
];

export interface PromptSection {
  readonly name: SectionName;
  readonly required: boolean;
  readonly text: string;
}

/** A prompt that holds its budget. */
export interface PromptPack {
  /** As they stand in the prompt; one that was cut ends in `[truncated]`. */
  readonly sections: readonly PromptSection[];
  readonly dropped: readonly SectionName[];
  readonly truncated: readonly SectionName[];
  readonly bytes: number;
  render(): string;
}

const SEPARATOR = '\n\n';
const MARKER = '\n[truncated]';

/**
 * Assembles the prompt of an iteration: fixed order, byte budget, same inputs same bytes.
 *
 * @example
 * const pack = new PromptBuilder(40 * 1024).build(inputs);
 * send(pack.render());
 */
export class PromptBuilder {
  readonly budgetBytes: number;

  constructor(budgetBytes: number = DEFAULT_PROMPT_BYTES) {
    this.budgetBytes = budgetBytes;
  }

  build(inputs: PromptInputs): PromptPack {
    const sections = promptSections(inputs);
    const fit = fitTexts({
      parts: sections.map(({ name, required, text }) => ({
        id: name,
        priority: 0,
        protected: required,
        forms: [{ name: 'full', text }],
      })),
      limit: this.budgetBytes,
      measure: BYTES,
      separator: SEPARATOR,
      marker: MARKER,
      strategy: { kind: 'fixed-order', dropOrder: DROP_ORDER },
    });
    const texts = new Map(fit.texts.map(({ id, text }) => [id, text]));
    const kept = sections.filter(({ name }) => texts.has(name));
    return {
      sections: kept.map((section) => ({ ...section, text: texts.get(section.name)! })),
      dropped: sections.flatMap(({ name }) => (texts.has(name) ? [] : [name])),
      truncated: kept.flatMap(({ name, text }) => (texts.get(name) === text ? [] : [name])),
      bytes: fit.used,
      render: () => fit.text,
    };
  }

  /** Bytes that a further section could have without anything else being dropped; may be negative. */
  roomLeft(inputs: PromptInputs): number {
    const whole = promptSections(inputs)
      .map(({ text }) => text)
      .join(SEPARATOR);
    return this.budgetBytes - BYTES.count(whole) - BYTES.count(SEPARATOR);
  }
}

export function promptSections(inputs: PromptInputs): readonly PromptSection[] {
  const { paths, selected, history, failure, assumptions, questions, contextPackage } = inputs;
  const { node, path } = selected;
  const texts: Readonly<Record<SectionName, string | null>> = {
    contract: runnerContract(paths),
    goal: inputs.goal.trimEnd(),
    history: history && material(HISTORY_HEADING, withoutHeading(history, HISTORY_HEADING)),
    failure: failure && material(FAILURE_HEADING, withoutHeading(failure, FAILURE_HEADING)),
    selected: [
      '# Selected node',
      '',
      `path: ${showNodePath(path)}`,
      `id: ${node.id}`,
      ...goalLines(node),
      `attempts: ${node.attempts} of ${node.max_attempts}`,
    ].join('\n'),
    tree: material(`# Task tree (${paths.tree})`, inputs.treeSummary),
    assumptions: assumptions && material(`# Assumptions (${paths.assumptions})`, assumptions.trim()),
    questions: questions && material(`# Open questions (${paths.questions})`, questions.trim()),
    package: contextPackage?.trim() ?? null,
    output: outputContract(paths.tree) + (inputs.feedback ? `\n\n${inputs.feedback.trim()}` : ''),
  };
  return SECTION_ORDER.flatMap((name) => {
    const text = texts[name];
    return text ? [{ name, required: !DROP_ORDER.includes(name), text }] : [];
  });
}

/** Text of programs and agents, behind a fence that it cannot close. */
function material(heading: string, text: string): string {
  return `${heading}\n\n${fenced(text, 'text')}`;
}

function withoutHeading(text: string, heading: string): string {
  return (text.startsWith(heading) ? text.slice(heading.length) : text).replace(/^\n+|\s+$/g, '');
}
