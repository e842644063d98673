import { describeAgent } from './support/agent-suite.ts';

describeAgent({
  name: 'qwen',
  version: '0.24.4',
  cutOff: 'asks-for-more',
  model: null,
  patienceMs: 14_000,
  isBrief: true,
  flags: ['--auth-type', 'openai'],
});
