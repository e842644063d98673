import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['**/*.client.ts'],
    exclude: ['node_modules/**'],
    globalSetup: ['../support/clean-folder.ts'],
    setupFiles: ['../support/clean-process.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
    // programs of others, which may look for updates and wait for the network
    retry: 1,
  },
});
