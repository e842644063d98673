/** The public part of the MCP server: what the HTTP server needs to offer it on a route. */

export { createMcpServer } from './create-mcp-server.ts';
export { type McpContext, type McpContextOptions, openMcpContext } from './mcp-context.ts';
