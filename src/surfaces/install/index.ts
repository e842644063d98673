/**
 * The public part of the set-up: the types of its plans and checks. Its functions are loaded when a command
 * needs them.
 */

export type { Check } from './check-set-up.ts';
export type { PlannedFile, SetUpRequest } from './plan-set-up.ts';
export type { AllPlans, ClientResult, FoundClient, SharedRequest } from './set-up-all.ts';
export type { Uninstalled, UninstallPlan } from './uninstall.ts';
