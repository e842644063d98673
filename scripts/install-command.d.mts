import type { Manifest } from './check-release.mjs';

export const PAGES: readonly string[];
export function withInstallText(page: string, manifest: Manifest): string;
export function unpublishedCommands(page: string, manifest: Manifest): string[];
