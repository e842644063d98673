/** From 0 up to 1. Must never reach a package. */
export const randomUnit = (): number => Math.random();
