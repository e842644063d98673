export type { Check } from './check-set-up.ts';
export type { PlannedFile, SetUpRequest } from './plan-set-up.ts';
