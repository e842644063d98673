export { createLinkContext, linkFiles } from './link-files.ts';
export { relinkFiles } from './relink-files.ts';
export { buildStatementTable } from './statement-table.ts';
