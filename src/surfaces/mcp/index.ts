export { createMcpServer } from './create-mcp-server.ts';
export { type McpContext, type McpContextOptions, openMcpContext } from './mcp-context.ts';
