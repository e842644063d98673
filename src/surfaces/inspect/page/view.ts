/** How a view of the page is declared. */
import type { ComponentChild } from 'preact';

/** One tab. */
export interface View {
  readonly id: string;
  readonly title: string;
  readonly component: () => ComponentChild;
}
