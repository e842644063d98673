import type { Files } from './connected-bench.ts';

export const INVOICE = 'src/billing/invoice-total.ts';
export const SESSION = 'src/auth/session-expiry.ts';

/** Two corners that have nothing to do with each other, in code with everything that escaping would change. */
export const SHOP: Files = {
  'package.json': '{"name":"shop","version":"1.0.0","type":"module"}\n',
  'README.md': '# Shop\n\nInvoices and sign-in of a small shop.\n',
  [INVOICE]: `import { roundCents } from './round-cents.ts';

export interface InvoiceLine<Unit extends string = 'piece'> {
  readonly price: number;
  readonly count: number;
  readonly unit: Unit;
}

/** Lines & discount -> total; a discount is a share, 0 <= discount && discount < 1. */
export function computeInvoiceTotal<T extends InvoiceLine>(lines: ReadonlyArray<T>, discount: number): number {
  const sum = lines.reduce((total, { price, count }) => total + price * count, 0);
  return discount > 0 && discount < 1 ? roundCents(sum * (1 - discount)) : roundCents(sum);
}
`,
  'src/billing/round-cents.ts': `export function roundCents(amount: number): number {
  return Math.round(amount * 100) / 100;
}
`,
  'src/billing/invoice-total.test.ts': `import { computeInvoiceTotal } from './invoice-total.ts';

if (computeInvoiceTotal([{ price: 1, count: 2, unit: 'piece' }], 0.5) !== 1) throw new Error('discount');
`,
  [SESSION]: `import { readClock } from './read-clock.ts';

export type SessionMap = Map<string, { readonly since: number }>;

/** Sessions expire after an hour: now - since > 3600 => gone. */
export function dropExpiredSessions(sessions: SessionMap, limitSeconds = 3_600): number {
  const now = readClock();
  const expired = [...sessions].filter(([, { since }]) => now - since > limitSeconds);
  for (const [name] of expired) sessions.delete(name);
  return expired.length;
}
`,
  'src/auth/read-clock.ts': `export function readClock(): number {
  return Math.floor(Date.now() / 1_000);
}
`,
};

export const INVOICE_TASK = 'Fix computeInvoiceTotal: the invoice discount is applied twice for one line';
export const SESSION_TASK = 'Make dropExpiredSessions keep a session whose expiry is exactly the limit';

const CATALOG_FILES = 8;
const CATALOG_ROWS = 160;

export const catalogFile = (number: number): string => `src/catalog/price-catalog-${number}.ts`;
export const CATALOG_TASK = 'Rename the columns of the price catalog tables';

/** The same with tables that make a package of more than 50,000 characters. */
export function shopWithCatalog(): Files {
  const numbers = Array.from({ length: CATALOG_FILES }, (_, number) => number);
  return { ...SHOP, ...Object.fromEntries(numbers.map((number) => [catalogFile(number), catalog(number)])) };
}

function catalog(number: number): string {
  const rows = Array.from({ length: CATALOG_ROWS }, (_, row) => {
    const code = (number * CATALOG_ROWS + row).toString(36).padStart(4, '0');
    return `  { code: '${code}', columns: ['price <net>', 'price & tax'], amount: ${row}.${number} },`;
  });
  return `/** Price catalog ${number}: tables and their columns. */
export const PRICE_CATALOG_${number} = [
${rows.join('\n')}
];
`;
}

export const WIDE_TASK = 'Move the discount coupons of the shop to the new coupon format';

/** The same with more files for one task than a hook may name. */
export function wideShop(): Files {
  const files: Record<string, string> = { ...SHOP };
  for (let number = 0; number < 70; number++) {
    const path = `src/coupons/${'discount-coupons-of-the-shop/'.repeat(4)}coupon-format-${number}.ts`;
    const names = Array.from({ length: 6 }, (_, at) => `discountCouponFormat${number}Part${at}`);
    files[path] = names.map((name) => `export const ${name} = 'coupon format of the shop';\n`).join('');
  }
  return files;
}
