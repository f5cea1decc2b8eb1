import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { Announcer } from '#kit/feedback/Announcer.tsx';
import { emit } from '#platform/events.ts';
import { answerFetch, freshTab, refusal, show, tokenFor } from '#platform/page.fixture.tsx';
import { storeSession } from '#platform/session-token.ts';
import { Alerts } from './Alerts.tsx';
import { Workspace } from './Workspace.tsx';

/** The next terms are told on the desk before their day (C3). */

const presentId = '6f1b7a32-0000-4000-8000-000000000009';
const nextId = '6f1b7a32-0000-4000-8000-000000000010';
// Midnight in Warsaw: the day before, by the clock of Greenwich.
const effectiveFrom = Date.UTC(2027, 0, 31, 23);
const dataPath = 'GET /api/protected/documents/statute/data';
const acceptPath = `POST /api/protected/documents/statute/accepted/${nextId}`;
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=';
const image = (): Response =>
  new Response(
    Uint8Array.from(atob(png), (char) => char.charCodeAt(0)),
    { headers: { 'content-type': 'image/png' } },
  );
const nothing = (): Response => new Response(null, { status: 204 });

const present = { id: presentId, version: '3', effectiveFrom: 1, accepted: true, pagesReached: [] };
const next = { id: nextId, version: '4', effectiveFrom, changes: 'Dodano § 4.', accepted: false, pagesReached: [] };

/** A portal in which the next version is published; what it answers may change during a test. */
const portalWith = (statute: object): Record<string, unknown> => ({
  'GET /api/protected/account/self/info': { personalId: '10000001', firstName: 'Anna', lastName: 'Nowak', managed: false, language: 'PL' },
  [dataPath]: statute,
  'GET /api/protected/metadata/map': { items: [], statementMarker: 'BANK_ST_DOC_TYPE' },
  'GET /api/open/documents/metadata/dictionaries/list': { items: [] },
  'GET /api/protected/documents/markers/ignore': [],
  'POST /api/protected/documents/list/data': { items: [], total: 0 },
  [`GET /api/open/documents/statute/${nextId}`]: {
    id: nextId,
    version: '4',
    effectiveFrom,
    changes: 'Dodano § 4.',
    sha256: 'ab'.repeat(32),
    size: 1_000,
    pageCount: 1,
    pageSizes: [{ width: 595, height: 842 }],
  },
  [`GET /api/open/documents/statute/${nextId}/render`]: {
    done: true,
    progress: 100,
    sources: [{ page: 1, url: `/api/open/documents/statute/${nextId}/page/1?width=1240` }],
  },
  [`GET /api/open/documents/statute/${nextId}/page/1`]: image(),
  [`POST /api/protected/documents/statute/mark/page/${nextId}/1`]: nothing(),
  [acceptPath]: nothing(),
});

const open = (statute: object = { ...present, upcoming: next }) => {
  const answers = portalWith(statute);
  const asked = answerFetch(answers);
  show(
    <>
      <Alerts />
      <Announcer />
      <Workspace onSignedOut={() => undefined} />
    </>,
  );
  return { answers, lines: () => asked.map(({ line }) => line) };
};

const notice = () => page.getByRole('region', { name: 'Od 2027-02-01 obowiązuje nowy regulamin' });
const statuteWindow = () => page.getByRole('region', { name: 'Regulamin, wersja 4' });
const later = (inside: ReturnType<typeof notice>) => inside.getByRole('button', { name: 'Później' });
const desk = () => page.getByRole('heading', { name: 'Dzień dobry' });

const signIn = () => storeSession({ token: tokenFor('10000001'), expiresAtEpochMs: Date.now() + 900_000 });

beforeEach(async () => {
  await page.viewport(1280, 800);
  await freshTab('PL');
  signIn();
});

describe('a version that was published ahead', () => {
  test('is told on the desk with its day where the organisation is, and covers nothing', async () => {
    open();
    await expect.element(notice()).toBeVisible();
    await expect.element(page.getByRole('status').getByText('Od 2027-02-01 obowiązuje nowy regulamin')).toBeInTheDocument();
    await expect.element(page.getByRole('button', { name: 'Otrzymane' })).toBeVisible();
    const bottom = notice().element().getBoundingClientRect().bottom;
    expect(page.getByRole('main').element().getBoundingClientRect().top).toBeGreaterThanOrEqual(bottom);
    await page.getByRole('button', { name: 'Otrzymane' }).click();
    await expect.element(page.getByRole('region', { name: 'Dokumenty otrzymane' })).toBeVisible();
    await expect.element(notice()).toBeVisible();
  });

  test.each([
    ['when it was accepted already', { ...present, upcoming: { ...next, accepted: true } }],
    ['when there is none', present],
  ])('is not told %s', async (_when, statute) => {
    open(statute);
    await expect.element(desk()).toBeVisible();
    expect(notice().query()).toBeNull();
  });

  test('is not told beside terms that have to be accepted first', async () => {
    open({ ...present, accepted: false, upcoming: next });
    await expect.element(page.getByRole('region', { name: 'Regulamin' })).toBeVisible();
    expect(notice().query()).toBeNull();
  });
});

describe('“later”', () => {
  test('takes the notice away for this session and leaves the focus on the desk', async () => {
    open();
    await expect.element(later(notice())).toBeVisible();
    later(notice()).element().focus();
    await userEvent.keyboard('{Enter}');
    expect(notice().query()).toBeNull();
    expect(document.activeElement).toBe(document.querySelector('[data-desk-start]'));
    await expect.element(page.getByRole('status').getByText('Przypomnimy przy następnym logowaniu.')).toBeInTheDocument();
  });

  test('is remembered when the page is loaded anew, and asked again after the next sign-in', async () => {
    open();
    await later(notice()).click();
    open();
    await expect.poll(() => desk().elements()).toHaveLength(2);
    expect(notice().elements()).toHaveLength(0);
    signIn();
    open();
    await expect.poll(() => desk().elements()).toHaveLength(3);
    await expect.poll(() => notice().elements().length).toBeGreaterThan(0);
  });

  test('says nothing for another version', async () => {
    open({ ...present, upcoming: { ...next, id: presentId } });
    await later(notice()).click();
    open();
    await expect.element(notice()).toBeVisible();
  });

  test('in another tab of the session takes it away here, in another session does not', async () => {
    open();
    await expect.element(notice()).toBeVisible();
    const sibling = new BroadcastChannel('portal-statute');
    onTestFinished(() => sibling.close());
    const token = sessionStorage.getItem('authorization') ?? '';
    const claims: unknown = JSON.parse(atob(token.split('.')[1] ?? ''));
    const session: unknown = claims !== null && typeof claims === 'object' ? Reflect.get(claims, 'sid') : undefined;
    // Told one after the other: when the second has arrived, so has the first.
    for (const told of [
      { session: 'another', id: nextId },
      { session, id: 'another' },
    ])
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin only
      sibling.postMessage(told);
    await expect.poll(() => sessionStorage.getItem('statute-told')).toContain('another');
    await expect.element(notice()).toBeVisible();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin only
    sibling.postMessage({ session, id: nextId });
    await expect.element(notice()).not.toBeInTheDocument();
  });
});

describe('its window', () => {
  const read = () => page.getByRole('button', { name: 'Przeczytaj i zaakceptuj teraz' });

  test('tells what changes and from when, lies on the desk like others, and is put off by “later”', async () => {
    const { lines } = open();
    await read().click();
    await expect.element(statuteWindow()).toBeVisible();
    const side = statuteWindow().getByRole('complementary');
    await expect.element(side.getByText(/Dodano § 4\./)).toBeVisible();
    await expect.element(side.getByText('2027-02-01', { exact: true })).toBeVisible();
    await expect.element(statuteWindow().getByRole('button', { name: /^Zamknij/ })).toBeVisible();
    expect(statuteWindow().getByRole('button', { name: 'Wyloguj się' }).query()).toBeNull();
    await later(statuteWindow()).click();
    await expect.element(statuteWindow()).not.toBeInTheDocument();
    expect(notice().query()).toBeNull();
    expect(lines()).not.toContain(acceptPath);
  });

  test('accepts it ahead of its day; then nothing is told any more', async () => {
    const { answers, lines } = open();
    await read().click();
    answers[dataPath] = { ...present, upcoming: { ...next, accepted: true } };
    await statuteWindow().getByRole('button', { name: 'Akceptuję' }).click();
    await expect.element(page.getByText('Regulamin został zaakceptowany')).toBeVisible();
    await expect.element(statuteWindow()).not.toBeInTheDocument();
    expect(notice().query()).toBeNull();
    expect(lines().filter((line) => line === acceptPath)).toHaveLength(1);
    await expect.poll(() => lines().filter((line) => line === dataPath)).toHaveLength(2);
    await expect.element(desk()).toBeVisible();
  });

  test('closed without an answer leaves the notice where it is', async () => {
    open();
    await read().click();
    await statuteWindow()
      .getByRole('button', { name: /^Zamknij/ })
      .click();
    await expect.element(statuteWindow()).not.toBeInTheDocument();
    await expect.element(notice()).toBeVisible();
    expect(document.activeElement).toBe(read().element());
  });

  test('closes by itself when the version was taken back', async () => {
    const { answers } = open();
    await read().click();
    await expect.element(statuteWindow().getByRole('img')).toBeVisible();
    answers[acceptPath] = refusal(404, 'RESOURCE_NOT_FOUND');
    answers[dataPath] = present;
    await statuteWindow().getByRole('button', { name: 'Akceptuję' }).click();
    await expect.element(statuteWindow()).not.toBeInTheDocument();
    expect(notice().query()).toBeNull();
  });
});

test('when the day comes in the middle of a session, its window stands before everything else', async () => {
  const { answers } = open();
  await later(notice()).click();
  answers[dataPath] = { ...present, id: nextId, version: '4', effectiveFrom, accepted: false };
  // What any refused call says.
  emit('statuteRequired', undefined);
  await expect.element(statuteWindow()).toBeVisible();
  await expect.element(statuteWindow().getByRole('button', { name: 'Wyloguj się' })).toBeVisible();
  expect(page.getByRole('button', { name: 'Otrzymane' }).query()).toBeNull();
});
