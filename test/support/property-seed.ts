import fc from 'fast-check';

/**
 * Property tests draw the same cases on every run, so that a failure comes from a change in the code and can be repeated.
 * `LOADOUT_TEST_SEED=random` (or a number) draws others: that is how new counterexamples are looked for.
 */
const DEFAULT_SEED = 20_260_711;

const asked = process.env.LOADOUT_TEST_SEED;
const seed = asked === 'random' ? Date.now() % 2 ** 31 : asked ? Number(asked) : DEFAULT_SEED;
if (!Number.isSafeInteger(seed))
  throw new Error(`LOADOUT_TEST_SEED is "${asked}": a whole number or "random"`);
fc.configureGlobal({ seed });
