// Analysis: reads the text of a task on its own. Nothing is looked up in the repository.
export { analyzeTask } from './analyze-task.ts';
export { type DomainContext, repositoryDomains, unknownDomain } from './task-domains.ts';
