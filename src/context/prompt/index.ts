// Prompts: the whole text that a worker's agent gets, inside the budget of its role.
export {
  type ContextPacker,
  type ContextPackerOptions,
  createContextPacker,
  type GitDiffOptions,
  type PromptOptions,
} from './context-packer.ts';
export { type FittedPrompt, fitPrompt } from './fit-prompt.ts';
export { gatherParts, type PartsRequest } from './gather-parts.ts';
export { estimateTokens } from './prompt-limits.ts';
export type { ExtraContext, PatternUse, Prompt, PromptFile, PromptPart, SourcePart } from './prompt-parts.ts';
export { type PromptTemplates, repositoryTemplates } from './prompt-templates.ts';
export { renderPrompt, templateForRole } from './render-prompt.ts';
export type { RoleForPackage } from './role-for-package.ts';
