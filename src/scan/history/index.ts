export { decodeMessage, loadHistory } from './load-history.ts';
