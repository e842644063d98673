import { describeAgent } from './support/agent-suite.ts';

describeAgent({
  name: 'gemini',
  version: '0.61.0',
  cutOff: 'text',
  model: 'gemini-stub',
  otherModel: { given: 'gemini-other', asked: 'gemini-other' },
});
