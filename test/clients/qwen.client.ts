import { describeAgent } from './support/agent-suite.ts';

describeAgent({
  name: 'qwen',
  version: '0.24.4',
  cutOff: 'asks-for-more',
  model: null,
  otherModel: { given: 'other-model', asked: 'other-model' },
  patienceMs: 14_000,
  flags: ['--auth-type', 'openai'],
});
