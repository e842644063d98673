/** Our own hooks and MCP server stay silent in a worker: its prompt holds the context already. */
export const WORKER_ENVIRONMENT = { LOADOUT_WORKER: '1' } as const;
