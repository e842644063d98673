// The part that all stores of tool results share: order, limits, checks, and the memory store. A backend keeps
// the bytes.

import { LoadoutError } from '../../model/loadout-error.ts';
import { jsonOrNull } from '../../model/read-json.ts';
import { checkArguments, FUNCTION } from '../../schema/check-arguments.ts';
import { type CountTokens, describeResult, resultId } from '../describe-result.ts';
import {
  RESULT_ID,
  type StoredToolResult,
  type StoreLimits,
  type ToolResultHandle,
  type ToolResultStore,
} from '../tool-result-store.ts';

/** Where an implementation keeps its bytes; order, limits and checks are the same for all. */
interface ResultBackend {
  /** Results from earlier, in any order. */
  readonly known: readonly ToolResultHandle[];
  /** Durable when it returns. */
  write(handle: ToolResultHandle, bytes: Buffer): void;
  /** The bytes should be here already; only the order is new. Durable as well: damaged bytes are written again. */
  renew(handle: ToolResultHandle, bytes: Buffer): void;
  read(id: string): Uint8Array | null;
  /** Finds a result that another process has kept since, where that is possible. */
  find?(id: string): ToolResultHandle | null;
  /** Forgets the bytes; unknown ids are fine. */
  remove(id: string): void;
  close(): void;
}

/** Options of every store. */
export interface StoreOptions extends StoreLimits {
  /** Exact counts, where an estimate of a token for four characters is not enough. */
  readonly countTokens?: CountTokens;
}

const MEBIBYTE = 1024 * 1024;
/** Enough for a long session, and far from filling a disk. */
const DEFAULTS = { maxResultBytes: 32 * MEBIBYTE, maxTotalBytes: 512 * MEBIBYTE, maxResults: 20_000 };

const STORE_KINDS = { countTokens: FUNCTION };

/** Makes a store of a backend. The oldest results go when a limit is reached. */
export function createIndexedStore(backend: ResultBackend, options: StoreOptions = {}): ToolResultStore {
  checkArguments('a store of tool results', options, STORE_KINDS, 'kept');
  const limits = readLimits(options);
  // a Map keeps the order of insertion: the oldest is always the first
  const handles = new Map<string, ToolResultHandle>();
  let total = 0;
  let order = 0;
  let isOpen = true;
  for (const handle of [...backend.known].sort((one, other) => one.order - other.order)) {
    handles.set(handle.id, handle);
    total += handle.size;
    order = Math.max(order, handle.order);
  }
  const checkOpen = () => {
    if (!isOpen) throw new LoadoutError('store-closed', 'the store of tool results is closed');
  };
  // Another process may have kept it since this store was opened.
  const lookUp = (id: string) => handles.get(id) ?? backend.find?.(id) ?? null;
  const forget = (handle: ToolResultHandle) => {
    backend.remove(handle.id);
    handles.delete(handle.id);
    total -= handle.size;
  };

  return {
    async put(result) {
      checkOpen();
      const { handle: described, bytes } = describeResult(result, options.countTokens);
      if (bytes.length > limits.maxResultBytes)
        throw tooLarge(described.tool, bytes.length, limits.maxResultBytes);
      const handle: ToolResultHandle = { ...described, order: order + 1 };
      const before = handles.get(handle.id);
      if (before === undefined) backend.write(handle, bytes);
      else backend.renew(handle, bytes);
      order += 1;
      handles.delete(handle.id);
      handles.set(handle.id, handle);
      if (before === undefined) total += handle.size;
      for (const oldest of handles.values()) {
        if (oldest === handle || (total <= limits.maxTotalBytes && handles.size <= limits.maxResults)) break;
        forget(oldest);
      }
      return handle;
    },
    async get(id): Promise<StoredToolResult | null> {
      checkOpen();
      const handle = lookUp(id);
      const bytes = handle === null ? null : backend.read(id);
      if (handle === null || bytes === null) return null;
      return resultId(handle.tool, handle.mime, bytes) === id ? { handle, bytes } : null;
    },
    async handle(id) {
      checkOpen();
      return lookUp(id);
    },
    async list(limit = Number.POSITIVE_INFINITY) {
      checkOpen();
      const all = [...handles.values()].reverse();
      return limit < all.length ? all.slice(0, limit) : all;
    },
    async remove(id) {
      checkOpen();
      const handle = handles.get(id);
      if (handle !== undefined) forget(handle);
      else if (lookUp(id) !== null) backend.remove(id);
    },
    async close() {
      if (isOpen) backend.close();
      isOpen = false;
    },
  };
}

/** The limits with their defaults; throws `bad-store-limit`. */
function readLimits(options: StoreOptions): Required<StoreLimits> {
  const limits = { ...DEFAULTS };
  for (const name of ['maxResultBytes', 'maxTotalBytes', 'maxResults'] as const) {
    const value = options[name];
    if (value === undefined) continue;
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new LoadoutError(
        'bad-store-limit',
        `${name}: ${value} is not allowed; allowed is a whole number, 1 or more`,
        {
          subject: name,
        },
      );
    }
    limits[name] = value;
  }
  return limits;
}

function tooLarge(tool: string, size: number, limit: number): LoadoutError {
  return new LoadoutError(
    'result-too-large',
    `the result of ${tool} has ${size} bytes; at most ${limit} are kept`,
    {
      subject: tool,
      hint: 'raise maxResultBytes, or let the tool give less',
    },
  );
}

/** A handle from the disk, or null when it is not one. */
export function readHandle(json: string): ToolResultHandle | null {
  const value = jsonOrNull(json) as Partial<Record<keyof ToolResultHandle, unknown>> | null;
  if (typeof value !== 'object' || value === null) return null;
  const { id, tool, order, size, tokens, preview, mime } = value;
  const isAmount = (amount: unknown): amount is number =>
    Number.isSafeInteger(amount) && (amount as number) >= 0;
  if (typeof id !== 'string' || !RESULT_ID.test(id)) return null;
  if (typeof tool !== 'string' || typeof preview !== 'string' || typeof mime !== 'string') return null;
  if (!isAmount(order) || !isAmount(size) || !isAmount(tokens)) return null;
  return { id, tool, order, size, tokens, preview, mime };
}

/** Results live as long as the process: for tests, and for sessions that need not survive it. */
export function openMemoryStore(options: StoreOptions = {}): ToolResultStore {
  const kept = new Map<string, Buffer>();
  return createIndexedStore(
    {
      known: [],
      write: (handle, bytes) => void kept.set(handle.id, bytes),
      renew: () => {},
      // a copy, so that a caller cannot change the stored bytes
      read: (id) => (kept.has(id) ? Uint8Array.from(kept.get(id)!) : null),
      remove: (id) => void kept.delete(id),
      close: () => kept.clear(),
    },
    options,
  );
}
