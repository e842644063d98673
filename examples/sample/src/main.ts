import { createExchangeToken } from './auth/token-endpoint.ts';
import { TokenRefresher } from './auth/token-refresher.ts';
import { MemoryTokenStore } from './auth/token-store.ts';
import { ApiClient } from './http/api-client.ts';
import { sendWithFetch } from './http/send-request.ts';
import { withRetry } from './http/with-retry.ts';
import { syncInvoices } from './invoices/invoice-sync.ts';
import { Ledger } from './invoices/ledger.ts';
import { readSettings } from './settings.ts';

const { baseUrl, refreshToken, pages } = readSettings(process.env);
const send = withRetry(sendWithFetch);
const store = new MemoryTokenStore({ accessToken: '', refreshToken, expiresAt: 0 });
const tokens = new TokenRefresher(store, createExchangeToken(send, baseUrl, Date.now));
const ledger = new Ledger();

const added = await syncInvoices(new ApiClient(send, tokens, baseUrl), ledger, pages);
process.stdout.write(`${added} new invoices, ${(ledger.total / 100).toFixed(2)} in all\n`);
