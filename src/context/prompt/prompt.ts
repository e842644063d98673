import type { ItemForm } from '../../model/context-pack.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';

/** A file as a part shows it. */
export interface PromptFile {
  readonly path: string;
  /** Null when only a line says why it is not shown. */
  readonly form: ItemForm | null;
  /** That line, unless the file is shown in another part. */
  readonly why?: string;
}

/** What became of one part of the prompt. */
export interface PromptPart {
  /** `target_file`, `git_diff`, `test_output`. */
  readonly key: string;
  readonly state: 'protected' | 'in' | 'pruned';
  /** What it costs, or would have cost; of files that are not in, nothing. */
  readonly tokens: number;
  readonly files: readonly PromptFile[];
}

/** A pattern of the role and how many files it stands for here. */
export interface PatternUse {
  readonly pattern: string;
  readonly field: 'include' | 'always_include' | 'exclude' | 'path_restrictions';
  readonly files: number;
}

/** A text for an agent, and how it came about. */
export interface Prompt {
  readonly text: string;
  /** Of what was packed: the same for the same files and sections, whatever task or template stands around them. */
  readonly packageId: string;
  /** Of the whole text. */
  readonly tokenCount: number;
  readonly tokenBudget: number;
  readonly role: string;
  /** Null when no template had a part in it. */
  readonly template: string | null;
  /** In the order of the text. */
  readonly parts: readonly PromptPart[];
  readonly patterns: readonly PatternUse[];
  readonly diagnostics: readonly Diagnostic[];
}
