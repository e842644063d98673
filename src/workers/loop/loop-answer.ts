import { object } from '../../schema/object-schema.ts';
import type { ValueOf } from '../../schema/schema.ts';
import { choice, described, text } from '../../schema/value-schemas.ts';

export const LOOP_STATUSES = ['done', 'retry', 'decomposed'] as const;
export type LoopStatus = (typeof LOOP_STATUSES)[number];

/** What a worker answers at the end of an iteration; `output.json` holds it. */
export const loopAnswer = object(
  { title: 'LoopOutput' },
  {
    status: described(choice(LOOP_STATUSES), 'done, retry or decomposed'),
    summary: described(text(), 'What was done and what is left, for whoever goes on'),
  },
);

export type LoopAnswer = ValueOf<typeof loopAnswer>;
