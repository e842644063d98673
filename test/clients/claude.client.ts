import { describeAgent } from './support/agent-suite.ts';

describeAgent({
  name: 'claude',
  version: '2.1.325',
  cutOff: 'failure',
  model: null,
  otherModel: { given: 'claude-other-model[1m]', asked: 'claude-other-model' },
});
