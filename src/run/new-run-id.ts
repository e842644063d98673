import { randomBytes } from 'node:crypto';

/** `20260131-142503-9f86d081`: by name they are in the order of time, and no two are the same. */
export function newRunId(nowMs: number): string {
  const [date = '', time = ''] = new Date(nowMs).toISOString().split('T');
  const digits = (text: string) => text.replace(/\D/g, '');
  return `${digits(date)}-${digits(time).slice(0, 6)}-${randomBytes(4).toString('hex')}`;
}
