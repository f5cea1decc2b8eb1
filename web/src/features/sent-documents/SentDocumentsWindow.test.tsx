import { sentQuery, type Category, type SentDocument, type SentQuery } from '@pergamin/contract';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { showWindow } from '#desktop/window.fixture.tsx';
import { emit, on, type PortalEvents } from '#platform/events.ts';
import { answerFetch, freshTab } from '#platform/page.fixture.tsx';
import { SentDocumentsWindow } from './SentDocumentsWindow.tsx';

const listPath = 'POST /api/protected/documents/client/list';
const named = (pl: string) => ({ pl, en: `${pl} (EN)` });
const idOf = (number: number): string => `6f1b7a32-0000-4000-8000-${String(number).padStart(12, '0')}`;
const sent = (number: number, part: Partial<SentDocument> = {}): SentDocument => ({
  id: idOf(number),
  filename: `Wniosek ${number}.pdf`,
  category: { id: 'LOANS', name: named('Kredyty') },
  type: { id: 'INCOME', name: named('Zaświadczenie') },
  createdOn: Date.UTC(2026, 10, 19, 9, 22, 41),
  retentionDate: '2036-11-17',
  status: 'SENT',
  receivedOn: null,
  sha256: 'ab'.repeat(32),
  ...part,
});
const type = (id: string, pl: string, deleted = false) => ({ id, name: named(pl), deleted });
const categories: readonly Category[] = [
  {
    id: 'LOANS',
    name: named('Kredyty'),
    deleted: false,
    createdOn: 0,
    types: [type('INCOME', 'Zaświadczenie'), type('OLD', 'Dawny', true)],
  },
  { id: 'GONE', name: named('Dawne'), deleted: true, createdOn: 0, types: [type('X', 'Inne')] },
];

const open = (items: readonly SentDocument[], total = items.length) => {
  const asked = answerFetch({ 'POST /api/protected/documents/client/categories': categories, [listPath]: { items, total } });
  const shown: string[] = [];
  let sendings = 0;
  showWindow(() => (
    <SentDocumentsWindow
      hrefOf={(id) => `./#open=sent-document:${id}`}
      onShow={({ id }) => void shown.push(id)}
      onSend={() => {
        sendings += 1;
      }}
    />
  ));
  const queries = (): Promise<SentQuery[]> =>
    Promise.all(asked.filter(({ line }) => line === listPath).map(async ({ request }) => sentQuery.parse(await request.clone().json())));
  return { queries, shown, sendings: () => sendings };
};
const button = (name: string | RegExp) => page.getByRole('button', { name });
const row = (name: string) => page.getByRole('row').filter({ hasText: name });
const choose = async (label: RegExp, option: string): Promise<void> => {
  await userEvent.click(button(label));
  await userEvent.click(page.getByRole('option', { name: option }));
};

const textOf = (where: Locator) => (): string => where.element().textContent ?? '';

beforeEach(async () => {
  await page.viewport(1440, 800);
  await freshTab('PL');
});

test('a row tells file, category, type, when it was sent, how long it is kept, and what can be done', async () => {
  open([sent(1)]);
  await expect.element(row('Wniosek 1.pdf')).toBeVisible();
  for (const text of ['Kredyty', 'Zaświadczenie', '2026-11-19, 10:22:41', '2036-11-17', 'Wysłany'])
    expect(row('Wniosek 1.pdf').element().textContent).toContain(text);
  await expect.element(button('Pokaż: Wniosek 1.pdf')).toBeVisible();
  await expect.element(button('Pobierz: Wniosek 1.pdf')).toBeVisible();
});

test('how long a document is kept is told below its name where the column has no room', async () => {
  await page.viewport(1000, 800);
  open([sent(1)]);
  await expect.element(page.getByRole('columnheader', { name: 'Data końca przechowywania' })).toBeVisible();
  await userEvent.click(button('Filtry'));
  await expect.element(page.getByRole('columnheader', { name: 'Data końca przechowywania' })).not.toBeInTheDocument();
  await expect.poll(textOf(row('Wniosek 1.pdf'))).toContain('Wysłany, Data końca przechowywania: 2036-11-17');
});

test('a right click on a row opens its menu', async () => {
  const { shown } = open([sent(1)]);
  await row('Wniosek 1.pdf').getByRole('cell').nth(1).click({ button: 'right' });
  await expect.element(page.getByRole('menuitem', { name: 'Pobierz' })).toBeVisible();
  await userEvent.click(page.getByRole('menuitem', { name: 'Pokaż' }));
  expect(shown).toHaveLength(1);
});

test('what the organisation has taken over says so, with the moment; what is kept without an end says that', async () => {
  open([sent(1, { status: 'RECEIVED', receivedOn: Date.UTC(2026, 10, 20, 7, 0, 5), retentionDate: -1 })]);
  await expect.element(row('Wniosek 1.pdf')).toBeVisible();
  await expect.poll(textOf(row('Wniosek 1.pdf'))).toContain('Odebrany przez organizację 2026-11-20, 08:00:05');
  await expect.poll(textOf(row('Wniosek 1.pdf'))).toContain('bezterminowo');
});

test('filters are sent when they are applied: the type goes with its category, days reach from their beginning to their end', async () => {
  const { queries } = open([sent(1)]);
  await choose(/Kategoria$/, 'Kredyty');
  await choose(/Typ$/, 'Dawny (wycofane)');
  await userEvent.fill(page.getByRole('textbox', { name: 'Wysłano po' }), '01-06-2026');
  await userEvent.fill(page.getByRole('textbox', { name: 'Wysłano przed' }), '20-11-2026');
  expect(await queries()).toHaveLength(1);
  await userEvent.click(button('Zastosuj'));
  await expect
    .poll(async () => (await queries()).at(-1)?.criteria)
    .toEqual({
      filename: null,
      categoryId: 'LOANS',
      typeId: 'OLD',
      createdOnAfter: Date.parse('2026-06-01T00:00:00+02:00'),
      createdOnBefore: Date.parse('2026-11-20T23:59:59.999+01:00'),
    });
  await choose(/Kategoria$/, 'Dawne (wycofane)');
  await expect.poll(textOf(button(/Typ$/))).toContain('Wszystkie');
  await userEvent.click(button('Wyczyść'));
  await expect.poll(async () => (await queries()).at(-1)?.criteria.categoryId).toBe(null);
});

test.each([
  ['PL', 'Wysłano', 'po', 'przed', 'Zastosuj', 'Wybrano nieprawidłową datę', 'Wybierz poprawną datę rejestracji dokumentu'],
  ['EN', 'send date', 'after', 'before', 'apply', 'wrong date selected', 'Select correct document registration date'],
] as const)(
  '%s: an end before the beginning is said at its field and asks for nothing',
  async (language, label, after, before, apply, title, detail) => {
    await freshTab(language);
    const alerts: PortalEvents['alert'][] = [];
    onTestFinished(on('alert', (alert) => alerts.push(alert)));
    const { queries } = open([sent(1)]);
    const until = page.getByRole('textbox', { name: `${label} ${before}` });
    await userEvent.fill(page.getByRole('textbox', { name: `${label} ${after}` }), '20-11-2026');
    await userEvent.fill(until, '01-06-2026');
    await userEvent.click(button(apply));
    await expect.element(until).toHaveAccessibleDescription(detail);
    expect(alerts).toEqual([{ tone: 'error', title, detail }]);
    await expect.element(until).toHaveFocus();
    expect(await queries()).toHaveLength(1);
  },
);

test('the newest stand first, the head of the column turns that around, and pages are asked for one by one', async () => {
  const { queries } = open([sent(1)], 25);
  await userEvent.click(
    page
      .getByRole('columnheader', { name: /Data wysłania/ })
      .getByRole('button')
      .first(),
  );
  await expect.poll(async () => (await queries()).at(-1)?.sort).toEqual([{ by: 'createdOn', order: 'asc' }]);
  await userEvent.click(button('Następna strona'));
  await expect.poll(async () => (await queries()).at(-1)?.page).toBe(1);
});

test('a document opens by its name, sending by its button, and what was sent elsewhere comes into the list', async () => {
  const { queries, shown, sendings } = open([sent(1)]);
  await userEvent.click(page.getByRole('link', { name: 'Wniosek 1.pdf' }));
  expect(shown).toEqual([idOf(1)]);
  await userEvent.click(button('Wyślij dokumenty'));
  expect(sendings()).toBe(1);
  emit('documentSent', undefined);
  await expect.poll(async () => (await queries()).length).toBe(2);
});
