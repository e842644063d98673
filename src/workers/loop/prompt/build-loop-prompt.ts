import { createHash } from 'node:crypto';
import { goalLines } from '../goal-text.ts';
import type { LoopEnvironment, LoopPackage } from '../loop-environment.ts';
import { PromptBuilder, type PromptPack } from './prompt-builder.ts';
import type { PromptInputs } from './prompt-inputs.ts';

export interface LoopPrompt {
  readonly pack: PromptPack;
  readonly promptId: string;
  readonly packageId: string | null;
  /** The same prompt with a remark on the answer before; never above the budget. */
  textWith(feedback: string | null): string;
}

const HEADING_BYTES = 64;

/** The prompt of an iteration, with as much of a context package as there is room for. */
export async function buildLoopPrompt(
  inputs: PromptInputs,
  budgetBytes: number,
  buildPackage: LoopEnvironment['buildPackage'],
): Promise<LoopPrompt> {
  const builder = new PromptBuilder(budgetBytes);
  let contextPackage: LoopPackage | null = null;
  const room = builder.roomLeft(inputs) - HEADING_BYTES;
  if (buildPackage !== null && room > 0) {
    const task = goalLines(inputs.selected.node).join('\n');
    contextPackage = await buildPackage(task, room);
  }
  const whole = { ...inputs, contextPackage: contextPackage?.text ?? null };
  const pack = builder.build(whole);
  const text = pack.render();
  return {
    pack,
    promptId: createHash('sha256').update(text).digest('hex'),
    packageId: pack.sections.some(({ name }) => name === 'package') ? (contextPackage?.id ?? null) : null,
    textWith: (feedback) => (feedback === null ? text : builder.build({ ...whole, feedback }).render()),
  };
}
