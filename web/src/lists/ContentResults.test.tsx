import type { DocumentRow } from '@pergamin/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { Announcer } from '#kit/feedback/Announcer.tsx';
import { show } from '#kit/render.fixture.tsx';
import { answerFetch, freshTab, refusal } from '#platform/page.fixture.tsx';
import { ContentResults } from './ContentResults.tsx';

const searchPath = 'POST /api/protected/documents/search';
const idOf = (number: number): string => `6f1b7a32-0000-4000-8000-${String(number).padStart(12, '0')}`;
const row = (number: number): DocumentRow => ({
  id: idOf(number),
  state: 'ACTIVE',
  corrupted: false,
  deleted: false,
  published: true,
  read: 5,
  downloaded: null,
  metadata: { FILE_NAME: `Umowa ${number}.pdf`, PUBLICATION_DATE: '2026-11-18', CHECKSUM_SHA256: 'ab'.repeat(32) },
});
const found = (number: number, onPage: number) => ({
  document: row(number),
  page: onPage,
  fragment: [
    { text: 'płatność ', match: false },
    { text: 'rat', match: true },
    { text: ' co miesiąc <b>', match: false },
  ],
});

const open = (answer: unknown, hrefOf: (id: string) => string | undefined = (id) => `./#open=document:${id}`) => {
  const asked = answerFetch({ [searchPath]: answer });
  const shown: (readonly [string, number])[] = [];
  const done: (readonly [string, string])[] = [];
  const entry = (id: string, label: string) => ({ id, label });
  const menu = {
    entries: () => [entry('show', 'Pokaż'), entry('download', 'Pobierz')],
    onAction: ({ id }: DocumentRow, action: string) => void done.push([id, action]),
  };
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } } });
  const host = show(
    <QueryClientProvider client={queries}>
      <ContentResults text="rat" hrefOf={hrefOf} onShow={({ id }, at) => shown.push([id, at])} menu={menu} />
      <Announcer />
    </QueryClientProvider>,
  );
  host.style.cssText = 'position: fixed; inset: 0; display: flex; flex-direction: column';
  const bodies = (): Promise<unknown[]> => Promise.all(asked.map(async ({ request }) => request.clone().json()));
  return { bodies, shown, done, host };
};
const entries = () => page.getByRole('list', { name: 'Znalezione w treści' }).getByRole('listitem');

beforeEach(async () => {
  await page.viewport(1280, 800);
  await freshTab('PL');
});

test('each result tells document, page and day, and marks the words that were found', async () => {
  const { host } = open({ items: [found(1, 3), found(2, 1)], total: 2 });
  await expect.poll(() => entries().elements().length).toBe(2);
  const first = entries().first().element();
  for (const text of ['Umowa 1', 'strona 3', '2026-11-18', 'płatność rat co miesiąc <b>']) expect(first.textContent).toContain(text);
  expect([...host.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['rat', 'rat']);
});

test('a result opens its document at the page, by its link as by the keyboard', async () => {
  const { shown } = open({ items: [found(1, 3), found(2, 7)], total: 2 });
  const link = page.getByRole('link', { name: /Umowa 2/ });
  await expect.element(link).toHaveAttribute('href', `./#open=document:${idOf(2)}`);
  await userEvent.click(link);
  page
    .getByRole('link', { name: /Umowa 1/ })
    .element()
    .focus();
  await userEvent.keyboard('{Enter}');
  expect(shown).toEqual([
    [idOf(2), 7],
    [idOf(1), 3],
  ]);
});

test('a right click on a result opens its menu, whose first entry shows the document at the page', async () => {
  const { shown, done } = open({ items: [found(1, 3)], total: 1 });
  await page.getByRole('listitem').filter({ hasText: 'Umowa 1' }).click({ button: 'right' });
  expect(page.getByRole('menuitem', { name: 'Zaznacz wiersz' }).elements()).toEqual([]);
  await userEvent.click(page.getByRole('menuitem', { name: 'Pobierz' }));
  expect(done).toEqual([[idOf(1), 'download']]);
  await userEvent.click(page.getByRole('button', { name: 'Więcej działań: Umowa 1' }));
  await userEvent.click(page.getByRole('menuitem', { name: 'Pokaż' }));
  expect(shown).toEqual([[idOf(1), 3]]);
});

test('where documents have no address, results are buttons', async () => {
  const { shown } = open({ items: [found(1, 3)], total: 1 }, () => undefined);
  await userEvent.click(page.getByRole('button', { name: /^Umowa 1/ }));
  expect(shown).toEqual([[idOf(1), 3]]);
});

test('how much was found is heard, and further pages are asked for one by one', async () => {
  const { bodies } = open({ items: [found(1, 3)], total: 25 });
  await expect.element(page.getByText('1–10 z 25')).toBeVisible();
  await expect.poll(() => document.body.textContent).toContain('Znaleziono 25');
  await userEvent.click(page.getByRole('button', { name: 'Następna strona' }));
  await expect.poll(bodies).toEqual([
    { text: 'rat', page: 0, size: 10 },
    { text: 'rat', page: 1, size: 10 },
  ]);
});

test('words that are on no page are said to be on none', async () => {
  const { bodies } = open({ items: [], total: 0 });
  await expect.element(page.getByRole('heading', { name: 'Brak danych' })).toBeVisible();
  await userEvent.click(page.getByRole('button', { name: 'Odśwież' }));
  await expect.poll(async () => (await bodies()).length).toBe(2);
});

test('a search that fails says so and can be made again', async () => {
  const { bodies } = open(refusal(500, 'INTERNAL_SERVER_ERROR'));
  await expect.element(page.getByRole('heading', { name: 'Nie udało się wczytać listy' })).toBeVisible();
  await userEvent.click(page.getByRole('button', { name: 'Spróbuj ponownie' }));
  await expect.poll(async () => (await bodies()).length).toBe(2);
});
