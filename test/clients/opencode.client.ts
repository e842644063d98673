import { describeAgent } from './support/agent-suite.ts';

describeAgent({
  name: 'opencode',
  version: '1.18.33',
  cutOff: 'text',
  model: null,
  otherModel: { given: 'stub/other-model', asked: 'other-model' },
  patienceMs: 14_000,
  sessionIds: /^ses_\w{26}$/,
});
