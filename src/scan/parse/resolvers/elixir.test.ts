import { expect, test } from 'vitest';
import { fixtureContext, listed, resolveIn } from '../../link/fixture-context.test-kit.ts';
import { elixirResolver } from './elixir.ts';

const resolve = resolveIn(
  elixirResolver,
  fixtureContext(
    listed(
      ...[
        'lib/my_app.ex',
        'lib/mix/tasks/go.ex',
        'lib/my_app/accounts/user.ex',
        'lib/my_app_web/controllers/user_controller.ex',
      ],
      ...[
        'test/support/data_case.ex',
        'lib/my_app/http_client.ex',
        'apps/shop/lib/shop/cart.ex',
        'lib/other/x.ex',
      ],
    ),
    { 'My.Declared': ['odd.go', 'lib/odd/file.ex'] },
  ),
);

test.each([
  ['My.Declared', ['lib/odd/file.ex']],
  ['MyApp', ['lib/my_app.ex']],
  ['MyApp.Accounts.User', ['lib/my_app/accounts/user.ex']],
  ['MyApp.Accounts.User.Token', ['lib/my_app/accounts/user.ex']],
  ['MyApp.HTTPClient', ['lib/my_app/http_client.ex']],
  ['MyAppWeb.UserController', ['lib/my_app_web/controllers/user_controller.ex']],
  ['Shop.Cart', ['apps/shop/lib/shop/cart.ex']],
  ['Other.Gone', 'unresolved'],
  ['Mix.Tasks.Go', ['lib/mix/tasks/go.ex']],
  ['Mix.Task', 'external'],
  ['MyApp.Gone.Deep', 'unresolved'],
  ['Ecto.Schema', 'external'],
  ['Enum', 'external'],
])('%s', (specifier, expected) => {
  expect(resolve('lib/my_app/x.ex', specifier)).toEqual(expected);
});
