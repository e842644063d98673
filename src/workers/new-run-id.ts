import { randomBytes } from 'node:crypto';

/**
 * `20260131-142503-1f8d0817`: by name they are in the order of time, and no two are the same. The last group begins
 * with the milliseconds and goes on at random.
 */
export function newRunId(nowMs: number): string {
  const [date = '', time = ''] = new Date(nowMs).toISOString().split('T');
  const digits = (text: string) => text.replace(/\D/g, '');
  const milliseconds = Math.floor(nowMs % 1_000)
    .toString(16)
    .padStart(3, '0');
  const random = randomBytes(3).toString('hex').slice(1);
  return `${digits(date)}-${digits(time).slice(0, 6)}-${milliseconds}${random}`;
}
