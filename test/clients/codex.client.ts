import { describeAgent } from './support/agent-suite.ts';

describeAgent({
  name: 'codex',
  version: '0.166.0',
  cutOff: 'failure',
  model: null,
  otherModel: { given: 'other-model', asked: 'other-model' },
});
