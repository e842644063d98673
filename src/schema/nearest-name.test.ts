import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance, nearestName } from './value-issues.ts';

describe('nearestName', () => {
  it('finds the name that was meant', () => {
    const names = ['scan', 'settings', 'map', 'doctor'];
    expect(nearestName('sacn', names)).toBe('scan');
    expect(nearestName('Setings', names)).toBe('settings');
    expect(nearestName('quux', names)).toBeNull();
    expect(nearestName('x'.repeat(100_000), names)).toBeNull();
  });

  it('measures a distance: zero only for the same, symmetric, never above the longer text', () => {
    const word = fc.string({ maxLength: 12, unit: fc.constantFrom('a', 'b', 'c') });
    fc.assert(
      fc.property(word, word, (left, right) => {
        const distance = editDistance(left, right);
        expect(distance === 0).toBe(left === right);
        expect(distance).toBe(editDistance(right, left));
        expect(distance).toBeLessThanOrEqual(Math.max(left.length, right.length));
        expect(distance).toBeGreaterThanOrEqual(Math.abs(left.length - right.length));
      }),
    );
  });
});
