import { expect, it } from 'vitest';
import { loadOptionalPackage } from '../../platform/cache/load-script.ts';
import { createOnnxEmbedder, type TransformersModule } from './embedder.ts';

it('says that the package is missing', async () => {
  const load = async () =>
    (await loadOptionalPackage('@huggingface/no-such-package')) as TransformersModule | null;
  expect(await createOnnxEmbedder('/models/a', load).embed(['a'])).toEqual({
    kind: 'failed',
    reason: 'the package @huggingface/transformers is not installed',
  });
});

function packageWith(answer: unknown): TransformersModule & { opened: string[] } {
  const opened: string[] = [];
  return {
    opened,
    env: { allowRemoteModels: true, allowLocalModels: false },
    pipeline: async (_, model) => {
      opened.push(model);
      if (answer instanceof Error) throw answer;
      return async () => ({ tolist: () => answer });
    },
  };
}

it('opens the model once, and never from the network', async () => {
  const transformers = packageWith([[0.6, 0.8]]);
  const embedder = createOnnxEmbedder('/models/a', async () => transformers);
  for (let times = 0; times < 2; times++)
    expect(await embedder.embed(['a'])).toEqual({
      kind: 'vectors',
      vectors: [Float32Array.from([0.6, 0.8])],
    });
  expect(transformers.opened).toEqual(['/models/a']);
  expect(transformers.env).toEqual({ allowRemoteModels: false, allowLocalModels: true });
});

it.each([
  ['a model that cannot be read', new Error('no such file'), 'no such file'],
  ['an answer that is not a list', null, 'the model gave no vectors'],
  ['too few vectors', [], 'the model gave no vectors'],
])('%s is a reason, not a crash', async (_, answer, reason) => {
  const embedder = createOnnxEmbedder('/models/a', async () => packageWith(answer));
  expect(await embedder.embed(['a'])).toEqual({ kind: 'failed', reason });
});
