import { safeLine } from '../../redact/index.ts';
import { applicable, type Judgement } from './evaluate-guidelines.ts';

/** What an agent is told, highest priority first; empty when there is nothing to tell. Who says it is part of it. */
export function renderGuidelines(judgements: readonly Judgement[]): string {
  const lines = applicable(judgements).flatMap(({ guideline, place }) => {
    const { action, name } = guideline;
    const text = action.instruction.trim().replace(/\s+/g, ' ');
    if (text === '') return [];
    const from = place === 'repository' ? ' (asked by the repository)' : '';
    return [`- ${safeLine(name.replace(/\s+/g, ' '))}${from}: ${safeLine(text)}`];
  });
  return lines.length === 0 ? '' : `## Guardrails\n${lines.join('\n')}\n`;
}
