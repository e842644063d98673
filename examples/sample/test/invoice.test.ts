import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromPartner } from '../src/invoices/invoice.ts';
import { Ledger } from '../src/invoices/ledger.ts';

const partnerInvoice = { id: 'INV-7', customer_name: 'Kessler', total: '12.5', due_date: '2026-03-01' };

test('amounts become cents', () => {
  assert.equal(fromPartner(partnerInvoice).amount, 1250);
});

test('an amount that is none is refused', () => {
  assert.throws(() => fromPartner({ ...partnerInvoice, total: 'free' }), RangeError);
});

test('the ledger takes an invoice once', () => {
  const ledger = new Ledger();
  assert.equal(ledger.add(fromPartner(partnerInvoice)), true);
  assert.equal(ledger.add(fromPartner(partnerInvoice)), false);
  assert.equal(ledger.total, 1250);
});
