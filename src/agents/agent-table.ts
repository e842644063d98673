import type { AgentAdapter, AgentName } from './agent-adapter.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';
import { qwen } from './qwen.ts';

/** Everything that differs between the CLIs is in these entries. */
export const AGENTS: Readonly<Record<AgentName, AgentAdapter>> = {
  claude,
  codex,
  gemini,
  opencode,
  copilot,
  qwen,
};
