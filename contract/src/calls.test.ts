import { describe, expect, test } from 'vitest';
import { safeParse, ZodMiniObject, type ZodMiniType } from 'zod/mini';
import { areaPrefixes, type Call, publisherScopes } from './call.ts';
import { calls } from './calls.ts';

const all: readonly (readonly [string, Call])[] = Object.entries(calls);

test('every name, and every method with its path, names one call', () => {
  expect(all.filter(([name, call]) => name !== call.name)).toEqual([]);
  const addresses = all.map(([, { method, path }]) => `${method} ${path.replaceAll(/:\w+/g, ':')}`);
  expect(new Set(addresses).size).toBe(all.length);
});

describe.each(all)('%s', (_, call) => {
  test('has a path of its area and of no other', () => {
    const areas = Object.entries(areaPrefixes).flatMap(([area, prefix]) => (call.path.startsWith(prefix) ? [area] : []));
    expect(areas).toEqual(call.area === 'system' ? [] : [call.area]);
    expect(call.path).toMatch(/^(\/(:?[\w.-]+))+$/);
  });

  test('describes every parameter of its path', () => {
    expect(call.params !== undefined).toBe(call.path.includes(':'));
  });

  test('says what it does in one line', () => {
    expect(call.summary).toMatch(/^[A-Z][^\n]+[^.\n]$/);
  });

  test('takes no body when it only asks', () => {
    const bodies = [call.body, call.form].filter((body) => body !== undefined);
    expect(bodies.length).toBeLessThanOrEqual(call.method === 'GET' ? 0 : 1);
  });

  test('speaks of the statute and of the session only where there is one', () => {
    expect(call.area === 'protected' || !(call.needsStatute || call.keepsSessionAlive)).toBe(true);
  });

  test('knows people by a session that they need not have only where anybody may ask', () => {
    expect(call.session === undefined || call.area === 'open').toBe(true);
  });

  test('needs a scope exactly when a publisher calls it', () => {
    expect(call.scope === undefined ? [] : [call.scope]).toEqual(call.area === 'publisher' ? [expect.toBeOneOf([...publisherScopes])] : []);
  });
});

test('what a client does behind the statute is every call about documents, and the statute itself is not', () => {
  const behind = all.filter(([, call]) => call.area === 'protected' && call.path.startsWith('/api/protected/documents/'));
  const before = behind.filter(([, call]) => !call.needsStatute).map(([name]) => name);
  expect(before.toSorted()).toEqual(['acceptStatute', 'getStatuteInForce', 'listIgnoreMarkers', 'markStatutePage']);
});

test('polling and images do not keep a session alive', () => {
  const silent = all.filter(([, call]) => call.area === 'protected' && !call.keepsSessionAlive).map(([name]) => name);
  expect(silent).toEqual(expect.arrayContaining(['getRenderResult', 'getPageImage']));
});

/** The fields of queries and paths that read this text as a number. */
const numbersOf = (text: string): readonly string[] =>
  all.flatMap(([name, { query, params }]) =>
    [query, params].flatMap((schema) => {
      const fields = schema instanceof ZodMiniObject ? (schema.shape as Readonly<Record<string, ZodMiniType>>) : {};
      return Object.entries(fields).flatMap(([field, value]) =>
        typeof safeParse(value, text).data === 'number' ? [`${name} ${field}`] : [],
      );
    }),
  );

test('a number in an address is written in one way, without leading zeros and signs', () => {
  expect(numbersOf('1')).toEqual(expect.arrayContaining(['getConsistency from', 'listBatches limit', 'listConfigurationChanges before']));
  for (const text of ['01', '00', '000', '0001', '+1', '-0', '1.0', '1e0', ' 1', '١']) expect([text, numbersOf(text)]).toEqual([text, []]);
});
