import { beforeEach, expect, test } from 'vitest';
import { changeLanguage, currentLanguage, isOtherLanguageChosen, loadLanguage, speakRecorded, speaksByCopy, t } from './language.ts';
import { answerFetch, freshTab, refusal, sentences } from './page.fixture.tsx';

const english = 'GET /resources/r/lang?lang=EN';
const polish = 'GET /resources/r/lang?lang=PL';

beforeEach(async () => {
  await freshTab('EN');
  await caches.delete('sentences');
});

/** Until the copy of what was just loaded has been written. */
const copyIsKept = async () => {
  await expect.poll(async () => (await caches.match('/resources/r/lang?lang=EN')) !== undefined).toBe(true);
};

test.each([
  ['cannot be reached', new TypeError('Failed to fetch')],
  ['fails', refusal(503, 'STORAGE_ERROR')],
  ['answers something else', new Response('<!doctype html>')],
  ['answers with half of it', new Response('{"menu.logout": 5}')],
])('the last good copy serves, in a new tab too, when the server %s', async (_, answer) => {
  answerFetch({ [english]: { ...sentences.EN, 'menu.logout': 'leave' } });
  await loadLanguage();
  expect(speaksByCopy()).toBe(false);
  await copyIsKept();
  await freshTab('EN');
  answerFetch({ [english]: answer });
  await loadLanguage();
  expect(speaksByCopy()).toBe(true);
  expect(t('menu.logout')).toBe('leave');
});

test('a language that was chosen holds for every tab of this browser, whatever the tab spoke before', async () => {
  let reloads = 0;
  changeLanguage('PL', () => (reloads += 1));
  expect([reloads, currentLanguage()]).toEqual([1, 'PL']);
  sessionStorage.setItem('lang', 'EN');
  expect(isOtherLanguageChosen()).toBe(true);
  answerFetch({ [polish]: sentences.PL });
  await loadLanguage();
  expect([currentLanguage(), isOtherLanguageChosen()]).toEqual(['PL', false]);
});

test('the language of a client’s record is spoken by this tab, and is no choice of this browser', () => {
  let reloads = 0;
  for (const language of ['PL', 'PL'] as const) speakRecorded(language, () => (reloads += 1));
  expect([reloads, currentLanguage(), isOtherLanguageChosen()]).toEqual([1, 'PL', false]);
});

test('newer sentences replace the copy', async () => {
  const answer = (word: string, etag: string) => Response.json({ ...sentences.EN, 'menu.logout': word }, { headers: { etag } });
  answerFetch({ [english]: answer('leave', '"1"') });
  await loadLanguage();
  await copyIsKept();
  answerFetch({ [english]: answer('go', '"2"') });
  await loadLanguage();
  await expect.poll(async () => (await caches.match('/resources/r/lang?lang=EN'))?.headers.get('etag')).toBe('"2"');
  answerFetch({ [english]: new TypeError('Failed to fetch') });
  await loadLanguage();
  expect(t('menu.logout')).toBe('go');
});

test('without a copy nothing is made up', async () => {
  answerFetch({ [english]: refusal(500, 'INTERNAL_SERVER_ERROR') });
  await expect(loadLanguage()).rejects.toThrow('No sentences: 500');
});

test('a language that the portal does not speak any more gives way to its own', async () => {
  answerFetch({ [english]: refusal(404, 'RESOURCE_NOT_FOUND'), [polish]: sentences.PL });
  await loadLanguage();
  expect(currentLanguage()).toBe('PL');
  expect(document.documentElement.lang).toBe('pl');
  expect(t('menu.logout')).toBe('Wyloguj się');
});
