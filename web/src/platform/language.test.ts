import { beforeEach, expect, test } from 'vitest';
import { currentLanguage, hasSentence, loadLanguage, speak, speaksByCopy, t, type TranslationKey } from './language.ts';
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

/** A catalogue of the test's own: the product's has other keys. */
const say = async (language: string, catalogue: Readonly<Record<string, string>>) => {
  await speak(language, catalogue);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of this catalogue are no keys of the product
  return (key: string, values?: Readonly<Record<string, string | number>>) => t(key as TranslationKey, values);
};

test('a counted sentence takes the form of its language, the one for nothing where there is one', async () => {
  const files = { file_one: '{{count}} plik', file_few: '{{count}} pliki', file_many: '{{count}} plików', file_other: '{{count}} pliku' };
  const polish = await say('PL', files);
  expect([1, 2, 5, 12, 22, 1.5, 0].map((count) => polish('file', { count }))).toEqual([
    '1 plik',
    '2 pliki',
    '5 plików',
    '12 plików',
    '22 pliki',
    '1.5 pliku',
    '0 plików',
  ]);
  const withNothing = await say('PL', { ...files, file_zero: 'żadnego pliku' });
  expect(withNothing('file', { count: 0 })).toBe('żadnego pliku');
});

test('a form that a language lacks is said as it says most, and a sentence without forms as it is', async () => {
  const czech = await say('CS', { file_one: '{{count}} soubor', file_other: '{{count}} souborů', pages: 'Strany: {{count}}' });
  expect([czech('file', { count: 3 }), czech('pages', { count: 3 })]).toEqual(['3 souborů', 'Strany: 3']);
});

test('what is put into a sentence is put there as it is, whatever it looks like', async () => {
  const said = await say('EN', { greeting: '{{name}}, {{ name }}, {{- name}} from {{place}}' });
  expect(said('greeting', { name: '<b>$& {{place}}</b>', place: 'Łódź' })).toBe(
    '<b>$& {{place}}</b>, <b>$& {{place}}</b>, <b>$& {{place}}</b> from Łódź',
  );
});

test('a key that is no sentence is shown itself, and is not taken for one that every object has', async () => {
  const said = await say('EN', { known: 'Known' });
  expect(said('constructor')).toBe('constructor');
  expect([hasSentence('known'), hasSentence('constructor')]).toEqual([true, false]);
});
