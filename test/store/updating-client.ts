import { openHttpLine } from '../../src/platform/http-client.ts';
import { updateOf } from '../../src/stores/knowledge-store/stored-file.test-kit.ts';
import { openOpenSearchStore } from '../../src/stores/opensearch/opensearch-store.ts';
import { treeOf } from './versioned-tree.ts';

// A process that updates a store, to be killed meanwhile.
const [urls = '', team = '', version = '0'] = process.argv.slice(2);
const store = openOpenSearchStore({
  urls: urls.split(','),
  line: openHttpLine(),
  credentials: {},
  team,
  index: 'loadout-test',
});
const update = updateOf(treeOf(Number(version)));
await store.capabilities();
process.send?.('ready');
await store.update(update);
await store.close();
