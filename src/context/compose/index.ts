export {
  disabledPackage,
  draftPackage,
  EMPTY_PACK,
  fileReceipts,
  finishPack,
  NO_ROOM,
  packId,
  partReceipts,
  resolveTokenCount,
} from './account.ts';
export {
  type ChangedFile,
  type ChangeSelection,
  changeCandidates,
  changedPaths,
  readChange,
  testsOf,
} from './change.ts';
export { type ComposeContext, openContext, renderOptions } from './context.ts';
export { findEnvironment, manifestsOf } from './environment.ts';
export { type Candidate, needOf, priceFiles, signaturesOf } from './file-forms.ts';
export { type ChosenForm, fillRemainder, fitFiles, fitWorthwhile } from './fit-files.ts';
export {
  createSourceReader,
  type ItemSource,
  readSource,
  type SourceOptions,
  type SourceReader,
  withText,
} from './source.ts';
export { describeSurroundings, instructionsPart, sharesOf } from './surroundings.ts';
export { createDependencyFinder } from './uses.ts';
export { SMALL_FILE_LINES } from './worth.ts';
