import { afterEach, expect, test } from 'vitest';
import { applyAppearance, currentAppearance } from './appearance.ts';
import { chooseAppearance } from './choose-appearance.ts';

const root = document.documentElement;

afterEach(() => {
  for (const of of ['theme', 'contrast', 'density', 'motion']) document.cookie = `${of}=; Path=/; Max-Age=0`;
  applyAppearance();
});

test('what is chosen holds at once and on the next page', () => {
  chooseAppearance('theme', 'dark');
  chooseAppearance('density', 'compact');
  expect(root.dataset).toMatchObject({ theme: 'dark', density: 'compact' });
  delete root.dataset['theme'];
  applyAppearance();
  expect(root.dataset['theme']).toBe('dark');
  expect(currentAppearance('density')).toBe('compact');
});

test('following the device again leaves nothing behind', () => {
  chooseAppearance('motion', 'reduced');
  chooseAppearance('contrast', 'more');
  chooseAppearance('motion', 'system');
  chooseAppearance('contrast', 'system');
  expect(root.dataset['motion']).toBeUndefined();
  expect(root.dataset['contrast']).toBeUndefined();
  expect(document.cookie).not.toMatch(/motion|contrast/);
});

test('a choice that is not offered counts as none', () => {
  document.cookie = 'theme=sepia; Path=/';
  applyAppearance();
  expect(currentAppearance('theme')).toBe('system');
  expect(root.dataset['theme']).toBeUndefined();
});
