import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { rosette } from './rosette.ts';

const hashes = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(''));
const details = fc.constantFrom(1 as const, 2 as const, 3 as const);

test('every checksum has a drawing that stays inside its box', () => {
  fc.assert(
    fc.property(hashes, details, (sha256, detail) => {
      const paths = rosette(sha256, detail);
      expect(paths).toHaveLength(detail === 1 ? 2 : 3);
      const numbers = paths.flatMap(({ points }) => points.split(' ').map(Number));
      expect(Math.min(...numbers)).toBeGreaterThanOrEqual(-40);
      expect(Math.max(...numbers)).toBeLessThanOrEqual(1_040);
    }),
    { numRuns: 60 },
  );
});

test('the same bytes give the same figure', () => {
  const sha256 = '5f'.repeat(32);
  expect(rosette(sha256, 2)).toEqual(rosette(sha256, 2));
  expect(rosette(sha256, 2)).not.toEqual(rosette(`4${sha256.slice(1)}`, 2));
});
