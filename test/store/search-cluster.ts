import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findJava, type Java } from './find-java.ts';

/** A node needs ten seconds, and minutes on a machine that has much else to do. */
const START_MS = 480_000;

/** The Java to run a cluster with, or the reason why there is none. */
export function clusterJava(): Java | string {
  const java = findJava();
  if (java === null) return 'Java 17 or newer; none was found in JAVA_HOME and /usr/lib/jvm';
  return spawnSync('mvn', ['-v'], { stdio: 'ignore' }).status === 0 ? java : 'Maven; mvn is not there';
}

/** Maven keeps what it has fetched: the first time takes minutes, later ones seconds. */
function classPath({ home, runner }: Java, project: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-store-'));
  const file = join(folder, 'class-path');
  const goals = ['dependency:build-classpath', `-Dmdep.outputFile=${file}`, `-Drunner.version=${runner}`];
  const fetchAll = () =>
    spawnSync('mvn', ['-q', '-B', '-f', join(project, 'pom.xml'), ...goals], {
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

export interface ClusterOptions {
  readonly java: Java;
  /** The folder with `pom.xml` and `StoreNode.java`. */
  readonly project: string;
  readonly nodes: number;
  /** Of each node, such as `384m`. */
  readonly heap: string;
  /** Compiles to the end: slower to start, faster after a minute. */
  readonly fullCompiler?: boolean;
}

/** Nodes in processes of their own on this machine; they end with the process that started them. */
export class SearchCluster {
  readonly #options: ClusterOptions;
  readonly #classPath: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'loadout-cluster-'));
  readonly #nodes: (ChildProcess | null)[] = [];
  #httpPorts: readonly number[] = [];
  #transportPorts: readonly number[] = [];
  #server: Server | null = null;

  constructor(options: ClusterOptions) {
    this.#options = options;
    this.#classPath = classPath(options.java, options.project);
  }

  get urls(): readonly string[] {
    return this.#httpPorts.map((port) => `http://127.0.0.1:${port}`);
  }

  get control(): string {
    return `http://127.0.0.1:${(this.#server!.address() as AddressInfo).port}`;
  }

  async start(): Promise<void> {
    const { nodes } = this.#options;
    const ports = await freePorts(2 * nodes);
    this.#httpPorts = ports.slice(0, nodes);
    this.#transportPorts = ports.slice(nodes);
    for (let number = 1; number <= nodes; number++) this.#spawn(number);
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
    const { java, project, heap, fullCompiler } = this.#options;
    const program = join(java.home, 'bin/java');
    const compiler = fullCompiler ? [] : ['-XX:TieredStopAtLevel=1'];
    const options = [`-Xmx${heap}`, '-XX:+UseSerialGC', ...compiler, '-cp', this.#classPath];
    const place = join(this.#folder, `node-${number}`);
    const ports = [String(this.#httpPorts[number - 1]), this.#transportPorts.join(',')];
    const source = join(project, 'StoreNode.java');
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
    const { nodes } = this.#options;
    const until = performance.now() + START_MS;
    while (performance.now() < until) {
      await sleep(500);
      const dead = this.#nodes.findIndex((node) => node && node.exitCode !== null);
      if (dead > 0) throw new Error(`node ${dead} ended:\n${this.#log(dead)}`);
      const path = `/_cluster/health?wait_for_nodes=${nodes}&timeout=1s`;
      const response = await fetch(this.urls[0]! + path).catch(() => null);
      const health = response?.ok ? ((await response.json()) as { number_of_nodes: number }) : null;
      if (health?.number_of_nodes === nodes) return;
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
