import type { TestPortal } from '@pergamin/server/testing/test-portal';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CliPortal, startCliPortal } from './testing/cli-portal.ts';
import { type Ended, runPergamin } from './testing/run-pergamin.ts';

let started: CliPortal;
let portal: TestPortal;

beforeAll(async () => {
  started = await startCliPortal();
  ({ portal } = started);
  await portal.addClient('10000001', { cif: '700100001', cif2: '700100009' });
  await portal.addClient('10000002', { cif: '700100002', cif2: '700100009' });
});

afterAll(() => started[Symbol.asyncDispose]());

const pergamin = (...args: string[]): Promise<Ended> => runPergamin(['clients', ...args], started);

describe('pergamin clients', () => {
  test('disables, closes and reopens a client by the customer number or the personal id, and tells the history', async () => {
    const outputs: string[] = [];
    for (const args of [
      ['disable', '700100001', '--reason', 'Przejęcie konta'],
      ['disable', '10000001', '--reason', 'Przejęcie konta'],
      ['reopen', '10000001', '--by', 'personalId', '--reason', 'Nowe hasło'],
      ['close', '700100001', '--by', 'cif', '--reason', 'Rozwiązanie\numowy'],
    ]) {
      const ended = await pergamin(...args);
      expect(ended).toMatchObject({ code: 0, error: '' });
      outputs.push(ended.out);
    }
    expect(outputs).toEqual([
      '10000001  700100001  DISABLED\n',
      '10000001  700100001  DISABLED  unchanged\n',
      '10000001  700100001  ACTIVE\n',
      '10000001  700100001  CLOSED\n',
    ]);
    const [client, ...changes] = (await pergamin('history', '10000001')).out.trimEnd().split('\n');
    expect(client).toBe('10000001  700100001  CLOSED');
    expect(changes.map((line) => line.replace(/^\S+Z {2}/, ''))).toEqual([
      'ACTIVE → DISABLED  by tests  Przejęcie konta',
      'DISABLED → ACTIVE  by tests  Nowe hasło',
      'ACTIVE → CLOSED  by tests  Rozwiązanie umowy',
    ]);
  });

  test.each([
    ['without a reason', ['disable', '10000002'], 2, 'say why'],
    ['without a client', ['disable', '--reason', 'S'], 2, 'pergamin clients disable'],
    ['with a way to name the client that there is not', ['history', '10000002', '--by', 'name'], 2, '--by must be cif or personalId'],
    ['for a customer number of two clients', ['close', '700100009', '--reason', 'S'], 1, 'may be 10000001, 10000002'],
    ['for an unknown client', ['close', '404', '--reason', 'S'], 1, 'RESOURCE_NOT_FOUND'],
  ])('is refused %s', async (_what, args, code, words) => {
    expect(await pergamin(...args)).toMatchObject({ code, out: '', error: expect.stringContaining(words) });
  });
});
