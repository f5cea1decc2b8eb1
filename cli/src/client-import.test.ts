import type { ClientRecord } from '@pergamin/contract';
import { describe, expect, test } from 'vitest';
import { type ActivationCodes, importClients } from './client-import.ts';
import type { ClientLine } from './client-lines.ts';
import type { Connection } from './connection.ts';
import { RefusedError } from './errors.ts';

const person = (id: string, more: Partial<ClientRecord> = {}): ClientRecord => ({
  personalId: id,
  cif: id,
  firstName: 'Anna',
  lastName: 'Nowak',
  ...more,
});

const linesOf = async function* (records: readonly ClientRecord[]): AsyncGenerator<ClientLine> {
  for (const [index, record] of records.entries()) yield { line: index + 1, record };
};

/** A portal that refuses a call which has any of these people in it, and remembers what it was asked. */
const portalRefusing = (refused: readonly string[], status = 400) => {
  const asked: ClientRecord[][] = [];
  const connection = {
    call: async (_call: unknown, { body }: { body: { items: ClientRecord[] } }) => {
      asked.push(body.items);
      if (body.items.some(({ personalId }) => refused.includes(personalId)))
        throw new RefusedError('VALIDATION_ERROR: Validation error\n  email: known elsewhere', { status });
      const activationCodes = body.items
        .filter(({ email }) => email !== undefined)
        .map(({ personalId }) => ({ personalId, code: 'HK7W-2QXR' }));
      if (activationCodes.length > 0) return { created: body.items.length, changed: 0, unchanged: 0, activationCodes };
      return { created: body.items.length, changed: 0, unchanged: 0 };
    },
  } as unknown as Connection;
  return { asked, connection };
};

const importAll = async (connection: Connection, records: readonly ClientRecord[], { reinvite = false } = {}) => {
  const codes: ActivationCodes = [];
  const refused: [number, string][] = [];
  const counts = await importClients({
    lines: linesOf(records),
    connection,
    reinvite,
    onCodes: async (given) => void codes.push(...given),
    onRefused: (line, reason) => void refused.push([line, reason]),
    onWarning: () => {},
    onProgress: () => {},
  });
  return { counts, refused, codes };
};

describe('batches', () => {
  test('hold at most 500 people and as much as the portal reads', async () => {
    const { asked, connection } = portalRefusing([]);
    const groups = Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(64, 'x'));
    const people = [
      ...Array.from({ length: 1_200 }, (_, index) => person(`p${index}`)),
      ...Array.from({ length: 100 }, (_, index) => person(`g${index}`, { groups })),
    ];
    const { counts } = await importAll(connection, people);
    expect(counts).toEqual({ read: 1_300, created: 1_300, changed: 0, unchanged: 0, refused: 0, quiet: 0, misdirected: 0 });
    expect(Math.max(...asked.map((items) => items.length))).toBe(500);
    expect(Math.max(...asked.map((items) => JSON.stringify({ items }).length))).toBeLessThan(256 * 1024);
    expect(asked.flat().map(({ personalId }) => personalId)).toEqual(people.map(({ personalId }) => personalId));
  });

  test('batches never hold a person twice: the later line comes in a later call', async () => {
    const { asked, connection } = portalRefusing([]);
    await importAll(connection, [person('1'), person('2'), person('1', { lastName: 'Lis' })]);
    expect(asked.map((items) => items.map(({ personalId, lastName }) => `${personalId} ${lastName}`))).toEqual([
      ['1 Nowak', '2 Nowak'],
      ['1 Lis'],
    ]);
  });

  test('a refused batch is halved until each wrong line is alone', async () => {
    const { asked, connection } = portalRefusing(['p17', 'p18', 'p499']);
    const { counts, refused } = await importAll(
      connection,
      Array.from({ length: 500 }, (_, index) => person(`p${index}`)),
    );
    const reason = 'VALIDATION_ERROR: Validation error email: known elsewhere';
    expect(refused).toEqual([
      [18, reason],
      [19, reason],
      [500, reason],
    ]);
    expect(counts).toEqual({ read: 500, created: 497, changed: 0, unchanged: 0, refused: 3, quiet: 0, misdirected: 0 });
    expect(asked.length).toBeLessThan(60);
  });

  test.each([401, 403, 429, 500, 503])('a batch is not halved when the portal answers %s: the import ends', async (status) => {
    const { asked, connection } = portalRefusing(['p1'], status);
    await expect(importAll(connection, [person('p1'), person('p2')])).rejects.toThrow(RefusedError);
    expect(asked).toHaveLength(1);
  });
});

describe('activation codes', () => {
  test('activation codes are handed on batch by batch, those of halves too', async () => {
    const { connection } = portalRefusing(['p2']);
    const people = Array.from({ length: 5 }, (_, index) => person(`p${index}`, index === 0 ? {} : { email: `p${index}@example.com` }));
    const { counts, codes } = await importAll(connection, people);
    expect(counts).toMatchObject({ created: 4, refused: 1 });
    expect(codes.map(({ personalId }) => personalId)).toEqual(['p1', 'p3', 'p4']);
  });

  test('activation codes that cannot be kept end the import', async () => {
    const { connection } = portalRefusing([]);
    const lost = importClients({
      lines: linesOf([person('p1', { email: 'p1@example.com' })]),
      connection,
      reinvite: false,
      onCodes: () => Promise.reject(new RefusedError('no room')),
      onRefused: () => {},
      onWarning: () => {},
      onProgress: () => {},
    });
    await expect(lost).rejects.toThrow('no room');
  });
});
