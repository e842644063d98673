import { RESULT_ID, type ToolResultHandle } from '../tool-result.ts';

/** A handle from the disk, or null when it is not one. */
export function readHandle(json: string): ToolResultHandle | null {
  let value: Partial<Record<keyof ToolResultHandle, unknown>> | null;
  try {
    value = JSON.parse(json);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { id, tool, order, size, tokens, preview, mime } = value;
  const isAmount = (amount: unknown): amount is number =>
    Number.isSafeInteger(amount) && (amount as number) >= 0;
  if (typeof id !== 'string' || !RESULT_ID.test(id)) return null;
  if (typeof tool !== 'string' || typeof preview !== 'string' || typeof mime !== 'string') return null;
  if (!isAmount(order) || !isAmount(size) || !isAmount(tokens)) return null;
  return { id, tool, order, size, tokens, preview, mime };
}
