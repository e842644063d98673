export {
  type AllForm,
  type AllWriter,
  createAllRenderer,
  documentWriter,
  type Frame,
  frameAround,
  labelled,
  partsWriter,
} from './all-document.ts';
export {
  type ChoosingContext,
  chooseFiles,
  keepPieces,
  listScan,
  type TakenFile,
  takeEverything,
} from './choose-files.ts';
export { checkListed, checkRequest, filesInSight, gatherCandidates, notShown } from './gather-candidates.ts';
export { repositoryLabels } from './joint-package.ts';
export {
  type BuiltPackage,
  type FileSelection,
  PACK_STRATEGIES,
  type PackageRequest,
  type PackStrategy,
} from './package-request.ts';
export { inParts } from './split-pack.ts';
export { type StoredItem, verifyPackage } from './verify-package.ts';
