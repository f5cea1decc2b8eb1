import { documentQuery, type DocumentRow } from '@pergamin/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { show } from '#kit/render.fixture.tsx';
import { on, type PortalEvents } from '#platform/events.ts';
import { type Answers, answerFetch, freshTab, refusal } from '#platform/page.fixture.tsx';
import { publicAddress } from './public-address.ts';
import { PublicDocuments } from './PublicDocuments.tsx';

const listPath = 'POST /api/open/documents/list';
const id = '7c1b7a32-0000-4000-8000-000000000001';
const paper = (part: Partial<DocumentRow> = {}): DocumentRow => ({
  id,
  state: 'ACTIVE',
  corrupted: false,
  deleted: false,
  published: true,
  read: null,
  downloaded: null,
  metadata: { PUB_FILENAME: 'Taryfa opłat.pdf', PUB_DESC_DURATION_TIME: 'do odwołania', REG_DATE: '2026-11-18' },
  ...part,
});

const idInAddress = (): string | undefined => /^\/public\/(?<id>.+)$/.exec(location.pathname)?.groups?.['id'];

/** Stands in for the routes of the portal: the address decides what is shown. */
function Pages({ onNotFound }: { readonly onNotFound: (id: string) => void }) {
  const [documentId, setDocumentId] = useState(idInAddress);
  const goTo = (path: string, { state, replace = false }: { readonly state?: object; readonly replace?: boolean } = {}): void => {
    history[replace ? 'replaceState' : 'pushState'](state, '', path);
    setDocumentId(idInAddress());
  };
  useEffect(() => {
    const handleBack = () => setDocumentId(idInAddress());
    addEventListener('popstate', handleBack);
    return () => removeEventListener('popstate', handleBack);
  }, []);
  return (
    <PublicDocuments
      documentId={documentId}
      onShow={(shown, options) => goTo(publicAddress(shown), options)}
      onShowList={() => goTo('/login')}
      onNotFound={onNotFound}
    />
  );
}

const open = (list: unknown, answers: Answers = {}, address = '/login') => {
  const before = location.href;
  history.pushState(null, '', address);
  onTestFinished(() => history.pushState(null, '', before));
  const asked = answerFetch({
    'GET /api/open/documents/metadata/all': { items: [] },
    'GET /api/open/documents/metadata/dictionaries/list': { items: [] },
    [listPath]: list,
    ...answers,
  });
  const notFound: string[] = [];
  const alerts: PortalEvents['alert'][] = [];
  onTestFinished(on('alert', (alert) => alerts.push(alert)));
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } } });
  show(
    <QueryClientProvider client={queries}>
      <Pages onNotFound={(missing) => notFound.push(missing)} />
    </QueryClientProvider>,
  );
  const lines = (): string[] => asked.map(({ line }) => line);
  const bodies = () =>
    Promise.all(
      asked.filter(({ line }) => line === listPath).map(async ({ request }) => documentQuery.parse(await request.clone().json())),
    );
  return { lines, bodies, alerts, notFound };
};
const row = () => page.getByRole('row').filter({ hasText: 'Taryfa opłat' });
const button = (name: string) => page.getByRole('button', { name, exact: true });

beforeEach(async () => {
  await page.viewport(1280, 800);
  await freshTab('PL');
});

test('a visitor without a session sees public documents of any age, and nothing that only clients have', async () => {
  const { bodies, lines } = open({ items: [paper()], total: 1 });
  await expect.element(row()).toBeVisible();
  for (const text of ['Taryfa opłat', 'do odwołania', '2026-11-18']) expect(row().element().textContent).toContain(text);
  expect((await bodies()).map(({ criteria }) => criteria)).toEqual([
    { metadata: [{ id: 'TYPE', operator: 'EQUALS', value: 'PUBLIC' }], period: null },
  ]);
  expect(page.getByRole('checkbox').query()).toBeNull();
  expect(page.getByText('nieprzeczytany').query()).toBeNull();
  expect(button('Eksport').query()).toBeNull();
  expect(lines().filter((line) => line.includes('/protected/'))).toEqual([]);
});

test('a public document is checked without having been read, and saved under its name', async () => {
  const saved: string[] = [];
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  onTestFinished(() => click.mockRestore());
  const { alerts, lines } = open(
    { items: [paper({ metadata: { FILE_NAME: 'taryfa-2026.pdf', PUB_FILENAME: 'Taryfa opłat.pdf' } })], total: 1 },
    {
      [`GET /api/open/documents/check/${id}`]: { status: 'SHA_CIF_OK', checkedAt: 1, entry: 'PROVED', differences: [], notCompared: [] },
      [`GET /api/open/documents/download/${id}`]: new Response('bytes'),
    },
  );
  await userEvent.click(button('Sprawdź: Taryfa opłat'));
  await expect.poll(() => alerts.map(({ tone }) => tone)).toEqual(['success']);
  await userEvent.click(button('Pobierz: Taryfa opłat'));
  await expect.poll(() => saved).toEqual(['taryfa-2026.pdf']);
  expect(lines()).toContain(`GET /api/open/documents/download/${id}`);
});

test('the browser’s way back leads from a document to the row it was opened from, as its own buttons do', async () => {
  open(
    { items: [paper()], total: 1 },
    {
      [`GET /api/open/documents/details/${id}`]: refusal(404, 'DOCUMENT_NOT_FOUND_ERROR'),
      [`GET /api/open/documents/download/${id}`]: refusal(404, 'DOCUMENT_NOT_FOUND_ERROR'),
    },
  );
  const opener = row().getByRole('link', { name: 'Taryfa opłat', exact: true });
  const all = page.getByRole('link', { name: 'Wszystkie dokumenty publiczne' });
  const title = page.getByRole('heading', { name: 'Taryfa opłat' });
  const before = document.title;
  const byBrowser = () => Promise.resolve(history.back());
  for (const goBack of [byBrowser, () => userEvent.dblClick(button('Zamknij')), () => userEvent.click(all)]) {
    await userEvent.click(opener);
    await expect.element(title).toHaveFocus();
    expect(location.pathname).toBe(`/public/${id}`);
    expect(document.title).toMatch(/^Taryfa opłat · /);
    await goBack();
    await expect.element(opener).toHaveFocus();
    expect(title.query()).toBeNull();
    expect(document.title).toBe(before);
    expect(location.pathname).toBe('/login');
  }
});

test('the address of a document opens it without the list, which its buttons lead to', async () => {
  const { lines } = open(
    { items: [paper()], total: 1 },
    {
      [`GET /api/open/documents/details/${id}`]: new Promise(() => undefined),
      [`GET /api/open/documents/download/${id}`]: new Promise(() => undefined),
    },
    `/public/${id}`,
  );
  await expect.element(page.getByRole('heading', { name: 'Podgląd dokumentu' })).toHaveFocus();
  expect(lines()).not.toContain(listPath);
  await userEvent.click(button('Zamknij'));
  await expect.element(row()).toBeVisible();
  expect(location.pathname).toBe('/login');
});

test('an address of an unknown document is reported to the page', async () => {
  const { notFound } = open(
    { items: [], total: 0 },
    {
      [`GET /api/open/documents/details/${id}`]: refusal(404, 'DOCUMENT_NOT_FOUND_ERROR'),
      [`GET /api/open/documents/download/${id}`]: refusal(404, 'DOCUMENT_NOT_FOUND_ERROR'),
    },
    `/public/${id}`,
  );
  await expect.poll(() => notFound).toEqual([id]);
});

test('on a phone the search is seen at once, and another page begins at its first row', async () => {
  await page.viewport(390, 700);
  const rows = Array.from({ length: 20 }, (_, i) =>
    paper({ id: `7c1b7a32-0000-4000-8000-0000000000${i + 10}`, metadata: { PUB_FILENAME: `Taryfa ${i + 1}.pdf`, REG_DATE: '2026-11-18' } }),
  );
  open({ items: rows, total: 20 });
  await expect.element(page.getByRole('searchbox')).toBeVisible();
  const next = page.getByRole('button', { name: 'Następna strona' });
  await expect.element(next).toBeInTheDocument();
  next.element().scrollIntoView();
  await userEvent.click(next);
  await expect.element(page.getByText('Taryfa 11')).toBeInViewport();
});

test('without documents says so, and can be refreshed', async () => {
  const { bodies } = open({ items: [], total: 0 });
  await expect.element(page.getByRole('heading', { name: 'Brak danych' })).toBeVisible();
  await userEvent.click(button('Odśwież'));
  await expect.poll(async () => (await bodies()).length).toBe(2);
});

test('a list that could not be read says so, and can be tried again', async () => {
  const { bodies } = open(refusal(500, 'INTERNAL_SERVER_ERROR'));
  await expect.element(page.getByRole('heading', { name: 'Nie udało się wczytać listy' })).toBeVisible();
  await userEvent.click(button('Spróbuj ponownie'));
  await expect.poll(async () => (await bodies()).length).toBe(2);
});

test('while it is being read it shows a skeleton in the shape of rows, and says so', async () => {
  open(new Promise(() => undefined));
  await expect.element(page.getByText('Wczytywanie…')).toBeInTheDocument();
});

test('a damaged document says so and can be checked only', async () => {
  open({ items: [paper({ corrupted: true })], total: 1 });
  await expect.element(row().getByText('Zapisany plik jest uszkodzony', { exact: true })).toBeVisible();
  for (const name of ['Pokaż', 'Pobierz']) await expect.element(button(`${name}: Taryfa opłat`)).toHaveAttribute('aria-disabled', 'true');
  await expect.element(button('Sprawdź: Taryfa opłat')).not.toHaveAttribute('aria-disabled');
});
