import type { ApiClient } from '../http/api-client.ts';
import { fromPartner, type PartnerInvoice } from './invoice.ts';
import type { Ledger } from './ledger.ts';

interface Page {
  readonly invoices: readonly PartnerInvoice[];
}

/** Pages asked for at the same time. */
const PARALLEL_PAGES = 4;

/** Copies all pages into the ledger; returns how many invoices were new. */
export async function syncInvoices(api: ApiClient, ledger: Ledger, pages: number): Promise<number> {
  let added = 0;
  for (let first = 1; first <= pages; first += PARALLEL_PAGES) {
    const numbers = Array.from(
      { length: Math.min(PARALLEL_PAGES, pages - first + 1) },
      (_, at) => first + at,
    );
    const answers = await Promise.all(numbers.map((page) => api.getJson<Page>(`/invoices?page=${page}`)));
    for (const { invoices } of answers)
      for (const invoice of invoices) if (ledger.add(fromPartner(invoice))) added++;
  }
  return added;
}
