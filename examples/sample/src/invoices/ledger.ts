import type { Invoice } from './invoice.ts';

/** Our side: invoices by number, written once. */
export class Ledger {
  readonly #invoices = new Map<string, Invoice>();

  /** False when the invoice was there already. */
  add(invoice: Invoice): boolean {
    if (this.#invoices.has(invoice.number)) return false;
    this.#invoices.set(invoice.number, invoice);
    return true;
  }

  get total(): number {
    return [...this.#invoices.values()].reduce((sum, { amount }) => sum + amount, 0);
  }

  [Symbol.iterator](): Iterator<Invoice> {
    return this.#invoices.values();
  }
}
