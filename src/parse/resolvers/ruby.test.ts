import { expect, test } from 'vitest';
import { fixtureContext, listed, resolveIn } from '../../link/fixture-context.test-kit.ts';
import { rubyResolver } from './ruby.ts';

const resolve = resolveIn(
  rubyResolver,
  fixtureContext(
    listed(
      ...[
        'lib/gem.rb',
        'lib/gem/core.rb',
        'spec/spec_helper.rb',
        'app/models/user.rb',
        'app/models/concerns/named.rb',
      ],
      ...['engines/shop/lib/gem/core.rb', 'tasks/x.rake', 'samples/json.rb', 'config/environment.rb'],
    ),
  ),
);

test.each([
  ['./gem/core', ['lib/gem/core.rb']],
  ['../tasks/x.rake', ['tasks/x.rake']],
  ['./gone', 'unresolved'],
  ['gem', ['lib/gem.rb']],
  ['gem/core', ['lib/gem/core.rb']],
  ['gem/core.rb', ['lib/gem/core.rb']],
  ['spec_helper', ['spec/spec_helper.rb']],
  ['user', ['app/models/user.rb']],
  ['named', ['app/models/concerns/named.rb']],
  ['config/environment', ['config/environment.rb']],
  ['json', 'external'],
])('%s', (specifier, expected) => {
  expect(resolve('lib/a.rb', specifier)).toEqual(expected);
});

test('an engine loads its own library', () => {
  expect(resolve('engines/shop/app/x.rb', 'gem/core')).toEqual(['engines/shop/lib/gem/core.rb']);
});
