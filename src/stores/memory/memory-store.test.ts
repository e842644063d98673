import { describeStore } from '../knowledge-store.contract.ts';
import { MemoryShelf, openMemoryStore } from './memory-store.ts';

describeStore('memory', () => {
  const shelf = new MemoryShelf();
  return (team) => openMemoryStore(shelf, team);
});
