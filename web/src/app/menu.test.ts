import { expect, test } from 'vitest';
import { accountMenu, allowedItems, everyRight, flatItems, mainMenu, noRight, type Right } from './menu.ts';

const ids = (rights: ReadonlySet<Right>, menu = mainMenu): readonly string[] => flatItems(allowedItems(menu, rights)).map(({ id }) => id);

test('a client may choose everything', () => {
  expect(ids(everyRight)).toEqual(expect.arrayContaining(['received', 'public', 'statements', 'account']));
  expect(ids(everyRight, accountMenu)).toHaveLength(accountMenu.length);
});

test('a client who has not accepted the statute finds empty menus', () => {
  expect(ids(noRight)).toEqual([]);
  expect(ids(noRight, accountMenu)).toEqual([]);
});

test('what needs a right that is missing is hidden, and so is a group that nothing is left of', () => {
  const rights = new Set<Right>(['account']);
  expect(allowedItems(mainMenu, rights).map(({ id }) => id)).toEqual(['account']);
  expect(ids(rights, accountMenu)).toEqual(['account', 'change-password', 'reset-password']);
});

test('what stands in two menus is one thing to choose', () => {
  expect(flatItems([...mainMenu, ...accountMenu]).filter(({ id }) => id === 'account')).toHaveLength(1);
});
