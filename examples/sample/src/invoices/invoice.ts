export interface Invoice {
  readonly number: string;
  readonly customer: string;
  /** In cents, so that sums are exact. */
  readonly amount: number;
  readonly dueOn: string;
}

/** As the partner spells it. */
export interface PartnerInvoice {
  readonly id: string;
  readonly customer_name: string;
  readonly total: string;
  readonly due_date: string;
}

export function fromPartner({ id, customer_name, total, due_date }: PartnerInvoice): Invoice {
  const [whole = '0', cents = ''] = total.split('.');
  const amount = Number(whole) * 100 + Number(cents.padEnd(2, '0').slice(0, 2));
  if (!Number.isSafeInteger(amount)) throw new RangeError(`invoice ${id}: "${total}" is not an amount`);
  return { number: id, customer: customer_name, amount, dueOn: due_date };
}
