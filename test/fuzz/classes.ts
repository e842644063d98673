import { answers } from './answers.ts';
import type { ClassName, FuzzClass } from './fuzz-class.ts';
import { gitOutput } from './git-output.ts';
import { hookJson } from './hook-json.ts';
import { ignoreFiles } from './ignore-files.ts';
import { indexBytes } from './index-bytes.ts';
import { mcpCalls } from './mcp-calls.ts';
import { roleYaml } from './role-yaml.ts';
import { selectors } from './selectors.ts';
import { templates } from './templates.ts';

/** By name; a class that is not in the list of names, or a name without a class, does not compile. */
export const FUZZ_CLASSES: Readonly<Record<ClassName, FuzzClass>> = {
  'role-yaml': roleYaml,
  templates,
  'hook-json': hookJson,
  'mcp-calls': mcpCalls,
  selectors,
  'ignore-files': ignoreFiles,
  'index-bytes': indexBytes,
  'git-output': gitOutput,
  answers,
};
