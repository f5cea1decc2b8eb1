import type { Call } from '@pergamin/contract';
import * as z from 'zod/mini';
import { invalidField } from './errors.ts';

/** What a caller may have meant is quoted only when it looks like the name of a parameter. */
const nameLike = /^[\w.-]{1,60}$/;

const namesOf = ({ query }: Call): readonly string[] | 'any' => {
  if (query === undefined) return [];
  if (!(query instanceof z.ZodMiniObject)) throw new Error('the query of a call is an object');
  const { shape, catchall } = query.def;
  return catchall instanceof z.ZodMiniUnknown ? 'any' : Object.keys(shape);
};

/**
 * Throws VALIDATION_ERROR for a parameter that the call does not have: one that is mistyped would leave out a condition, and answer more than was asked
 * for. A loose query takes any.
 */
export const createParameterGuard = (call: Call): ((query: unknown) => void) => {
  const names = namesOf(call);
  return (query) => {
    if (names === 'any' || query === null || typeof query !== 'object') return;
    const unknown = Object.keys(query).find((name) => !names.includes(name));
    if (unknown === undefined) return;
    const known = names.length === 0 ? 'this call has no parameters' : `this call has ${names.join(', ')}`;
    throw invalidField(nameLike.test(unknown) ? unknown : 'query', `unknown; ${known}`);
  };
};
