import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { showWindow } from '#desktop/window.fixture.tsx';
import { on, type PortalEvents } from '#platform/events.ts';
import { answerFetch, freshTab, refusal, type Answers, type Asked } from '#platform/page.fixture.tsx';
import { StatuteWindow } from './StatuteWindow.tsx';

const id = '6f1b7a32-0000-4000-8000-000000000009';
const sha256 = '022cb2a42a7d7445d8a6957d35f47d2bf462a124938b5876f953701dc82f1ba8';
const inForcePath = 'GET /api/protected/documents/statute/data';
const renderPath = `GET /api/open/documents/statute/${id}/render`;
const acceptPath = `POST /api/protected/documents/statute/accepted/${id}`;
const downloadPath = `GET /api/open/documents/statute/${id}/download`;
const markPath = (number: number): string => `POST /api/protected/documents/statute/mark/page/${id}/${number}`;
const imagePath = (number: number): string => `/api/open/documents/statute/${id}/page/${number}`;

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=';
const image = (): Response =>
  new Response(
    Uint8Array.from(atob(png), (char) => char.charCodeAt(0)),
    { headers: { 'content-type': 'image/png' } },
  );
const nothing = (): Response => new Response(null, { status: 204 });

/** A portal with a statute of so many pages, not accepted yet. */
const portalWith = (pageCount: number): Answers => {
  const pages = Array.from({ length: pageCount }, (_, index) => index + 1);
  return {
    [inForcePath]: { id, version: '3', effectiveFrom: Date.UTC(2026, 11, 1), accepted: false, pagesReached: [] },
    [`GET /api/open/documents/statute/${id}`]: {
      id,
      version: '3',
      effectiveFrom: Date.UTC(2026, 11, 1),
      changes: 'Dodano § 3.',
      sha256,
      size: 1_000,
      pageCount,
      pageSizes: [{ width: 595, height: 842 }],
    },
    [renderPath]: { done: true, progress: 100, sources: pages.map((number) => ({ page: number, url: `${imagePath(number)}?width=1240` })) },
    ...Object.fromEntries(
      pages.flatMap((number) => [
        [`GET ${imagePath(number)}`, image()],
        [markPath(number), nothing()],
      ]),
    ),
    [acceptPath]: nothing(),
  };
};

const open = (answers: Answers) => {
  const asked = answerFetch(answers);
  const accepted: string[] = [];
  const pressed: string[] = [];
  const alerts: PortalEvents['alert'][] = [];
  onTestFinished(on('alert', (alert) => alerts.push(alert)));
  showWindow(() => (
    <StatuteWindow
      onAccepted={() => accepted.push('accepted')}
      onLogout={() => pressed.push('logout')}
      onLanguage={() => pressed.push('language')}
    />
  ));
  return { asked, accepted, pressed, alerts };
};
const postsOf = (asked: readonly Asked[]): string[] => asked.map(({ line }) => line).filter((line) => line.startsWith('POST'));
const accept = () => page.getByRole('button', { name: 'Akceptuję', exact: true });

beforeEach(async () => {
  await page.viewport(1280, 800);
  await freshTab('PL');
});

test('the statute can be accepted once every page was reached', async () => {
  const { asked, accepted, alerts } = open(portalWith(3));
  await expect.element(accept()).toHaveAttribute('aria-disabled', 'true');
  await expect.element(accept()).toHaveAccessibleDescription('Najpierw przejdź przez wszystkie strony');
  await accept().click({ force: true });
  const surface = page.getByRole('region', { name: 'Strony dokumentu' }).element();
  await expect
    .poll(async () => {
      surface.scrollTop += surface.clientHeight * 0.8;
      await new Promise((resolve) => requestAnimationFrame(resolve));
      return accept().element().getAttribute('aria-disabled');
    })
    .toBeNull();
  await accept().click();
  await expect.poll(() => accepted).toEqual(['accepted']);
  expect(alerts).toEqual([{ tone: 'success', title: 'Regulamin został zaakceptowany' }]);
  expect(postsOf(asked).toSorted()).toEqual([acceptPath, ...[1, 2, 3].map(markPath)].toSorted());
});

test('an acceptance that fails says so, and can be tried again', async () => {
  const { accepted, alerts } = open({ ...portalWith(1), [acceptPath]: refusal(503, 'STORAGE_ERROR') });
  await accept().click();
  await expect.poll(() => alerts.map(({ tone }) => tone)).toEqual(['error']);
  expect(accepted).toEqual([]);
  await expect.element(accept()).not.toHaveAttribute('aria-disabled');
});

test('an acceptance that is refused with 403 says that the checksum does not match', async () => {
  const { alerts } = open({ ...portalWith(1), [acceptPath]: refusal(403, 'ACCESS_DENIED') });
  await accept().click();
  await expect.poll(() => alerts.map(({ title }) => title)).toEqual(['Suma kontrolna dokumentu jest niezgodna']);
});

for (const { what, refused, sentence } of [
  { what: 'that is no longer in force', refused: refusal(409, 'INVALID_STATUS'), sentence: 'Nieprawidłowy stan dokumentu' },
  { what: 'that was taken away', refused: refusal(404, 'RESOURCE_NOT_FOUND'), sentence: 'Nie znaleziono' },
]) {
  test(`a version ${what} is not accepted, which is said; the one in force is asked for`, async () => {
    const { asked, accepted, alerts } = open({ ...portalWith(1), [acceptPath]: refused });
    await accept().click();
    await expect.poll(() => asked.filter(({ line }) => line === inForcePath)).toHaveLength(2);
    expect(alerts.map(({ title }) => title)).toEqual([sentence]);
    expect(accepted).toEqual([]);
  });
}

test('an acceptance that is refused for missing pages names them, and the reading goes on at the first of them', async () => {
  const told = { id, version: '3', effectiveFrom: Date.UTC(2026, 11, 1), accepted: false };
  const known = [[1, 2, 3], [2]];
  const { asked, accepted, alerts } = open({
    ...portalWith(3),
    [inForcePath]: () => ({ ...told, pagesReached: known.shift() }),
    [acceptPath]: refusal(409, 'INVALID_STATUS', { fields: { pages: '1, 3' } }),
  });
  await accept().click();
  await expect.poll(() => alerts.map(({ title }) => title)).toEqual(['Nie wszystkie strony zostały przeczytane. Pozostałe strony: 1, 3']);
  expect(accepted).toEqual([]);
  await expect.element(accept()).toHaveAttribute('aria-disabled', 'true');
  const ticks = page.getByRole('status').filter({ hasText: /^Przeczytano/ });
  await expect.poll(() => ticks.element().textContent).toMatch(/1.z.3.stron.*1,.3/u);
  expect(postsOf(asked)).toEqual([acceptPath]);
});

test('it says which version it is, what is new, since when, and which file', async () => {
  open(portalWith(1));
  await expect.element(page.getByRole('heading', { name: 'Regulamin, wersja 3' })).toBeVisible();
  const side = page.getByRole('complementary');
  await expect.element(side.getByRole('heading', { name: 'Zanim otworzysz swoje dokumenty' })).toBeVisible();
  for (const text of ['Dodano § 3.', '2026-12-01', sha256]) expect(side.element().textContent).toContain(text);
});

test('without accepting, a person can change the language, keep the text, and sign out', async () => {
  const { asked, pressed } = open({ ...portalWith(1), [downloadPath]: new Response('pdf') });
  await page.getByRole('button', { name: 'Wybierz język' }).click();
  await page.getByRole('button', { name: 'Wyloguj się' }).click();
  expect(pressed).toEqual(['language', 'logout']);
  await page.getByRole('button', { name: 'Pobierz' }).click();
  await expect.poll(() => asked.filter(({ line }) => line === downloadPath)).toHaveLength(1);
});

test('when the statute cannot be loaded, signing out and trying again are still possible', async () => {
  const { asked, pressed } = open({ ...portalWith(1), [inForcePath]: refusal(500, 'INTERNAL_SERVER_ERROR') });
  await expect.element(page.getByRole('heading', { name: 'Nie udało się wczytać regulaminu' })).toBeVisible();
  await page.getByRole('button', { name: 'Spróbuj ponownie' }).click();
  await expect.poll(() => asked.filter(({ line }) => line === inForcePath)).toHaveLength(2);
  await page.getByRole('button', { name: 'Wyloguj się' }).click();
  expect(pressed).toEqual(['logout']);
});

test('pages that are refused with 403 are told as a checksum that does not match', async () => {
  open({ ...portalWith(1), [renderPath]: refusal(403, 'ACCESS_DENIED') });
  await expect.element(page.getByText('Suma kontrolna dokumentu jest niezgodna')).toBeVisible();
  await expect.element(accept()).toHaveAttribute('aria-disabled', 'true');
});
