import { BUILT_IN_GUIDELINES } from './built-in-guidelines.ts';
import type { Guideline } from './guideline-schema.ts';

export interface BootstrapStep {
  readonly id: string;
  /** Name of the file in the folder of guidelines. */
  readonly file: string;
  /** `kept`: the file is there and says something else, and it stays as it is. */
  readonly state: 'write' | 'current' | 'kept';
  readonly text: string;
}

/** What a bootstrap has to do, given what is there already. Nothing that anybody has edited is touched. */
export function planBootstrap(textOf: (file: string) => string | null): readonly BootstrapStep[] {
  return BUILT_IN_GUIDELINES.map((guideline) => {
    const file = `${guideline.id}.json`;
    const text = guidelineText(guideline);
    const present = textOf(file);
    const state = present === null ? 'write' : present === text ? 'current' : 'kept';
    return { id: guideline.id, file, state, text };
  });
}

/** As a person would write it: no list that says nothing. */
export function guidelineText(guideline: Guideline): string {
  const isSaid = (value: unknown) => !(Array.isArray(value) && value.length === 0) && value !== '';
  const said = (values: object) =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => isSaid(value)));
  const { condition, action } = guideline;
  const shown = { ...guideline, condition: said(condition), action: said(action) };
  return `${JSON.stringify(shown, null, 2)}\n`;
}
