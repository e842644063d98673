import { describe, expect, it } from 'vitest';
import { analyzeTask } from '../analyze/analyze-task.ts';
import { decideGate, type GateInput, type GateLevel, readTalk } from './gate.ts';
import type { BriefPlace } from './places.ts';

const PLACE: BriefPlace = {
  path: 'src/token.ts',
  name: 'refreshToken',
  startLine: 4,
  endLine: 9,
  likelihood: 0.4,
  isMentioned: false,
  why: '“token”',
};

function decide(prompt: string, more: Partial<GateInput> = {}, level: GateLevel = 'normal') {
  const input = {
    analysis: analyzeTask(prompt),
    places: [PLACE],
    knownWeight: 40,
    hasFile: (path: string) => path === PLACE.path,
  };
  return decideGate({ ...input, ...more }, level);
}

describe('the gate', () => {
  it('lets a task about the code through', () => {
    const { verdict, confidence } = decide(
      'Refresh tokens expire too early when the clock of the client is wrong',
    );
    expect(verdict).toBe('full');
    expect(confidence).toBeGreaterThan(0.8);
  });

  it.each(['thanks, that works', 'continue', 'what did you change?', 'commit and push', 'gracias, perfecto'])(
    'is silent for talk: %s',
    (prompt) => {
      expect(decide(prompt, { knownWeight: 4 }).verdict).toBe('silent');
    },
  );

  it('is silent when a short prompt names the lines itself', () => {
    expect(decide('rename the variable in src/token.ts:5')).toMatchObject({
      verdict: 'silent',
      reason: 'the prompt already names the lines',
    });
    expect(decide('rename the variable in src/gone.ts:5').verdict).not.toBe('silent');
  });

  it('is less sure the less the repository knows of the task, and the less likely its places are', () => {
    const prompt = 'Refresh tokens expire too early on some machines';
    const sure = decide(prompt).confidence;
    expect(decide(prompt, { knownWeight: 2 }).confidence).toBeLessThan(sure);
    expect(decide(prompt, { places: [{ ...PLACE, likelihood: 0.01 }] }).confidence).toBeLessThan(sure);
  });

  it('is stricter when asked, and when it is off stops only a brief without places', () => {
    const order = ['full', 'short', 'silent'];
    for (const knownWeight of [1, 3, 6, 12, 25]) {
      const [off, normal, strict] = (['off', 'normal', 'strict'] as const).map((level) =>
        order.indexOf(decide('tokens expire early', { knownWeight }, level).verdict),
      );
      expect(off).toBe(0);
      expect(strict).toBeGreaterThanOrEqual(normal!);
    }
    expect(decide('tokens expire early', { places: [] }, 'off')).toMatchObject({
      verdict: 'silent',
      confidence: 0,
    });
  });
});

describe('the wording of a prompt', () => {
  it('counts the words that may be about code, and the share of talk among the others', () => {
    expect(readTalk('thanks')).toMatchObject({ content: 0, share: 1 });
    expect(readTalk('thanks, now the login form is broken').content).toBe(3);
    expect(readTalk('')).toMatchObject({ content: 0, share: 1 });
    expect(readTalk('why did you do that?').isPersonal).toBe(true);
    expect(readTalk('what is a monad?').isGeneral).toBe(true);
    expect(readTalk('the parser drops comments').isGeneral).toBe(false);
  });
});
