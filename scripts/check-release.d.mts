export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly release: { readonly published: boolean };
  readonly publishConfig?: { readonly access?: string; readonly provenance?: boolean };
}
export interface RegistryDocument {
  readonly repository?: string | { readonly url?: string };
  readonly versions?: readonly string[];
}
export function changelogSection(changelog: string, version: string): string | null;
export function releaseProblems(release: {
  tag: string;
  repository: string;
  manifest: Manifest;
  changelog: string;
  known: RegistryDocument | null;
}): string[];
export function withRepository(
  manifest: Manifest,
  repository: string,
): Manifest & { repository: { url: string } };
