import type { DocumentRow } from '@pergamin/contract';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { emit } from '#platform/events.ts';
import { answerFetch, freshTab, show, tokenFor } from '#platform/page.fixture.tsx';
import { storeSession } from '#platform/session-token.ts';
import { listOf } from './document-lists.fixture.ts';
import { Workspace } from './Workspace.tsx';

const row = (number: number, read: number | null = null): DocumentRow => ({
  id: `6f1b7a32-0000-4000-8000-0000000000${String(number).padStart(2, '0')}`,
  state: 'ACTIVE',
  metadata: {
    FILE_NAME: `Aneks nr ${number}.pdf`,
    PUBLICATION_DATE: Date.UTC(2026, 10, 18, 10) - number,
    CHECKSUM_SHA256: String(number).padStart(2, '0').repeat(32),
  },
  corrupted: false,
  deleted: false,
  published: true,
  read,
  downloaded: null,
});
const rows = (count: number, read: number | null = null) => Array.from({ length: count }, (_, i) => row(i + 1, read));
const listPath = 'POST /api/protected/documents/list/data';

const open = (items: readonly DocumentRow[]) => {
  const answers: Record<string, unknown> = {
    'GET /api/protected/account/self/info': {
      personalId: '10000001',
      firstName: 'Anna',
      lastName: 'Nowak',
      managed: false,
      language: 'PL',
    },
    'GET /api/protected/documents/statute/data': { id: null, version: null, effectiveFrom: null, accepted: false, pagesReached: [] },
    'GET /api/protected/metadata/map': { items: [], statementMarker: 'BANK_ST_DOC_TYPE' },
    'GET /api/open/documents/metadata/dictionaries/list': { items: [] },
    'GET /api/protected/documents/markers/ignore': [],
    'GET /api/protected/notifications/list': { items: [] },
    [listPath]: listOf(items),
  };
  answerFetch(answers);
  return {
    start: () => show(<Workspace onSignedOut={() => undefined} />),
    /** From now on the portal has these. */
    becomes: (now: readonly DocumentRow[]) => void (answers[listPath] = listOf(now)),
  };
};
const waiting = page.getByRole('region', { name: 'Czekają na przeczytanie' });
const sheet = (number: number) => page.getByRole('button', { name: `Aneks nr ${number} 2026-11-18`, exact: true });
const sheetNames = () =>
  waiting
    .getByRole('listitem')
    .elements()
    .map(({ textContent }) => textContent);

beforeEach(async () => {
  await freshTab('PL');
  storeSession({ token: tokenFor('10000001'), expiresAtEpochMs: Date.now() + 900_000 });
});

describe('the desk', () => {
  test('says on the sheet of a cancelled document, and of a damaged one, what it is', async () => {
    open([{ ...row(1), state: 'CANCELLED' }, { ...row(2), corrupted: true }, row(3)]).start();
    await expect.element(waiting.getByRole('button', { name: /^Aneks nr 1 Anulowany/ })).toBeVisible();
    await expect.element(waiting.getByRole('button', { name: /^Aneks nr 2 Zapisany plik jest uszkodzony/ })).toBeVisible();
    await expect.element(sheet(3)).toBeVisible();
  });

  test('shows six of many unread documents, and leads to all of them', async () => {
    open(rows(9)).start();
    await expect.element(waiting.getByRole('button', { name: 'Wszystkie nowe dokumenty: 9' })).toBeVisible();
    await expect.element(waiting.getByRole('button', { name: 'Wszystkie nowe wyciągi: 9' })).toBeVisible();
    expect(sheetNames()).toHaveLength(6);
    await userEvent.click(waiting.getByRole('button', { name: 'Wszystkie nowe dokumenty: 9' }));
    await expect.element(page.getByRole('region', { name: 'Dokumenty otrzymane' })).toBeVisible();
  });

  test('opens the document of a sheet by the Enter key', async () => {
    open(rows(2)).start();
    await expect.element(sheet(2)).toBeVisible();
    sheet(2).element().focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByRole('region', { name: 'Aneks nr 2' }).first()).toBeVisible();
  });

  test('lays a document that is published meanwhile before the others', async () => {
    const portal = open(rows(3).slice(1));
    portal.start();
    await expect.element(sheet(2)).toBeVisible();
    portal.becomes(rows(3));
    emit('documentsPublished', undefined);
    await expect.element(sheet(1)).toBeVisible();
    expect(sheetNames()[0]).toContain('Aneks nr 1');
  });

  test('takes a document away that was read, and its successor takes the focus', async () => {
    const portal = open(rows(3));
    portal.start();
    await expect.element(sheet(2)).toBeVisible();
    sheet(2).element().focus();
    portal.becomes([row(1), row(2, 5), row(3)]);
    emit('documentUpdated', { documentId: row(2).id });
    await expect.element(sheet(2)).not.toBeInTheDocument();
    expect(document.activeElement).toBe(sheet(3).element());
  });

  test('says that everything is read, and shows what was published last', async () => {
    open(rows(3, 5)).start();
    await expect.element(page.getByText('Wszystko przeczytane. Nowe dokumenty pojawią się tutaj.')).toBeVisible();
    await expect
      .element(page.getByRole('region', { name: 'Ostatnio opublikowane' }).getByRole('button', { name: /Aneks nr 3/ }))
      .toBeVisible();
    expect(waiting.elements()).toEqual([]);
  });

  test('shows unread documents that are older than many that were read', async () => {
    open([...rows(20, 5), row(77)]).start();
    await expect.element(sheet(77)).toBeVisible();
    expect(sheetNames()).toHaveLength(1);
  });

  test('has its documents before its tiles, on a phone four of them', async () => {
    await page.viewport(390, 844);
    onTestFinished(() => page.viewport(1280, 800));
    open(rows(9)).start();
    await expect.element(sheet(4)).toBeVisible();
    expect(sheetNames()).toHaveLength(4);
    const tile = page.getByRole('navigation', { name: 'Skróty' }).getByRole('button', { name: /Otrzymane/ });
    expect(sheet(4).element().getBoundingClientRect().bottom).toBeLessThan(tile.element().getBoundingClientRect().top);
  });
});
