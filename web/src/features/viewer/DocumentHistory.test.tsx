import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { emit } from '#platform/events.ts';
import { answerFetch, freshTab, refusal, show } from '#platform/page.fixture.tsx';
import { documentId, historyPath } from './document.fixture.ts';
import { DocumentHistory } from './DocumentHistory.tsx';

const published = { event: 'PUBLISHED', at: Date.UTC(2026, 9, 30, 8, 41, 7), before: null, after: null, entry: { index: 1_233 } };
const notified = { event: 'NOTIFIED', at: Date.UTC(2026, 9, 31, 10), before: null, after: null, entry: { index: 1_240 } };
const opened = { event: 'OPENED', at: Date.UTC(2026, 10, 1, 9), before: null, after: null, entry: null };
const downloaded = { event: 'DOWNLOADED', at: Date.UTC(2026, 10, 1, 10), before: null, after: null, entry: null };
const read = { event: 'READ', at: Date.UTC(2026, 10, 2, 10), before: null, after: null, entry: null };
const cancelled = { event: 'STATE_CHANGED', at: Date.UTC(2026, 10, 3, 10), before: 'ACTIVE', after: 'CANCELLED', entry: { index: 0 } };
const items = [published, notified, opened, downloaded, read, cancelled];
const ownRecord = 'The portal’s own record, without an entry of the register';

const open = (): void => {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  show(
    <QueryClientProvider client={queries}>
      <DocumentHistory documentId={documentId} />
    </QueryClientProvider>,
  );
};
const lines = () =>
  page
    .getByRole('listitem')
    .elements()
    .map((line) => [...line.children].map((part) => part.textContent).filter((text) => text !== ''));

beforeEach(() => freshTab('EN'));

describe('the history of a document', () => {
  test('tells what happened and when, each with its event and what it rests on', async () => {
    answerFetch({ [historyPath]: { items } });
    open();
    await expect.element(page.getByRole('region', { name: 'Document history' })).toBeVisible();
    await expect.element(page.getByRole('listitem').nth(5)).toBeVisible();
    expect(lines()).toEqual([
      ['publication date', '2026-10-30, 09:41:07', 'The organisation published the document', 'Entry 1,234 of the register'],
      ['notice date', '2026-10-31, 11:00:00', 'The portal sent you a notice', 'Entry 1,241 of the register'],
      ['opening date', '2026-11-01, 10:00:00', 'You opened it for the first time', ownRecord],
      ['download date', '2026-11-01, 11:00:00', 'You downloaded it for the first time', ownRecord],
      ['read date', '2026-11-02, 11:00:00', 'You finished reading it', ownRecord],
      ['modification date', '2026-11-03, 11:00:00', 'Its state changed: Active → Cancelled', 'Entry 1 of the register'],
    ]);
  });

  test('speaks Polish, too', async () => {
    await freshTab('PL');
    answerFetch({ [historyPath]: { items } });
    open();
    await expect.element(page.getByRole('region', { name: 'Historia dokumentu' })).toBeVisible();
    await expect.element(page.getByRole('listitem').nth(5)).toBeVisible();
    expect(lines().map(([name]) => name)).toEqual([
      'Data publikacji',
      'Wysłano powiadomienie',
      'Otwarto po raz pierwszy',
      'Pobrano po raz pierwszy',
      'Przeczytano do końca',
      'Data modyfikacji',
    ]);
    expect(lines()[5]?.[2]).toBe('Zmiana stanu: Aktywny → Anulowany');
    expect(lines()[0]?.[3]).toBe('Wpis 1\u{a0}234 w\u{a0}rejestrze');
  });

  test('grows when the document is downloaded or read meanwhile, and not for another one', async () => {
    const asked = answerFetch({ [historyPath]: { items: [published] } });
    open();
    await expect.element(page.getByRole('listitem')).toBeVisible();
    emit('documentUpdated', { documentId: 'another' });
    answerFetch({ [historyPath]: { items: [published, downloaded] } });
    emit('documentUpdated', { documentId });
    await expect.element(page.getByText('download date')).toBeVisible();
    expect(asked).toHaveLength(1);
  });

  test('that cannot be loaded says so, and can be asked for again', async () => {
    answerFetch({ [historyPath]: refusal(500, 'INTERNAL_SERVER_ERROR') });
    open();
    await expect.element(page.getByText('The history could not be loaded')).toBeVisible();
    answerFetch({ [historyPath]: { items } });
    await userEvent.click(page.getByRole('button', { name: 'Try again' }));
    await expect.element(page.getByText('publication date')).toBeVisible();
  });

  test('tells which pages could not be shown when it was read', async () => {
    answerFetch({ [historyPath]: { items: [{ ...read, pagesNotShown: [2, 3, 7] }] } });
    open();
    await expect.element(page.getByText('You finished reading it. Pages 2–3, 7 could not be shown.')).toBeVisible();
  });
});
