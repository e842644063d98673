import type { Settings } from '../../config/settings.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { useIndex } from '../../scan/index-session.ts';
import type { ScanStep } from '../../scan/run-scan.ts';
import { createSourceReader } from './item-source.ts';
import { type StoredItem, type VerifiedItem, verifyItems } from './verify-pack.ts';

export interface VerifyRequest {
  readonly repo: string;
  readonly settings: Settings;
  readonly items: readonly StoredItem[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (step: ScanStep) => void;
}

export interface Verification {
  readonly items: readonly VerifiedItem[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Whether a stored package still says what the repository holds. */
export function verifyPackage(request: VerifyRequest): Promise<Verification> {
  const { settings, items } = request;
  return useIndex({ ...request, mode: settings.scanMode }, ({ index, repository, result }) => {
    const options = { index, root: repository.root, maxBytes: settings.maxFileBytes };
    const readers = [true, false].map((redact) => createSourceReader({ ...options, redact }));
    return { items: verifyItems(items, readers), diagnostics: result.diagnostics };
  });
}
