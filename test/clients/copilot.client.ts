import { describeAgent } from './support/agent-suite.ts';

describeAgent({
  name: 'copilot',
  version: '1.0.102',
  cutOff: 'text',
  model: null,
  otherModel: { given: 'gpt-5', asked: 'gpt-5' },
  hasNoUsage: true,
  patienceMs: 14_000,
  promptLines: 8_000,
});
