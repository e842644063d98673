export { isStopWord } from '../model/stop-words.ts';
