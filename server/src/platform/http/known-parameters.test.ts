import { calls } from '@pergamin/contract';
import { describe, expect, test } from 'vitest';
import { PortalError } from './errors.ts';
import { createParameterGuard } from './known-parameters.ts';

const problemOf = (ask: () => void): unknown => {
  try {
    ask();
  } catch (error) {
    return error instanceof PortalError ? [error.code, error.fields] : error;
  }
  return undefined;
};

describe('a parameter that a call does not have', () => {
  const loose = ['downloadPublicDocument', 'getHealth', 'getReadiness', 'returnFromService'];

  test.each(Object.values(calls).map((call) => [call.name, call] as const))('is refused by %s', (name, call) => {
    const problem = problemOf(() => createParameterGuard(call)({ form: '2026-11-01' }));
    if (loose.includes(name)) expect(problem).toBeUndefined();
    else expect(problem).toEqual(['VALIDATION_ERROR', { form: expect.stringContaining('unknown') as unknown }]);
  });

  test('is named by what it may have been, and not quoted when it is no name', () => {
    const guard = createParameterGuard(calls.exportDeliveries);
    expect(guard({ from: '2026-11-01', format: 'csv' })).toBeUndefined();
    expect(problemOf(() => guard({ '<script>': '' }))).toEqual([
      'VALIDATION_ERROR',
      { query: expect.stringContaining('this call has') as unknown },
    ]);
  });
});
