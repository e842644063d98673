export { analyzeTask } from './analyze-task.ts';
export { type DomainContext, repositoryDomains, unknownDomain } from './task-domains.ts';
