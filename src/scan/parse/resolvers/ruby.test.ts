import { describe, expect, test } from 'vitest';
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

describe('constants of a Rails application', () => {
  const APP = [
    ...['app/models/account.rb', 'app/models/admin/account.rb', 'app/models/concerns/account/avatar.rb'],
    ...['app/models/application_record.rb', 'app/controllers/admin/accounts_controller.rb'],
    ...['app/controllers/admin/base_controller.rb', 'app/controllers/concerns/rate_limit.rb'],
    ...['app/lib/activitypub/parser/url_reader.rb', 'app/lib/html_to_text.rb', 'app/views/account.rb'],
    ...['lib/mastodon/version.rb', 'extras/o_auth.rb', 'app/models/lib/shelf.rb'],
    ...['engines/shop/app/models/cart.rb', 'engines/shop/app/models/account.rb', 'vendor/gem/lib/account.rb'],
    ...['spec/models/account_spec.rb', 'spec/lib/thing.rb', 'config/routes.rb'],
  ];
  const application = {
    ...listed(...APP),
    'config/application.rb': "config.autoload_paths << Rails.root.join('extras')\n",
  };
  const resolveAll = (from: string, ...names: string[]) =>
    resolveIn(rubyResolver, fixtureContext(application))(from, '', names, 'autoload');

  test.each([
    ['app/models/status.rb', 'Account', ['app/models/account.rb']],
    ['app/models/status.rb', '::Account', ['app/models/account.rb']],
    ['app/models/status.rb', 'Account::LIMIT', ['app/models/account.rb']],
    ['app/models/status.rb', 'Account::Avatar', ['app/models/concerns/account/avatar.rb']],
    ['app/models/account.rb', 'Avatar', ['app/models/concerns/account/avatar.rb']],
    ['config/routes.rb', 'Admin::AccountsController', ['app/controllers/admin/accounts_controller.rb']],
    [
      'app/controllers/admin/accounts_controller.rb',
      'BaseController',
      ['app/controllers/admin/base_controller.rb'],
    ],
    ['app/controllers/admin/accounts_controller.rb', 'Account', ['app/models/admin/account.rb']],
    ['app/controllers/admin/accounts_controller.rb', '::Account', ['app/models/account.rb']],
    ['app/controllers/x_controller.rb', 'RateLimit', ['app/controllers/concerns/rate_limit.rb']],
    // an application may count words as one
    ['app/workers/w.rb', 'ActivityPub::Parser::URLReader', ['app/lib/activitypub/parser/url_reader.rb']],
    ['app/workers/w.rb', 'HTMLToText', ['app/lib/html_to_text.rb']],
    ['app/workers/w.rb', 'Mastodon::Version', ['lib/mastodon/version.rb']],
    ['app/workers/w.rb', 'Lib::Shelf', ['app/models/lib/shelf.rb']],
    ['app/workers/w.rb', 'OAuth', ['extras/o_auth.rb']],
    ['spec/models/account_spec.rb', 'Account', ['app/models/account.rb']],
    ['spec/controllers/admin/base_spec.rb', 'Account', ['app/models/admin/account.rb']],
    ['engines/shop/app/models/order.rb', 'Account', ['engines/shop/app/models/account.rb']],
    ['app/models/status.rb', 'Cart', ['engines/shop/app/models/cart.rb']],
    // no edge to itself, to gems, to what is no class
    ['app/models/account.rb', 'Account', 'external'],
    ['app/models/status.rb', 'Stripe::Charge', 'external'],
    ['app/models/status.rb', 'Thing', 'external'],
  ])('%s: %s', (from, name, expected) => expect(resolveAll(from, name)).toEqual(expected));

  test('each file once, whatever the constants', () => {
    expect(
      resolveAll('app/models/status.rb', 'Account', 'Account::LIMIT', 'String', 'ApplicationRecord'),
    ).toEqual(['app/models/account.rb', 'app/models/application_record.rb']);
  });

  test('count in Rails applications only', () => {
    const plain = resolveIn(rubyResolver, fixtureContext(listed(...APP)));
    expect(plain('app/models/status.rb', '', ['Account'], 'autoload')).toBe('external');
    const bundled = {
      ...listed(...APP.map((path) => `shop/${path}`), 'tool/t.rb'),
      'shop/Gemfile': "gem 'rails', '~> 8'\n",
    };
    const resolve = resolveIn(rubyResolver, fixtureContext(bundled));
    expect(resolve('shop/app/models/status.rb', '', ['Account'], 'autoload')).toEqual([
      'shop/app/models/account.rb',
    ]);
    expect(resolve('tool/t.rb', '', ['Account'], 'autoload')).toBe('external');
  });
});
