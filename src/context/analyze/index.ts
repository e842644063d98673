// Analysis: what the text of a task says by itself. Nothing is looked up in the repository.
export { analyzeTask } from './analyze-task.ts';
export { type DomainContext, repositoryDomains, unknownDomain } from './task-domains.ts';
