import { describe, expect, test } from 'vitest';
import { createPasswordRules } from './password-rules.ts';

const rules = createPasswordRules({ maxLength: 20, organisationName: 'Bank Wiślany S.A.' });
const find = (password: string, personalId = '10000001', names = ['Żaneta', 'Brzęczyszczykiewicz']) =>
  rules.findFault(password, { personalId, names });

describe('a new password', () => {
  test.each(['Correct-horse-7', 'Zażółć-gęślą-8', 'kL9 mN2 pQ4', 'Rzeka-Most-Jesion-3', '9Bfr#tQ2'])('like %s does', async (password) => {
    expect(await find(password)).toBeUndefined();
  });

  test.each([
    ['Kr0tkie', 'length'],
    ['Correct-horse-batt-77', 'length'],
    ['correct-horse-7', 'characters'],
    ['CORRECT-HORSE-7', 'characters'],
    ['Correct-horse-x', 'characters'],
    ['Id-10000001-x', 'personalId'],
  ])('like %s is refused for its %s', async (password, fault) => {
    expect(await find(password)).toBe(fault);
  });

  test('holds the id in no other case either, while a very short id is met by chance', async () => {
    expect(await find('x-ANNA.nowak-7', 'Anna.Nowak')).toBe('personalId');
    expect(await find('Correct-horse-7', '7')).toBeUndefined();
  });

  test('is counted in characters as people see them, not in units of memory', async () => {
    expect(await find('Aa1🦊🦊🦊🦊')).toBe('length');
    expect(await find('Aa1🦊🦊🦊🦊🦊')).toBeUndefined();
  });
});

describe('a password that others guess first is refused', () => {
  test.each([
    'Password1',
    'P@ssw0rd!',
    'Passw0rd123',
    'Haslo123!',
    'Hasło2026!',
    'Warszawa2026',
    '12Warszawa',
    'Kasia1990!',
    'Małgosia1',
    'Qwerty12345',
    'Qwertyuiop1',
    'Poiuytrewq1',
    'Aaaaaaaa1',
    'KotekKotek1',
    'Zaq12wsx',
    'Abcdefgh1',
    'Misiaczek77',
    '1qaz2wsxA',
    'Jordan23A',
    'Trustno1A',
    'xTrustno1',
    '1QAZ2wsx',
    'Monkey123A',
    '12345678Aa',
    'A1234567a',
    'Iloveyou2Z',
    'Drowssap1',
    'Wislany2026!',
    'BankWiślany1',
    'Zaneta1985!',
    'Brzęczyszczykiewicz7',
  ])('%s', async (password) => {
    expect(await find(password)).toBe('common');
  });

  test('however long it is, within some milliseconds', async () => {
    const longest = createPasswordRules({ maxLength: 200, organisationName: 'Bank' });
    const owner = { personalId: '10000001', names: [] };
    const cheapest = async (password: string): Promise<number> => {
      const spent: number[] = [];
      while (spent.length < 5) {
        const before = process.cpuUsage();
        await longest.findFault(password, owner);
        const { user, system } = process.cpuUsage(before);
        spent.push((user + system) / 1_000);
      }
      return Math.min(...spent);
    };
    for (const piece of ['aA1', '4$0Aa', '1l!|iA', '3e4a0oA', '12345Aa', '$5sSa1', '(<{[aA1', '2026Aa'])
      expect(await cheapest(piece.repeat(200).slice(0, 200)), piece).toBeLessThan(40);
  });

  test('but not one that merely holds such a word', async () => {
    expect(await find('Kasia-je-sliwki-7')).toBeUndefined();
    expect(await find('Haslo-83620174')).toBeUndefined();
  });
});
