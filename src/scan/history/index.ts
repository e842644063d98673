export { decodeMessage } from './decode-message.ts';
export { loadHistory } from './load-history.ts';
