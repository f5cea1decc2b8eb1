import { addMonths, createDayOf, documentQuery, listLimits, startOfDay, type DocumentQuery, type DocumentRow } from '@pergamin/contract';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { showWindow } from '#desktop/window.fixture.tsx';
import { emit, on, type PortalEvents } from '#platform/events.ts';
import { answerFetch, freshTab, refusal, type Answers, type Asked } from '#platform/page.fixture.tsx';
import { ReceivedDocumentsWindow } from './ReceivedDocumentsWindow.tsx';

const listPath = 'POST /api/protected/documents/list/data';
const idOf = (number: number): string => `6f1b7a32-0000-4000-8000-${String(number).padStart(12, '0')}`;
const downloadPath = (number: number): string => `GET /api/protected/documents/download/${idOf(number)}`;
const checkPath = (number: number): string => `GET /api/protected/documents/document/check/${idOf(number)}`;

const document = (number: number, part: Partial<DocumentRow> = {}, metadata: DocumentRow['metadata'] = {}): DocumentRow => ({
  id: idOf(number),
  state: 'ACTIVE',
  corrupted: false,
  deleted: false,
  published: true,
  read: null,
  downloaded: null,
  ...part,
  metadata: {
    FILE_NAME: `Umowa ${number}.pdf`,
    PRIV_DOC_PRODUCT_GROUP: 'LOANS',
    ACCOUNT_NUMBER: 'PL61109010140000071219812874',
    PRIV_CASE_NUMBER: `KH/${number}`,
    REG_DATE: '2026-11-18',
    CHECKSUM_SHA256: 'ab'.repeat(32),
    ...metadata,
  },
});

const portalWith = (items: readonly DocumentRow[], total = items.length): Answers => ({
  'GET /api/protected/views/list': { folders: [], items: [] },
  'POST /api/protected/documents/view/values': { items: ['LOANS'], more: false },
  'GET /api/protected/documents/markers/ignore': ['DOC_EXT'],
  'GET /api/protected/metadata/map': {
    items: [
      {
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
        dictionary: 'GROUPS',
        screens: ['R', 'D'],
      },
    ],
    statementMarker: 'BANK_ST_DOC_TYPE',
  },
  'GET /api/open/documents/metadata/dictionaries/list': {
    items: [{ id: 'GROUPS', name: { pl: '', en: '' }, type: 'KEY_NAME', values: [{ key: 'LOANS', name: { pl: 'Kredyty', en: 'Loans' } }] }],
  },
  [listPath]: { items, total },
});

const open = (answers: Answers) => {
  const asked = answerFetch(answers);
  const opened: (readonly [string, string])[] = [];
  const alerts: PortalEvents['alert'][] = [];
  onTestFinished(on('alert', (alert) => alerts.push(alert)));
  showWindow(() => (
    <ReceivedDocumentsWindow
      kind="received"
      since={undefined}
      unread={false}
      hrefOf={(id) => `./#open=document:${id}`}
      onShow={({ id, title }) => void opened.push([id, title])}
      onHistory={({ id, title }) => void opened.push([id, `history of ${title}`])}
    />
  ));
  return { asked, opened, alerts };
};
const linesOf = (asked: readonly Asked[], start: string): string[] =>
  asked.map(({ line }) => line).filter((line) => line.startsWith(start));
const queriesOf = async (asked: readonly Asked[]): Promise<DocumentQuery[]> =>
  Promise.all(asked.filter(({ line }) => line === listPath).map(async ({ request }) => documentQuery.parse(await request.clone().json())));

const row = (name: string) => page.getByRole('row').filter({ hasText: name });
const button = (name: string) => page.getByRole('button', { name, exact: true });

beforeEach(async () => {
  await page.viewport(1280, 800);
  await freshTab('PL');
});

describe('a row', () => {
  test('shows name, group, account, case and day; show, download and check follow in this order', async () => {
    open(portalWith([document(1, { read: 5 })]));
    await expect.element(row('Umowa 1')).toBeVisible();
    for (const text of ['Kredyty', 'PL61 1090 1014 0000 0712 1981 2874', 'KH/1', '2026-11-18'])
      expect(row('Umowa 1').element().textContent).toContain(text);
    const buttons = row('Umowa 1').getByRole('button');
    expect(buttons.elements()).toHaveLength(4);
    for (const [index, name] of ['Pokaż', 'Pobierz', 'Sprawdź', 'Więcej działań'].entries())
      await expect.element(buttons.nth(index)).toHaveAccessibleName(`${name}: Umowa 1`);
  });

  test('keeps its seal and its name when the account leaves for want of room, and the button of the columns says so', async () => {
    open(portalWith([document(1)]));
    await expect.element(row('Umowa 1')).toBeVisible();
    await expect.element(page.getByRole('columnheader', { name: 'Numer rachunku' })).toBeInTheDocument();
    await page.viewport(880, 800);
    await expect.element(page.getByRole('button', { name: 'Kolumny, 1 kolumna ukryta: brak miejsca' })).toBeVisible();
    expect(
      page
        .getByRole('columnheader')
        .elements()
        .map((head) => head.ariaLabel ?? head.textContent),
    ).not.toContain('Numer rachunku');
    const identity = row('Umowa 1').getByRole('cell').nth(1).element();
    expect(identity.querySelector('svg')?.getBoundingClientRect().width).toBe(34);
    expect(identity.getBoundingClientRect().width).toBeGreaterThanOrEqual(268);
  });

  test('of a new document is bold and says so; a read or downloaded one is not', async () => {
    open(portalWith([document(1), document(2, { read: 5 }), document(3, { downloaded: 5 })]));
    const weights = ['Umowa 1', 'Umowa 2', 'Umowa 3'].map(async (name) => {
      await expect.element(row(name)).toBeVisible();
      const cell = row(name).getByRole('cell').nth(1).element();
      const title = page.elementLocator(cell).getByText(name, { exact: true }).element();
      return [getComputedStyle(title).fontWeight, cell.textContent?.includes('nieprzeczytany')];
    });
    expect(await Promise.all(weights)).toEqual([
      ['700', true],
      ['600', false],
      ['600', false],
    ]);
  });

  test('opens by its name, which is a link of its own, and by its first button', async () => {
    const { opened } = open(portalWith([document(1)]));
    const link = row('Umowa 1').getByRole('link');
    await expect.element(link).toHaveAttribute('href', `./#open=document:${idOf(1)}`);
    await link.click();
    await row('Umowa 1').getByRole('button').first().click();
    expect(opened).toEqual([
      [idOf(1), 'Umowa 1'],
      [idOf(1), 'Umowa 1'],
    ]);
    expect(location.hash).toBe('');
  });

  test('can be checked only after reading', async () => {
    const { asked } = open(portalWith([document(1)]));
    await expect.element(button('Sprawdź: Umowa 1')).toHaveAccessibleDescription('Dokument można zweryfikować po przeczytaniu');
    await button('Sprawdź: Umowa 1').click({ force: true });
    expect(linesOf(asked, checkPath(1))).toEqual([]);
  });

  test('with an ignore marker has no working button; its name downloads', async () => {
    const { asked, opened } = open({
      ...portalWith([document(1, { read: 5 }, { DOC_EXT: 'zip' })]),
      [downloadPath(1)]: new Response('bytes'),
    });
    await expect.element(button('Pokaż: Umowa 1')).toHaveAccessibleDescription('Ten dokument można tylko pobrać');
    for (const name of ['Pokaż', 'Pobierz', 'Sprawdź'])
      await expect.element(button(`${name}: Umowa 1`)).toHaveAttribute('aria-disabled', 'true');
    await row('Umowa 1').getByRole('link').click();
    await expect.poll(() => linesOf(asked, downloadPath(1))).toHaveLength(1);
    expect(opened).toEqual([]);
  });

  test('of a damaged document says so, refuses showing and downloading, and can be checked', async () => {
    const { asked } = open({
      ...portalWith([document(1, { corrupted: true })]),
      [checkPath(1)]: { status: 'SHA_NOT_EQUAL', checkedAt: 1, entry: 'PROVED', differences: [], notCompared: [] },
    });
    await expect.element(row('Umowa 1').getByText('Zapisany plik jest uszkodzony', { exact: true })).toBeVisible();
    for (const name of ['Pokaż', 'Pobierz']) await expect.element(button(`${name}: Umowa 1`)).toHaveAttribute('aria-disabled', 'true');
    await button('Sprawdź: Umowa 1').click();
    await expect.poll(() => linesOf(asked, checkPath(1))).toEqual([checkPath(1)]);
  });

  test('of a document that is found damaged says so at once, by its check or by its opening, without the list being read again', async () => {
    const { asked } = open({
      ...portalWith([document(1, { read: 5 }), document(2), document(3)]),
      [checkPath(1)]: { status: 'SHA_NOT_EQUAL', checkedAt: null, entry: 'PROVED', differences: [], notCompared: [] },
    });
    const damaged = (name: string) => row(name).getByText('Zapisany plik jest uszkodzony', { exact: true });
    await button('Sprawdź: Umowa 1').click();
    await expect.element(damaged('Umowa 1')).toBeVisible();
    emit('documentDamaged', { documentId: idOf(2) });
    await expect.element(damaged('Umowa 2')).toBeVisible();
    await expect.element(button('Pokaż: Umowa 2')).toHaveAttribute('aria-disabled', 'true');
    expect(damaged('Umowa 3').query()).toBeNull();
    expect(linesOf(asked, listPath)).toHaveLength(1);
  });

  test('of a cancelled document bears its state', async () => {
    open(portalWith([document(1, { state: 'CANCELLED' }), document(2)]));
    await expect.element(row('Umowa 1').getByText('Anulowany')).toBeVisible();
    expect(row('Umowa 2').getByText('Aktywny').query()).toBeNull();
  });
});

describe('what a row does', () => {
  test('a download is saved under the document’s name, and the list is read again', async () => {
    const saved: string[] = [];
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    onTestFinished(() => click.mockRestore());
    const { asked } = open({ ...portalWith([document(1)]), [downloadPath(1)]: new Response('bytes') });
    await button('Pobierz: Umowa 1').click();
    await expect.poll(() => linesOf(asked, listPath)).toHaveLength(2);
    expect(saved).toEqual(['Umowa 1.pdf']);
  });

  test('a download of a document that is gone says so, and the list is read again', async () => {
    const { alerts, asked } = open({ ...portalWith([document(1)]), [downloadPath(1)]: refusal(404, 'DOCUMENT_NOT_FOUND_ERROR') });
    await button('Pobierz: Umowa 1').click();
    await expect.poll(() => alerts).toEqual([{ tone: 'error', title: 'Nie znaleziono dokumentu' }]);
    await expect.poll(() => linesOf(asked, listPath)).toHaveLength(2);
  });

  test('a check reads the stored file again and tells the verdict and when', async () => {
    const { alerts, asked } = open({
      ...portalWith([document(1, { read: 5 })]),
      [checkPath(1)]: { status: 'SHA_CIF_OK', checkedAt: Date.UTC(2026, 10, 20, 9), entry: 'PROVED', differences: [], notCompared: [] },
    });
    await button('Sprawdź: Umowa 1').click();
    await expect
      .poll(() => alerts.map(({ tone, title }) => [tone, title]))
      .toEqual([['success', 'Dokument został pomyślnie zweryfikowany']]);
    expect(alerts[0]?.detail).toContain('2026-11-20, 10:00:00');
    await expect.element(row('Umowa 1').getByText('Zweryfikowany, 2026-11-20, 10:00:00')).toBeVisible();
    // Not the check of opening, which may be ten minutes old.
    expect(linesOf(asked, checkPath(1))).toEqual([checkPath(1)]);
  });

  test('the verdict of a check stays in its row, and on its seal, until the list is reloaded', async () => {
    const documents = Array.from({ length: 11 }, (_, i) => document(i + 1, { read: 5 }));
    open({
      ...portalWith(documents),
      [checkPath(1)]: { status: 'SHA_CIF_OK', checkedAt: null, entry: 'PROVED', differences: [], notCompared: [] },
    });
    const sealMarks = () => row('Umowa 1').first().getByRole('cell').nth(1).element().querySelectorAll('[data-verdict="sound"]').length;
    await button('Sprawdź: Umowa 1').click();
    const verdict = page.getByRole('cell').getByText('Zweryfikowany', { exact: true });
    await expect.element(verdict).toBeVisible();
    expect(sealMarks()).toBe(1);
    await button('Następna strona').click();
    await expect.element(verdict).not.toBeInTheDocument();
    await button('Poprzednia strona').click();
    await expect.element(verdict).toBeVisible();
  });

  for (const [status, sentence] of [
    ['CIF_NOT_EQUAL', 'Identyfikator właściciela dokumentu (CIF) jest niezgodny'],
    ['SHA_NOT_EQUAL', 'Suma kontrolna dokumentu jest niezgodna'],
    ['SHA_CIF_NOK', 'Weryfikacja dokumentu nie powiodła się'],
    ['DOCUMENT_NOT_EXIST', 'Plik nie istnieje lub został usunięty'],
  ] as const)
    test(`the verdict ${status} is an error in words`, async () => {
      const { alerts } = open({
        ...portalWith([document(1, { read: 5 })]),
        [checkPath(1)]: { status, checkedAt: null, entry: 'PROVED', differences: [], notCompared: [] },
      });
      await button('Sprawdź: Umowa 1').click();
      await expect.poll(() => alerts.map(({ tone, title }) => [tone, title])).toEqual([['error', sentence]]);
      await expect.element(row('Umowa 1').getByText(sentence)).toBeVisible();
    });

  test('a check that finds another date than the register says so in words', async () => {
    const found = { status: 'SHA_CIF_NOK', checkedAt: null, entry: 'PROVED', differences: ['TIME'], notCompared: [] };
    const { alerts } = open({ ...portalWith([document(1, { read: 5 })]), [checkPath(1)]: found });
    await button('Sprawdź: Umowa 1').click();
    await expect
      .poll(() => alerts.map(({ detail }) => detail?.replaceAll('\u00A0', ' ')))
      .toEqual(['Umowa 1. Niezgodne z rejestrem: data publikacji. Wiemy już o tym.']);
  });

  test('a check of a document without an entry says so, and not that the file does not exist', async () => {
    const { alerts } = open({ ...portalWith([document(1, { read: 5 })]), [checkPath(1)]: refusal(404, 'NOT_FOUND_BC') });
    await button('Sprawdź: Umowa 1').click();
    await expect.poll(() => alerts.map(({ tone, title }) => [tone, title])).toEqual([['error', 'Dokument nie ma wpisu w rejestrze']]);
  });

  test('a check that is refused with 403 says that the checksum does not match', async () => {
    const { alerts } = open({ ...portalWith([document(1, { read: 5 })]), [checkPath(1)]: refusal(403, 'ACCESS_DENIED') });
    await button('Sprawdź: Umowa 1').click();
    await expect.poll(() => alerts.map(({ title }) => title)).toEqual(['Suma kontrolna dokumentu jest niezgodna']);
  });
});

describe('the list', () => {
  const many = Array.from({ length: listLimits.maxPageSize }, (_, index) => document(index + 1));

  test('asks for documents that are neither public nor statements, the newest first', async () => {
    const { asked } = open(portalWith([document(1)]));
    await expect.element(row('Umowa 1')).toBeVisible();
    expect(await queriesOf(asked)).toEqual([
      {
        text: null,
        criteria: {
          metadata: [
            { id: 'TYPE', operator: 'NOT_EQUALS', value: 'PUBLIC' },
            { id: 'BANK_ST_DOC_TYPE', operator: 'NOT_EQUALS', value: 'STATEMENTS' },
          ],
          period: { start: startOfDay(addMonths(createDayOf('Europe/Warsaw')(Date.now()), -3), 'Europe/Warsaw'), end: null },
        },
        sort: [{ by: 'PUBLICATION_DATE', order: 'desc' }],
        page: 0,
        size: 100,
      },
    ]);
  });

  test('is paged over what was fetched, and the next hundred is fetched ahead', async () => {
    const { asked } = open(portalWith(many, 250));
    await expect.element(page.getByText('1–10 z 250')).toBeVisible();
    await expect.poll(async () => (await queriesOf(asked)).map(({ page: window }) => window)).toEqual([0, 1]);
    await button('Następna strona').click();
    await expect.element(row('Umowa 11')).toBeVisible();
    await expect.element(page.getByText('11–20 z 250')).toBeVisible();
    expect(await queriesOf(asked)).toHaveLength(2);
  });

  test('goes back to its first page when the size of pages changes', async () => {
    open(portalWith(many));
    await button('Ostatnia strona').click();
    await expect.element(page.getByText('91–100 z 100')).toBeVisible();
    await page.getByRole('button', { name: /Liczba wierszy/ }).click();
    await page.getByRole('option', { name: '25', exact: true }).click();
    await expect.element(page.getByText('1–25 z 100')).toBeVisible();
    await expect.poll(() => page.getByRole('row').elements().length).toBe(26);
  });

  test('is sorted by a column downwards first, then upwards', async () => {
    const { asked } = open(portalWith([document(1)]));
    await button('Numer sprawy').click();
    await expect.element(page.getByRole('columnheader', { name: 'Numer sprawy' })).toHaveAttribute('aria-sort', 'descending');
    await expect.poll(async () => (await queriesOf(asked)).at(-1)).toMatchObject({ sort: [{ by: 'PRIV_CASE_NUMBER', order: 'desc' }] });
    await button('Numer sprawy').click();
    await expect.poll(async () => (await queriesOf(asked)).at(-1)).toMatchObject({ sort: [{ by: 'PRIV_CASE_NUMBER', order: 'asc' }] });
  });

  test('is read again when the marks of a document changed elsewhere', async () => {
    const { asked } = open(portalWith([document(1)]));
    await expect.element(row('Umowa 1')).toBeVisible();
    emit('documentUpdated', { documentId: idOf(1) });
    await expect.poll(() => linesOf(asked, listPath)).toHaveLength(2);
  });

  test('without documents says so and can be refreshed', async () => {
    const { asked } = open(portalWith([]));
    await expect.element(page.getByRole('heading', { name: 'Brak danych' })).toBeVisible();
    await button('Odśwież').click();
    await expect.poll(() => linesOf(asked, listPath)).toHaveLength(2);
  });

  test('that could not be read says so and can be tried again', async () => {
    const { asked } = open({ ...portalWith([]), [listPath]: refusal(500, 'INTERNAL_SERVER_ERROR') });
    await expect.element(page.getByRole('heading', { name: 'Nie udało się wczytać listy' })).toBeVisible();
    await button('Spróbuj ponownie').click();
    await expect.poll(() => linesOf(asked, listPath)).toHaveLength(2);
  });
});

describe('on a phone', () => {
  beforeEach(() => page.viewport(390, 844));

  test('the rows are a list, opened by a tap; the actions are in a menu', async () => {
    const { opened } = open(portalWith([document(1), document(2, { read: 5 })]));
    await page.getByRole('link', { name: /Umowa 1/ }).click();
    expect(opened).toEqual([[idOf(1), 'Umowa 1']]);
    await button('Więcej działań: Umowa 2').click();
    await expect.poll(() => page.getByRole('menuitem').elements().length).toBe(4);
    await page.getByRole('menuitem', { name: 'Pokaż' }).click();
    await expect.poll(() => opened).toHaveLength(2);
  });

  test('the history of a document, damaged or new, is in its menu', async () => {
    const { opened } = open(portalWith([document(1, { corrupted: true })]));
    await button('Więcej działań: Umowa 1').click();
    await page.getByRole('menuitem', { name: 'Historia dokumentu' }).click();
    await expect.poll(() => opened).toEqual([[idOf(1), 'history of Umowa 1']]);
  });

  test('what can only be downloaded can be downloaded from its menu too', async () => {
    const { asked } = open({
      ...portalWith([document(1, {}, { DOC_EXT: 'zip' })]),
      [downloadPath(1)]: new Response('bytes'),
    });
    await button('Więcej działań: Umowa 1').click();
    await page.getByRole('menuitem', { name: 'Pobierz' }).click();
    await expect.poll(() => linesOf(asked, downloadPath(1))).toHaveLength(1);
  });
});
