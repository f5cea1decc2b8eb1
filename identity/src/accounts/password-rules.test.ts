import { describe, expect, test } from 'vitest';
import { createPasswordRules } from './password-rules.ts';

const rules = createPasswordRules({ maxLength: 20 });
const find = (password: string, personalId = '10000001') => rules.findFault(password, personalId);

describe('a new password', () => {
  test.each(['Correct-horse-7', 'Zażółć-gęślą-8', 'kL9 mN2 pQ4', 'Rzeka-Most-Jesion-3', '9Bfr#tQ2'])('like %s does', (password) => {
    expect(find(password)).toBeUndefined();
  });

  test.each([
    ['Kr0tkie', 'length'],
    ['Correct-horse-batt-77', 'length'],
    ['correct-horse-7', 'characters'],
    ['CORRECT-HORSE-7', 'characters'],
    ['Correct-horse-x', 'characters'],
    ['Id-10000001-x', 'personalId'],
  ])('like %s is refused for its %s', (password, fault) => {
    expect(find(password)).toBe(fault);
  });

  test('holds the id in no other case either, while a very short id is met by chance', () => {
    expect(find('x-ANNA.nowak-7', 'Anna.Nowak')).toBe('personalId');
    expect(find('Correct-horse-7', '7')).toBeUndefined();
  });

  test('is counted in characters as people see them, not in units of memory', () => {
    expect(find('Aa1🦊🦊🦊🦊')).toBe('length');
    expect(find('Aa1🦊🦊🦊🦊🦊')).toBeUndefined();
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
  ])('%s', (password) => {
    expect(find(password)).toBe('common');
  });

  test('but not one that merely holds such a word', () => {
    expect(find('Kasia-je-sliwki-7')).toBeUndefined();
    expect(find('Haslo-83620174')).toBeUndefined();
  });
});
