import { describe, expect, it } from 'vitest';
import { LoadoutError } from '../../model/loadout-error.ts';
import { loadModelCounter, parseBudget, resolveModel } from './models.ts';

const refusal = (act: () => unknown): LoadoutError => {
  try {
    act();
  } catch (error) {
    if (error instanceof LoadoutError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
};

describe('parseBudget', () => {
  it.each([
    ['30k', undefined, 30_000],
    ['100000', undefined, 100_000],
    ['1', undefined, 1],
    [' 1.5k ', undefined, 1_500],
    ['50%', 'claude-sonnet-4-5', 100_000],
    ['12.5 %', 'gpt-5', 50_000],
    ['100%', 'gpt-4', 8_192],
    ['200k', 'claude-sonnet-4-5', 200_000],
  ])('reads %j with the model %s', (text, model, tokens) => {
    expect(parseBudget(text, model === undefined ? undefined : resolveModel(model))).toBe(tokens);
  });

  it.each([
    ['0', undefined, 'room for nothing'],
    ['-5', undefined, 'is not a number of tokens'],
    ['abc', undefined, 'is not a number of tokens'],
    ['', undefined, 'is not a number of tokens'],
    ['1e9', undefined, 'is not a number of tokens'],
    ['1.5', undefined, 'is not a number of tokens'],
    ['50%', undefined, 'needs --model'],
    ['0%', 'gpt-5', 'room for nothing'],
    ['101%', 'gpt-5', 'whole window of gpt-5'],
    ['200001', 'claude-sonnet-4-5', 'its window is 200000 tokens'],
  ])('refuses %j with the model %s', (text, model, why) => {
    const error = refusal(() => parseBudget(text, model === undefined ? undefined : resolveModel(model)));
    expect(error).toMatchObject({ code: 'bad-budget', subject: '--budget' });
    expect(error.message).toContain(why);
    expect(error.message).toContain(JSON.stringify(text));
    expect(error.hint).toBeTruthy();
  });
});

describe('resolveModel', () => {
  it.each([
    ['gpt-4o-mini', 128_000, 'o200k_base', true],
    ['gpt-4-turbo', 128_000, 'cl100k_base', true],
    ['gpt-4', 8_192, 'cl100k_base', true],
    ['gpt-4.1-nano', 1_047_576, 'o200k_base', true],
    ['gpt-5-codex', 400_000, 'o200k_base', true],
    ['gpt-5.5-pro', 1_050_000, 'o200k_base', true],
    ['gpt-5.4-mini', 400_000, 'o200k_base', true],
    ['openai/o3-mini', 200_000, 'o200k_base', true],
    ['claude-3-5-sonnet-20241022', 200_000, 'o200k_base', false],
    ['us.anthropic.claude-opus-4-8', 1_000_000, 'o200k_base', false],
    ['sonnet', 200_000, 'o200k_base', false],
    ['sonnet[1m]', 1_000_000, 'o200k_base', false],
    ['google/gemini-2.5-pro', 1_048_576, 'o200k_base', false],
  ])('knows %s', (name, window, encoding, exact) => {
    expect(resolveModel(name)).toMatchObject({ name, window, encoding, exact });
  });

  it('names the known values when given another one', () => {
    const error = refusal(() => resolveModel('gemni'));
    expect(error).toMatchObject({ code: 'unknown-model', subject: '--model' });
    expect(error.message).toContain('"gemni"');
    expect(error.hint).toContain('gpt-4o');
  });
});

describe('loadModelCounter', () => {
  it('counts exactly, or too high rather than too low', async () => {
    const text = 'const answer = 42;\n';
    const exact = (await loadModelCounter(resolveModel('gpt-4o')))(text);
    expect(exact).toBe(6);
    expect((await loadModelCounter(resolveModel('claude-sonnet-4-5')))(text)).toBe(Math.ceil(exact * 1.4));
    expect((await loadModelCounter(resolveModel('gemini-2.5-pro')))('')).toBe(0);
  });
});
