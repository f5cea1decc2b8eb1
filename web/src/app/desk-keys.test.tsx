import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { storeSession } from '#platform/session-token.ts';
import { answerFetch, freshTab, show, tokenFor, type Answers } from '#platform/page.fixture.tsx';
import { Alerts } from './Alerts.tsx';
import { Workspace } from './Workspace.tsx';

const row = (number: number, name: string) => ({
  id: `6f1b7a32-0000-4000-8000-00000000000${number}`,
  state: 'ACTIVE',
  metadata: { FILE_NAME: name, PUBLICATION_DATE: Date.UTC(2026, 10, 18, 10), CHECKSUM_SHA256: 'ab'.repeat(32) },
  corrupted: false,
  deleted: false,
  published: true,
  read: null,
  downloaded: null,
});
const rows = [row(1, 'Umowa kredytu.pdf'), row(2, 'Aneks do umowy.pdf')];

const portal: Answers = {
  'GET /api/protected/account/self/info': { personalId: '10000001', firstName: 'Anna', lastName: 'Nowak', managed: false, language: 'PL' },
  'GET /api/protected/account/self/info/full': {
    preferredChannelId: null,
    personalId: '10000001',
    firstName: 'Anna',
    lastName: 'Nowak',
    email: 'anna@poczta.example',
    phone: null,
    managed: false,
    previousSuccessfulLoginDate: Date.UTC(2026, 10, 17, 18, 2, 44),
    lastFailureLoginDate: null,
  },
  'GET /api/protected/documents/statute/data': { id: null, version: null, effectiveFrom: null, accepted: false, pagesReached: [] },
  'GET /api/protected/metadata/map': { items: [], statementMarker: 'BANK_ST_DOC_TYPE' },
  'GET /api/open/documents/metadata/dictionaries/list': { items: [] },
  'GET /api/protected/documents/markers/ignore': [],
  'GET /api/protected/notifications/list': { items: [] },
  'POST /api/protected/documents/list/data': { items: rows, total: 2 },
  'GET /static/CHANGELOG.md': new Response('## 1.4.0\n\nBetter.'),
};

const open = async (answers: Answers = portal) => {
  const asked = answerFetch(answers);
  show(
    <>
      <Alerts />
      <Workspace onSignedOut={() => undefined} />
    </>,
  );
  await expect.element(page.getByRole('button', { name: 'Otrzymane 2 nowe' })).toBeVisible();
  return asked;
};
const palette = page.getByRole('combobox', { name: 'Szukaj wszędzie' });
const windowNamed = (name: string) => page.getByRole('region', { name });

beforeEach(async () => {
  await freshTab('PL');
  storeSession({ token: tokenFor('10000001'), expiresAtEpochMs: Date.now() + 900_000 });
  onTestFinished(() => {
    for (const of of ['theme', 'density']) document.cookie = `${of}=; Path=/; Max-Age=0`;
    delete document.documentElement.dataset['theme'];
    delete document.documentElement.dataset['density'];
  });
});

test('the desk counts what is unread, and says when the person was here before', async () => {
  await open();
  await expect.element(page.getByText('Masz 2 nowe dokumenty i\u00a02 nowe wyciągi.')).toBeVisible();
  await expect.element(page.getByText('Poprzednie udane logowanie: 2026-11-17, 19:02:44')).toBeVisible();
});

test('a tile that counts what is new opens its list with these documents alone', async () => {
  // Wide enough for the chips in any font: at 1280 px they may be counted instead.
  await page.viewport(1600, 900);
  onTestFinished(() => page.viewport(1280, 800));
  const asked = await open();
  const queries = async (): Promise<string[]> => Promise.all(asked.map(async ({ request }) => request.clone().text()));
  await userEvent.click(page.getByRole('button', { name: 'Wyciągi 2 nowe' }));
  const list = windowNamed('Wyciągi');
  await expect.element(list.getByRole('list', { name: 'Aktywne filtry' }).getByText('Tylko nieprzeczytane')).toBeVisible();
  await expect.element(list.getByRole('row').filter({ hasText: 'Aneks do umowy' })).toBeVisible();
  expect((await queries()).some((query) => query.includes('"unread":true') && query.includes('"start":'))).toBe(true);
});

test('the menu of a phone counts what is new too, and names the account once', async () => {
  await page.viewport(390, 844);
  onTestFinished(() => page.viewport(1280, 800));
  await open();
  await userEvent.click(page.getByRole('button', { name: 'Otwórz menu' }));
  const menu = page.getByRole('dialog');
  await expect.element(menu.getByRole('button', { name: 'Dokumenty otrzymane 2 nowe' })).toBeVisible();
  await expect.element(menu.getByRole('button', { name: 'Wyciągi 2 nowe' })).toBeVisible();
  expect(menu.getByRole('button', { name: 'Konto użytkownika' }).elements()).toHaveLength(1);
});

test('Ctrl+K finds a document on the server and opens it, by keys alone', async () => {
  const asked = await open();
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(palette).toHaveFocus();
  await userEvent.keyboard('aneks');
  const body = async () => Promise.all(asked.map(async ({ request }) => (await request.clone().text()).includes('"text":"aneks"')));
  await expect.poll(async () => (await body()).some(Boolean)).toBe(true);
  await expect.element(page.getByRole('option', { name: /^Aneks do umowy/ })).toBeVisible();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.element(windowNamed('Aneks do umowy')).toBeVisible();
  await expect.poll(() => document.title).toBe('Aneks do umowy · Pergamin');
});

/** Documents that are found come above what can be done: until they are there, what is to be pressed may move. */
const typeInPalette = async (text: string): Promise<void> => {
  await expect.element(palette).toHaveFocus();
  await userEvent.keyboard(text);
  await expect.element(palette).toHaveValue(text);
  await expect.element(page.getByRole('option', { name: /^Umowa/ })).toBeVisible();
};

test('the palette does what the menus do', async () => {
  await open();
  await userEvent.keyboard('{Control>}k{/Control}');
  await typeInPalette('ciemny');
  await userEvent.click(page.getByRole('option', { name: 'Wygląd: ciemny' }));
  await expect.poll(() => document.documentElement.dataset['theme']).toBe('dark');
  await userEvent.click(page.getByRole('button', { name: 'Szukaj wszędzie' }));
  await typeInPalette('co now');
  await userEvent.click(page.getByRole('option', { name: 'Co nowego' }));
  await expect.element(windowNamed('Co nowego')).toBeVisible();
  await userEvent.keyboard('{Control>}k{/Control}');
  await typeInPalette('konto');
  await userEvent.click(page.getByRole('option', { name: 'Konto użytkownika' }));
  await expect.element(windowNamed('Konto użytkownika')).toBeVisible();
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(page.getByRole('group', { name: 'Otwarte okna' }).getByRole('option', { name: 'Co nowego' })).toBeVisible();
});

test('a question mark shows the shortcuts, but is a question mark in a text field', async () => {
  await open();
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(palette).toHaveFocus();
  await userEvent.keyboard('?');
  await expect.element(palette).toHaveValue('?');
  await userEvent.keyboard('{Escape}');
  await expect.element(palette).not.toBeInTheDocument();
  await userEvent.keyboard('?');
  const dialog = page.getByRole('dialog', { name: 'Skróty klawiszowe' });
  await expect.element(dialog.getByText('Szukaj wszędzie')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
});

test('before the statute is accepted no key opens anything', async () => {
  const statute = { id: '6f1b7a32-0000-4000-8000-000000000009', version: '3', effectiveFrom: 1, accepted: false, pagesReached: [] };
  answerFetch({ ...portal, 'GET /api/protected/documents/statute/data': statute });
  show(<Workspace onSignedOut={() => undefined} />);
  await expect.element(windowNamed('Regulamin')).toBeVisible();
  await userEvent.keyboard('{Control>}k{/Control}');
  await userEvent.keyboard('?');
  expect(page.getByRole('dialog').elements()).toEqual([]);
  expect(page.getByRole('button', { name: 'Powiadomienia' }).elements()).toEqual([]);
});
