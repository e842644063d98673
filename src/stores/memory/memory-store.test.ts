import { describeStore } from '../knowledge-store.contract.ts';
import { MemorySnapshots, openMemoryStore } from './memory-store.ts';

describeStore('memory', () => {
  const cache = new MemorySnapshots();
  return (team) => openMemoryStore(cache, team);
});
