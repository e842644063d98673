// The exports of the knowledge stores for other parts. The team flows that only commands need are imported lazily, by
// file.

export { askStores } from './ask-stores.ts';
export { embedFiles, vectorKey } from './embeddings/embed-files.ts';
export { chooseEmbedder, type Embedder, wantsEmbeddings } from './embeddings/embedder.ts';
export { memoryVectorCache, openVectorFile, type VectorCache } from './embeddings/vector-file.ts';
export { openLocalStore } from './local/local-store.ts';
export type { FillReport } from './team/fill-team-store.ts';
export { chooseTeamStore } from './team/team-store.ts';
