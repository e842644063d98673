/** The size of tests with a long form: `LOADOUT_TEST_SCALE` is a factor, or `full` for every promised figure. */
const given = process.env.LOADOUT_TEST_SCALE ?? '1';

export const IS_FULL = given === 'full';

/** How much larger than the short form the universal tests run. */
export const SCALE = IS_FULL ? 20 : Math.max(1, Number(given) || 1);
