import type { DocumentRow } from '@pergamin/contract';
import { statuteLimits } from '@pergamin/contract';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { Announcer } from '#kit/feedback/Announcer.tsx';
import { keepChosenLanguage } from '#platform/chosen-language.ts';
import { joinTabs } from '#platform/cross-tab.ts';
import { clearSession, currentToken, storeSession } from '#platform/session-token.ts';
import { answerFetch, freshTab, refusal, show, tokenFor, type Answers } from '#platform/page.fixture.tsx';
import { Alerts } from './Alerts.tsx';
import { listOf } from './document-lists.fixture.ts';
import { Workspace } from './Workspace.tsx';

const statuteId = '6f1b7a32-0000-4000-8000-000000000009';
const statute = { id: statuteId, version: '3', effectiveFrom: 1, accepted: true, pagesReached: [] };
const sha256 = 'ab'.repeat(32);
const documentRow = (number: number, read: number | null): DocumentRow => ({
  id: `6f1b7a32-0000-4000-8000-00000000000${number}`,
  state: 'ACTIVE',
  metadata: {
    FILE_NAME: `Aneks nr ${number}.pdf`,
    PRIV_DOC_PRODUCT_GROUP: 'MORTGAGE',
    PUBLICATION_DATE: Date.UTC(2026, 10, 18, 10),
    CHECKSUM_SHA256: sha256,
  },
  corrupted: false,
  deleted: false,
  published: true,
  read,
  downloaded: null,
});
const productGroup = {
  id: 'PRIV_DOC_PRODUCT_GROUP',
  key: 'PRIV_DOC_PRODUCT_GROUP',
  number: null,
  name: { pl: 'Grupa produktowa', en: 'Product group' },
  description: null,
  type: 'KEY_NAME',
  required: false,
  system: false,
  final: false,
  removed: false,
  dictionary: 'PRODUCTS',
  screens: ['R', 'D'],
};
const mortgages = { key: 'MORTGAGE', name: { pl: 'Kredyty hipoteczne', en: 'Mortgages' } };

const anna = { personalId: '10000001', firstName: 'Anna', lastName: 'Nowak', managed: false, language: 'PL' };

const portal: Answers = {
  'GET /api/protected/account/self/info': anna,
  'GET /api/protected/documents/statute/data': statute,
  'GET /api/protected/metadata/map': { items: [productGroup], statementMarker: 'BANK_ST_DOC_TYPE' },
  'GET /api/open/documents/metadata/dictionaries/list': {
    items: [{ id: 'PRODUCTS', name: { pl: 'Grupy', en: 'Groups' }, type: 'KEY_NAME', values: [mortgages] }],
  },
  'GET /api/protected/documents/markers/ignore': [],
  'POST /api/protected/documents/list/data': listOf([documentRow(1, null), documentRow(2, 5)]),
  'GET /resources/r/lang/list': [
    { code: 'PL', name: 'Polski' },
    { code: 'EN', name: 'English' },
  ],
};

const open = (startAnew?: () => void): string[] => {
  const left: string[] = [];
  show(
    <>
      <Alerts />
      <Announcer />
      <Workspace onSignedOut={(to) => left.push(to)} {...(startAnew === undefined ? {} : { startAnew })} />
    </>,
  );
  return left;
};

/** Another tab signs a person in. */
const signInElsewhere = (personalId: string) => {
  const sibling = new BroadcastChannel('portal-auth');
  onTestFinished(() => sibling.close());
  const session = { token: tokenFor(personalId), expiresAtEpochMs: Date.now() + 900_000, sinceMs: Date.now() };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin only
  sibling.postMessage({ type: 'session', ...session });
  return session.token;
};

const arriveAt = (hash: string) => {
  const before = location.href;
  history.replaceState(null, '', location.pathname + location.search + hash);
  onTestFinished(() => history.replaceState(null, '', before));
};

beforeEach(async () => {
  await freshTab('PL');
  storeSession({ token: tokenFor('10000001'), expiresAtEpochMs: Date.now() + 900_000 });
});

test('without a session the workspace is not shown, and the link that was followed is kept', async () => {
  sessionStorage.removeItem('authorization');
  arriveAt('#open=received');
  const asked = answerFetch(portal);
  const left = open();
  await expect.poll(() => left).toEqual(['/login-ex']);
  expect(asked).toEqual([]);
  expect(sessionStorage.getItem('open')).toBe('#open=received');
});

test('a customer whose data cannot be loaded is led to the sign-in', async () => {
  answerFetch({ ...portal, 'GET /api/protected/account/self/info': refusal(500, 'INTERNAL_SERVER_ERROR') });
  const left = open();
  await expect.poll(() => left).toEqual(['/login-ex']);
  await expect.element(page.getByText('Przepraszamy, wystąpił problem. Spróbuj ponownie później')).toBeVisible();
});

const kept = JSON.stringify({ windows: [{ id: 'received', kind: 'received', params: {}, maximised: false }], order: ['received'] });

test.each([
  ['a desk that will be empty greets', '', undefined, true],
  ['a desk that a link opens a window on does not', '#open=received', undefined, false],
  ['a desk whose windows come back does not', '', kept, false],
  ['a desk whose kept windows cannot be read greets', '', '{"windows":[', true],
])('while it is still asked whose desk it is, %s', async (_, hash, layout, greets) => {
  arriveAt(hash);
  if (layout !== undefined) sessionStorage.setItem('pergamin.layout.1.10000001', layout);
  answerFetch({ ...portal, 'GET /api/protected/account/self/info': new Response(new ReadableStream()) });
  open();
  await expect.element(page.getByText('Otwieranie Twoich dokumentów…')).toBeInTheDocument();
  expect(page.getByRole('heading', { level: 1, name: 'Dzień dobry' }).elements()).toHaveLength(greets ? 1 : 0);
});

test('the desk greets, offers its tile and shows the newest unread documents', async () => {
  answerFetch(portal);
  open();
  await expect.element(page.getByRole('heading', { name: 'Dzień dobry' })).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Otrzymane' })).toBeVisible();
  await expect.element(page.getByRole('button', { name: /Aneks nr 1.*Kredyty hipoteczne.*2026-11-18$/ })).toBeVisible();
  expect(page.getByRole('button', { name: /Aneks nr 2/ }).elements()).toEqual([]);
  expect(document.title).toBe('Pulpit · Pergamin');
});

test('a customer without documents is told so', async () => {
  await freshTab('EN');
  storeSession({ token: tokenFor('10000001'), expiresAtEpochMs: Date.now() + 900_000 });
  answerFetch({
    ...portal,
    'GET /api/protected/account/self/info': { ...anna, language: 'EN' },
    'POST /api/protected/documents/list/data': { items: [], total: 0 },
  });
  open();
  await expect.element(page.getByRole('heading', { name: 'Hello' })).toBeVisible();
  await expect.element(page.getByText('There are no documents for you yet')).toBeVisible();
});

test('a language that was chosen in this browser becomes the client’s', async () => {
  keepChosenLanguage('PL');
  const asked = answerFetch({
    ...portal,
    'GET /api/protected/account/self/info': { ...anna, language: 'EN' },
    'POST /api/protected/account/setup-language/PL': new Response(null, { status: 204 }),
  });
  open();
  await expect.poll(() => asked.map(({ line }) => line)).toContain('POST /api/protected/account/setup-language/PL');
});

test('however a session ends, the windows and the names in them leave this tab', async () => {
  sessionStorage.setItem('pergamin.layout.1.10000001', kept);
  answerFetch(portal);
  open();
  await expect.element(page.getByRole('region', { name: 'Dokumenty otrzymane' })).toBeVisible();
  clearSession();
  expect(Object.keys(sessionStorage).filter((key) => key.startsWith('pergamin.layout'))).toEqual([]);
  await expect.element(page.getByRole('region', { name: 'Dokumenty otrzymane' })).not.toBeInTheDocument();
});

test('a session that has ended before there is a desk leaves no names of documents in this tab', async () => {
  sessionStorage.setItem('pergamin.layout.1.10000001', kept);
  answerFetch({ ...portal, 'GET /api/protected/account/self/info': refusal(401, 'UNAUTHORIZED') });
  open();
  await expect.poll(() => Object.keys(sessionStorage).filter((key) => key.startsWith('pergamin.layout'))).toEqual([]);
});

test('documents that cannot be listed can be asked for again', async () => {
  const asked = answerFetch({ ...portal, 'POST /api/protected/documents/list/data': refusal(503, 'STORAGE_ERROR') });
  open();
  await userEvent.click(page.getByRole('button', { name: 'Spróbuj ponownie' }));
  const sizes = () =>
    Promise.all(
      asked
        .filter(({ line }) => line.endsWith('/list/data'))
        .map(async ({ request }) => (await request.clone().text()).includes('"size":6')),
    );
  await expect.poll(async () => (await sizes()).filter(Boolean)).toHaveLength(2);
});

test('before the statute is accepted there is its window and nothing else', async () => {
  const began = performance.now();
  const asked = answerFetch({ ...portal, 'GET /api/protected/documents/statute/data': { ...statute, accepted: false } });
  open();
  await expect.element(page.getByRole('region', { name: 'Regulamin' })).toBeVisible();
  expect(performance.now() - began).toBeGreaterThanOrEqual(statuteLimits.shownAfterMs);
  expect(page.getByRole('button', { name: 'Otrzymane' }).elements()).toEqual([]);
  expect(page.getByRole('button', { name: /Menu użytkownika/ }).elements()).toEqual([]);
  expect(asked.map(({ line }) => line)).not.toContain('POST /api/protected/documents/list/data');
  expect(localStorage.getItem('statute-accepted')).toBeNull();
});

test('an accepted statute leaves its flag, with person and version', async () => {
  answerFetch(portal);
  open();
  await expect.poll(() => localStorage.getItem('statute-accepted')).toBe('{"personalId":"10000001","version":"3"}');
});

test('without a statute in force nothing is blocked', async () => {
  const none = { id: null, version: null, effectiveFrom: null, accepted: false, pagesReached: [] };
  answerFetch({ ...portal, 'GET /api/protected/documents/statute/data': none });
  open();
  await expect.element(page.getByRole('button', { name: 'Otrzymane' })).toBeVisible();
});

test('a link that leads to no window of ours is answered calmly', async () => {
  arriveAt('#open=payments');
  answerFetch(portal);
  open();
  await expect.element(page.getByRole('status').getByText('Nie znaleziono')).toBeVisible();
});

test('a link opens its window, which then names the page', async () => {
  arriveAt('#open=received');
  answerFetch(portal);
  open();
  await expect.element(page.getByRole('region', { name: 'Dokumenty otrzymane' })).toBeVisible();
  expect(document.title).toBe('Dokumenty otrzymane · Pergamin');
  expect(location.hash).toBe('');
});

test('a window whose title is written with a small letter names the page with a capital', async () => {
  await freshTab('EN');
  storeSession({ token: tokenFor('10000001'), expiresAtEpochMs: Date.now() + 900_000 });
  arriveAt('#open=statements');
  answerFetch({ ...portal, 'GET /api/protected/account/self/info': { ...anna, language: 'EN' } });
  open();
  await expect.poll(() => document.title).toBe('Statements · Pergamin');
});

test('a document whose name begins with a small letter names the page as it is written', async () => {
  const row = documentRow(1, null);
  const named = { ...row, metadata: { ...row.metadata, FILE_NAME: 'aneks.pdf' } };
  answerFetch({ ...portal, 'POST /api/protected/documents/list/data': { items: [named], total: 1 } });
  open();
  await userEvent.click(page.getByRole('button', { name: /aneks/ }));
  await expect.poll(() => document.title).toBe('aneks · Pergamin');
});

test('the menu opens the received documents', async () => {
  answerFetch(portal);
  open();
  await userEvent.click(page.getByRole('button', { name: 'Dokumenty', exact: true }));
  await userEvent.click(page.getByRole('menuitem', { name: 'Dokumenty otrzymane' }));
  await expect.element(page.getByRole('region', { name: 'Dokumenty otrzymane' })).toBeVisible();
});

test('the appearance that is chosen holds at once', async () => {
  onTestFinished(() => {
    document.cookie = 'theme=; Path=/; Max-Age=0';
    delete document.documentElement.dataset['theme'];
  });
  answerFetch(portal);
  open();
  await userEvent.click(page.getByRole('button', { name: /Menu użytkownika/ }));
  await userEvent.click(page.getByRole('menuitem', { name: 'Wygląd' }));
  await userEvent.click(page.getByRole('radio', { name: 'Ciemny' }));
  expect(document.documentElement.dataset['theme']).toBe('dark');
  expect(document.cookie).toContain('theme=dark');
});

test('the same language changes nothing', async () => {
  answerFetch(portal);
  open();
  await userEvent.click(page.getByRole('button', { name: /Menu użytkownika/ }));
  await userEvent.click(page.getByRole('menuitem', { name: 'Wybierz język' }));
  await userEvent.click(page.getByRole('button', { name: 'Zmień' }));
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  expect(sessionStorage.getItem('lang')).toBe('PL');
});

test('another person who signs in in another tab gets a desk of their own, without the windows of this one', async () => {
  onTestFinished(joinTabs());
  arriveAt('#open=received');
  const asked = answerFetch(portal);
  const began: (string | undefined)[] = [];
  open(() => began.push(currentToken()));
  await expect.element(page.getByRole('region', { name: 'Dokumenty otrzymane' })).toBeVisible();
  const token = signInElsewhere('10000002');
  await expect.poll(() => began).toEqual([token]);
  await expect.element(page.getByRole('region', { name: 'Dokumenty otrzymane' })).not.toBeInTheDocument();
  expect(asked.filter(({ request }) => request.headers.get('authorization') === token)).toEqual([]);
  expect(Object.keys(sessionStorage).filter((key) => key.includes('10000001'))).toEqual([]);
});

test('the account menu leads to the change of the password', async () => {
  answerFetch(portal);
  open();
  await userEvent.click(page.getByRole('button', { name: /Menu użytkownika/ }));
  await userEvent.click(page.getByRole('menuitem', { name: 'Zmień hasło' }));
  await expect.element(page.getByRole('dialog', { name: 'Zmień hasło' })).toBeVisible();
});

test('the account menu leads to the reset of the password', async () => {
  answerFetch(portal);
  open();
  await userEvent.click(page.getByRole('button', { name: /Menu użytkownika/ }));
  await userEvent.click(page.getByRole('menuitem', { name: 'Zresetuj hasło' }));
  await expect.element(page.getByRole('alertdialog', { name: 'Zresetuj hasło' })).toBeVisible();
});

test('the end of the session is warned of on the desk', async () => {
  storeSession({ token: tokenFor('10000001'), expiresAtEpochMs: Date.now() + 60_000 });
  answerFetch(portal);
  open();
  await expect.element(page.getByRole('region', { name: 'Koniec sesji' })).toBeVisible();
});

test('a notice of changed data opens the account', async () => {
  const notice = { id: statuteId, type: 'account_update', value: '10000001', name: '', receiver: '10000001', timestamp: 5, read: false };
  answerFetch({
    ...portal,
    'GET /api/protected/notifications/list': { items: [notice] },
    [`POST /api/protected/notifications/read/${statuteId}`]: new Response(null, { status: 204 }),
  });
  open();
  await userEvent.click(page.getByRole('button', { name: 'Powiadomienia: 1 nieprzeczytane' }));
  await userEvent.click(page.getByRole('button', { name: /Zaktualizowano dane osobowe/ }));
  await expect.element(page.getByRole('region', { name: 'Konto użytkownika' }).first()).toBeVisible();
});
