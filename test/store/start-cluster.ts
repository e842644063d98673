import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { clusterJava, SearchCluster } from './search-cluster.ts';

const PROJECT = fileURLToPath(new URL('cluster/', import.meta.url));

let cluster: SearchCluster | null = null;

/** Starts a real cluster for the suites, or says why there is none. */
export async function setup(project: TestProject): Promise<void> {
  const given = process.env.LOADOUT_TEST_STORE_URLS;
  const java = given ? '' : clusterJava();
  if (typeof java === 'string') {
    if (java) process.stderr.write(`\nSKIPPED: the tests of the team store need ${java}\n\n`);
    project.provide('clusterUrls', given ? given.split(',') : []);
    project.provide('clusterControl', '');
    return;
  }
  // three heaps; a node of this size holds the data of the tests
  cluster = new SearchCluster({ java, project: PROJECT, nodes: 3, heap: '384m' });
  try {
    await cluster.start();
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  project.provide('clusterUrls', cluster.urls);
  project.provide('clusterControl', cluster.control);
}

export async function teardown(): Promise<void> {
  await cluster?.stop();
}
