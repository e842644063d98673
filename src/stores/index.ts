export { askStores } from './ask-stores.ts';
export { chooseEmbedder, type Embedder, wantsEmbeddings } from './embeddings/choose-embedder.ts';
export { embedFiles, vectorKey } from './embeddings/embed-files.ts';
export { memoryVectorCache, openVectorFile, type VectorCache } from './embeddings/vector-file.ts';
export { openLocalStore } from './local/local-store.ts';
export { chooseTeamStore } from './team/choose-team-store.ts';
export type { FillReport } from './team/fill-team-store.ts';
