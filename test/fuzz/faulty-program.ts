// Classes with a fault each, to see that the runner notices it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LoadoutError } from '../../src/model/loadout-error.ts';
import { serveClasses } from './child.ts';
import type { FuzzWorld } from './environment.ts';
import type { FuzzClass } from './fuzz-class.ts';

function faulty(fault: (environment: FuzzWorld) => string | Promise<string>): FuzzClass {
  return {
    setUp: async (environment) => environment,
    generate: (random) => Buffer.from(`input ${random.below(10)}`),
    run: (environment, input) => (input.toString() === 'input 0' ? fault(environment as FuzzWorld) : input),
  };
}

const read = (path: string) => (environment: FuzzWorld) =>
  readFileSync(join(environment.repository, path), 'utf8');

serveClasses({
  fine: faulty(() => {
    throw new LoadoutError('refused', 'this is documented');
  }),
  crash: faulty(() => {
    throw new TypeError('not a function');
  }),
  rejection: faulty(() => {
    void Promise.reject(new Error('nobody waits'));
    return '';
  }),
  circle: faulty(() => {
    for (;;);
  }),
  'never-settles': faulty(() => new Promise<string>((resolve) => void setInterval(() => resolve, 1_000))),
  exit: faulty(() => process.exit(0)),
  'leak-upwards': faulty(read('../canary.ts')),
  'leak-by-link': faulty(read('canary-link.ts')),
  'leak-by-folder': faulty(read('linked/canary.ts')),
  'no-set-up': {
    ...faulty(() => ''),
    setUp: async () => {
      throw new Error('no room left');
    },
  },
  'leak-in-error': faulty((environment) => {
    throw new LoadoutError('refused', read('../canary')(environment));
  }),
});
