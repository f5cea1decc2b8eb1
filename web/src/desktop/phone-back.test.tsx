import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answer, showDesktop } from './desktop.fixture.tsx';
import { freshTab } from '#platform/page.fixture.tsx';

beforeEach(() => freshTab('EN'));

beforeEach(async () => {
  sessionStorage.clear();
  answer.mayClose = true;
  history.replaceState(null, '', location.pathname + location.search);
  await page.viewport(390, 844);
});

const shown = (name: string) => page.getByRole('region', { name, exact: true });
const tile = (name: string) => page.getByRole('button', { name, exact: true });
/** Between two steps of the browser the page gets its turn, as between two presses of a person. */
const arrived = () => new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
const back = async () => {
  const there = arrived();
  history.back();
  await there;
};

test('Back on a phone closes the window on top, then the one below, and then the desk is there', async () => {
  const { desktop } = showDesktop();
  desktop.open('received');
  await expect.element(shown('Received')).toBeVisible();
  desktop.open('document', { id: 'a' });
  await expect.element(shown('Document a')).toBeVisible();
  await back();
  await expect.element(shown('Received')).toBeVisible();
  await back();
  await expect.element(tile('Received 120 new')).toBeVisible();
  expect(desktop.getState().windows).toHaveLength(0);
});

test('two quick presses of Back close two windows', async () => {
  const { desktop } = showDesktop();
  for (const id of ['a', 'b', 'c']) desktop.open('document', { id });
  await expect.element(shown('Document c')).toBeVisible();
  history.back();
  await back();
  await expect.element(shown('Document a')).toBeVisible();
  expect(desktop.getState().windows.map(({ id }) => id)).toEqual(['document:a']);
});

test('a window closed by its own button takes its history entry along', async () => {
  const { desktop } = showDesktop();
  desktop.open('received');
  desktop.open('document', { id: 'a' });
  await expect.element(shown('Document a')).toBeVisible();
  const there = arrived();
  await desktop.close('document:a');
  await there;
  await back();
  await expect.poll(() => desktop.getState().windows).toHaveLength(0);
});

test('a window opened while the entry of a closed one goes stays open', async () => {
  const { desktop } = showDesktop();
  desktop.open('document', { id: 'a' });
  await expect.element(shown('Document a')).toBeVisible();
  const there = arrived();
  await desktop.close('document:a');
  desktop.open('received');
  await there;
  await expect.element(shown('Received')).toBeVisible();
  await back();
  await expect.poll(() => desktop.getState().windows).toHaveLength(0);
});

test('a window that must not close yet stays, and Back asks it again', async () => {
  const { desktop } = showDesktop();
  desktop.open('asks');
  await expect.element(shown('Asks')).toBeVisible();
  answer.mayClose = false;
  await back();
  await expect.element(shown('Asks')).toBeVisible();
  answer.mayClose = true;
  await back();
  await expect.poll(() => desktop.getState().windows).toHaveLength(0);
});

test('a window that a link opens while the one before it closes stays open', async () => {
  const { desktop } = showDesktop();
  desktop.open('asks');
  await expect.element(shown('Asks')).toBeVisible();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  answer.mayClose = promise;
  const there = arrived();
  location.hash = '#a-link';
  await there;
  desktop.open('received');
  resolve(true);
  await expect.element(shown('Received')).toBeVisible();
  await expect.poll(() => desktop.getState().windows.map(({ id }) => id)).toEqual(['received']);
  await back();
  await expect.poll(() => desktop.getState().windows).toHaveLength(0);
});

test('windows on a desktop leave no history entries', async () => {
  await page.viewport(1280, 800);
  const entries = history.length;
  const { desktop } = showDesktop();
  desktop.open('received');
  await expect.element(shown('Received')).toBeVisible();
  expect(history.length).toBe(entries);
  expect(history.state).toBeNull();
});
