import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { findJava, type Java } from './find-java.ts';

const NODES = 3;
const PROJECT = fileURLToPath(new URL('cluster/', import.meta.url));
const START_MS = 180_000;
/** Three heaps; a node of this size holds what the tests send. */
const HEAP = '-Xmx384m';

let cluster: Cluster | null = null;

/** Starts a real cluster for the suites, or says why there is none. */
export async function setup(project: TestProject): Promise<void> {
  const given = process.env.LOADOUT_TEST_STORE_URLS;
  const java = findJava();
  const problem = given ? null : problemOf(java);
  if (given || problem !== null || java === null) {
    if (problem) process.stderr.write(`\nSKIPPED: the tests of the team store need ${problem}\n\n`);
    project.provide('clusterUrls', given ? given.split(',') : []);
    project.provide('clusterControl', '');
    return;
  }
  cluster = new Cluster(java, classPath(java));
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

function problemOf(java: Java | null): string | null {
  if (java === null) return 'Java 17 or newer; none was found in JAVA_HOME and /usr/lib/jvm';
  return spawnSync('mvn', ['-v'], { stdio: 'ignore' }).status === 0 ? null : 'Maven; mvn is not there';
}

/** Maven keeps what it has fetched: the first time takes minutes, later ones seconds. */
function classPath({ home, runner }: Java): string {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-store-'));
  const file = join(folder, 'class-path');
  const goals = ['dependency:build-classpath', `-Dmdep.outputFile=${file}`, `-Drunner.version=${runner}`];
  const fetchAll = () =>
    spawnSync('mvn', ['-q', '-B', '-f', join(PROJECT, 'pom.xml'), ...goals], {
      encoding: 'utf8',
      env: { ...process.env, JAVA_HOME: home },
    });
  // a download that broke off goes on where it was
  const first = fetchAll();
  const { status, stdout, stderr } = first.status === 0 ? first : fetchAll();
  if (status !== 0) throw new Error(`Maven could not fetch the cluster:\n${stdout}\n${stderr}`);
  const path = readFileSync(file, 'utf8');
  rmSync(folder, { recursive: true });
  return path;
}

class Cluster {
  readonly #java: Java;
  readonly #classPath: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'loadout-cluster-'));
  readonly #nodes: (ChildProcess | null)[] = [];
  #httpPorts: readonly number[] = [];
  #transportPorts: readonly number[] = [];
  #server: Server | null = null;

  constructor(java: Java, path: string) {
    this.#java = java;
    this.#classPath = path;
  }

  get urls(): readonly string[] {
    return this.#httpPorts.map((port) => `http://127.0.0.1:${port}`);
  }

  get control(): string {
    return `http://127.0.0.1:${(this.#server!.address() as AddressInfo).port}`;
  }

  async start(): Promise<void> {
    const ports = await freePorts(2 * NODES);
    this.#httpPorts = ports.slice(0, NODES);
    this.#transportPorts = ports.slice(NODES);
    for (let number = 1; number <= NODES; number++) this.#spawn(number);
    await this.#whole();
    this.#server = createServer(async (request, response) => {
      const [, action, number] = request.url?.split('/') ?? [];
      if (action === 'kill') await this.#kill(Number(number));
      else this.#spawn(Number(number));
      response.end();
    });
    await new Promise<void>((resolve) => this.#server!.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.#server?.close();
    for (const number of this.#nodes.keys()) await this.#kill(number);
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #spawn(number: number): void {
    const log = openSync(join(this.#folder, `node-${number}.log`), 'a');
    const program = join(this.#java.home, 'bin/java');
    const options = [HEAP, '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-cp', this.#classPath];
    const place = join(this.#folder, `node-${number}`);
    const ports = [String(this.#httpPorts[number - 1]), this.#transportPorts.join(',')];
    const source = join(PROJECT, 'StoreNode.java');
    this.#nodes[number] = spawn(program, [...options, source, place, String(number), ...ports], {
      cwd: this.#folder,
      stdio: ['pipe', log, log],
    });
  }

  async #kill(number: number): Promise<void> {
    const node = this.#nodes[number];
    if (!node || node.exitCode !== null || node.signalCode !== null) return;
    const gone = new Promise((resolve) => node.once('exit', resolve));
    node.kill('SIGKILL');
    await gone;
  }

  async #whole(): Promise<void> {
    const until = performance.now() + START_MS;
    while (performance.now() < until) {
      await sleep(500);
      const dead = this.#nodes.findIndex((node) => node && node.exitCode !== null);
      if (dead > 0) throw new Error(`node ${dead} ended:\n${this.#log(dead)}`);
      const path = `/_cluster/health?wait_for_nodes=${NODES}&timeout=1s`;
      const response = await fetch(this.urls[0]! + path).catch(() => null);
      const health = response?.ok ? ((await response.json()) as { number_of_nodes: number }) : null;
      if (health?.number_of_nodes === NODES) return;
    }
    throw new Error(`the cluster did not start:\n${this.#log(1)}`);
  }

  #log(number: number): string {
    return readFileSync(join(this.#folder, `node-${number}.log`), 'utf8').slice(-3000);
  }
}

async function freePorts(count: number): Promise<readonly number[]> {
  const sockets = Array.from({ length: count }, () => createSocket());
  const ports: number[] = [];
  for (const socket of sockets) {
    await new Promise<void>((resolve) => socket.listen(0, '127.0.0.1', resolve));
    ports.push((socket.address() as AddressInfo).port);
  }
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.close(resolve))));
  return ports;
}
