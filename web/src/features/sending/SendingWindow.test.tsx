import type { Category } from '@pergamin/contract';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { showWindow } from '#desktop/window.fixture.tsx';
import { press } from '#kit/press.fixture.ts';
import { on, type PortalEvents } from '#platform/events.ts';
import { answerFetch, freshTab, tokenFor } from '#platform/page.fixture.tsx';
import { catchRequests, type FakeRequest } from '#platform/requests.fixture.ts';
import { storeSession } from '#platform/session-token.ts';
import { mayLeave } from '#platform/unsent-work.ts';
import { SendingWindow } from './SendingWindow.tsx';

const named = (pl: string, en: string) => ({ pl, en });
const type = (id: string, pl: string, en: string, deleted = false) => ({ id, name: named(pl, en), deleted });
const category = (id: string, pl: string, en: string, types: Category['types'], deleted = false): Category => ({
  id,
  types,
  deleted,
  name: named(pl, en),
  createdOn: 0,
});
const categories: readonly Category[] = [
  category('LOANS', 'Kredyty', 'Loans', [
    type('APPLICATION', 'Wniosek', 'Application'),
    type('INCOME', 'Łączny dochód', 'Income'),
    type('OLD', 'Dawny wniosek', 'Old application', true),
    type('LETTER', 'List', 'Letter'),
  ]),
  category('CARDS', 'Karty', 'Cards', [type('COMPLAINT', 'Reklamacja', 'Complaint')]),
  category('GONE', 'Dawne', 'Former', [type('X', 'X', 'X')], true),
  category('EMPTY', 'Bez typów', 'Without types', [type('Y', 'Y', 'Y', true)]),
];
const limits = { maxFileBytes: 5_242_880, filesPerSession: 20, filesPerDay: 200, leftToday: 200, leftInSession: 20 };

const open = (part: Partial<typeof limits> = {}, offered: readonly Category[] = categories) => {
  answerFetch({
    'POST /api/protected/documents/client/categories': offered,
    'GET /api/protected/documents/client/limits': { ...limits, ...part },
  });
  const requests = catchRequests();
  const sent: unknown[] = [];
  onTestFinished(on('documentSent', (event) => sent.push(event)));
  return { requests, sent, ...showWindow(() => <SendingWindow />) };
};

const button = (name: string | RegExp) => page.getByRole('button', { name });
const next = button('Next');
const fileGroup = (name: string) => page.getByRole('group', { name });
const pdf = (name: string, size = 9): File => {
  const content = new Uint8Array(size);
  content.set(new TextEncoder().encode('%PDF-1.7\n'));
  return new File([content], name, { type: 'application/pdf' });
};
const transferOf = (files: readonly File[]): DataTransfer => {
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  return transfer;
};
/** Lets files fall on the window. */
const drop = async (...files: File[]): Promise<void> => {
  await expect.element(button(/Add file|Dodaj plik/)).toBeVisible();
  const event = new DragEvent('drop', { dataTransfer: transferOf(files), bubbles: true, cancelable: true });
  button(/Add file|Dodaj plik/)
    .element()
    .dispatchEvent(event);
  expect(event.defaultPrevented).toBe(true);
};
const add = async (name: string): Promise<void> => {
  await drop(pdf(name));
  await expect.element(fileGroup(name)).toBeVisible();
};
const pick = async (file: string, label: string, option: string): Promise<void> => {
  await press(fileGroup(file).getByRole('button', { name: new RegExp(`${label}$`) }));
  await press(page.getByRole('option', { name: option, exact: true }));
};
const complete = async (...names: string[]): Promise<void> => {
  for (const name of names) {
    await add(name);
    await pick(name, 'category', 'Loans');
    await pick(name, 'type', 'Income');
  }
};
/** Blocked buttons can be pressed by keys, as people do. */
const pressEnter = async (locator: ReturnType<typeof button>): Promise<void> => {
  locator.element().focus();
  await userEvent.keyboard('{Enter}');
};
const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
const nth = async (requests: readonly FakeRequest[], at: number): Promise<FakeRequest> => {
  await expect.poll(() => requests.length).toBe(at + 1);
  const found = requests[at];
  if (found === undefined) throw new Error('Nothing was sent');
  return found;
};

const textOf = (where: Locator) => (): string => where.element().textContent ?? '';

beforeEach(async () => {
  await page.viewport(1280, 800);
  await freshTab('EN');
  storeSession({ token: tokenFor('10000001'), expiresAtEpochMs: undefined });
});

describe('a file is not taken', () => {
  const large = pdf('large.pdf', 5_242_881);
  const text = new File(['hello'], 'note.txt', { type: 'text/plain' });
  test.each([
    ['EN', 'with another one', [pdf('a.pdf'), pdf('b.pdf')], 'Select only one file'],
    ['PL', 'with another one', [pdf('a.pdf'), pdf('b.pdf')], 'Wybierz tylko jeden plik'],
    ['EN', 'of another type', [text], 'Invalid type format'],
    ['PL', 'of another type', [text], 'Nieprawidłowy format pliku'],
    ['EN', 'that is too large', [large], 'The file size is too large. The allowed size: 5MB'],
    ['PL', 'that is too large', [large], 'Plik jest za duży. Dozwolony rozmiar: 5 MB'],
  ] as const)('%s: %s', async (language, _, files, sentence) => {
    await freshTab(language);
    open();
    await drop(...files);
    await expect.element(page.getByRole('region', { name: 'Tested' }).getByText(sentence, { exact: true })).toBeVisible();
    expect(page.getByRole('alert').element().textContent).toContain(sentence);
    expect(page.getByRole('group').elements()).toEqual([]);
  });

  test('when as many are there as may be sent at once', async () => {
    open({ filesPerSession: 1 });
    await add('1.pdf');
    await expect.element(page.getByText('At most 1 file at once').first()).toBeVisible();
    await expect.element(button('Add file')).toHaveAttribute('aria-disabled', 'true');
    await drop(pdf('2.pdf'));
    expect(page.getByRole('group').elements()).toHaveLength(1);
  });

  test('when none is left of the session', async () => {
    open({ leftInSession: 0 });
    await expect.element(page.getByText(/No more documents can be sent in this session/).first()).toBeVisible();
    await expect.element(button('Add file')).toHaveAttribute('aria-disabled', 'true');
  });

  test('when fewer are left of the session than it had', async () => {
    open({ leftInSession: 1 });
    await expect.element(page.getByText(/you can send 1 more file in this session/).first()).toBeVisible();
  });

  test('when none is left of today', async () => {
    open({ leftToday: 0 });
    await expect.element(page.getByText('Today’s limit of documents has been reached').first()).toBeVisible();
  });
});

describe('the first step', () => {
  test('offers what can be chosen, by name, and a type only after its category', async () => {
    await freshTab('PL');
    open();
    await drop(pdf('1.pdf'));
    const file = fileGroup('1.pdf');
    await expect.element(file.getByRole('button', { name: /Typ$/ })).toBeDisabled();
    const optionsOf = async (label: string) => {
      await userEvent.click(file.getByRole('button', { name: new RegExp(`${label}$`) }));
      await expect.element(page.getByRole('listbox')).toBeVisible();
      return page
        .getByRole('option')
        .elements()
        .map(({ textContent }) => textContent);
    };
    expect(await optionsOf('Kategoria')).toEqual(['Karty', 'Kredyty']);
    await userEvent.click(page.getByRole('option', { name: 'Kredyty' }));
    // Ł comes after L in Polish.
    expect(await optionsOf('Typ')).toEqual(['List', 'Łączny dochód', 'Wniosek']);
  });

  test.each([
    ['EN', 'Next', 'category', 'Loans', 'Select the category of document', 'Select the type of document'],
    ['PL', 'Dalej', 'Kategoria', 'Kredyty', 'Wybierz kategorię dokumentu', 'Wybierz typ dokumentu'],
  ] as const)('%s: says what is missing, and leads there', async (language, forward, label, option, noCategory, noType) => {
    await freshTab(language);
    open();
    await add('1.pdf');
    const onward = button(forward);
    await expect.element(onward).toHaveAttribute('aria-disabled', 'true');
    await pressEnter(onward);
    await expect.element(page.getByText(noCategory, { exact: true })).toBeVisible();
    await expect.element(fileGroup('1.pdf').getByRole('button', { name: new RegExp(`${label}$`) })).toHaveFocus();
    await pick('1.pdf', label, option);
    await pressEnter(onward);
    await expect.element(page.getByText(noType, { exact: true })).toBeVisible();
    await expect.element(page.getByText(noCategory, { exact: true })).not.toBeInTheDocument();
  });

  test('another category takes the type away', async () => {
    open();
    await complete('1.pdf');
    await expect.element(next).not.toHaveAttribute('aria-disabled');
    await pick('1.pdf', 'category', 'Cards');
    await expect.poll(textOf(fileGroup('1.pdf').getByRole('button', { name: /type$/ }))).toContain('Choose');
    await expect.element(next).toHaveAttribute('aria-disabled', 'true');
  });

  test('asks before the same file is added once more', async () => {
    open();
    await add('1.pdf');
    await drop(pdf('1.pdf'));
    await userEvent.click(page.getByRole('dialog').getByRole('button', { name: 'Cancel' }));
    expect(page.getByRole('group', { name: '1.pdf' }).elements()).toHaveLength(1);
    await drop(pdf('1.pdf'));
    await userEvent.click(page.getByRole('dialog').getByRole('button', { name: 'Add again' }));
    await expect.poll(() => page.getByRole('group', { name: '1.pdf' }).elements().length).toBe(2);
  });

  test('a removed file is gone, and the focus is at its neighbour', async () => {
    open();
    await add('1.pdf');
    await add('2.pdf');
    await userEvent.click(button('Remove file: 1.pdf'));
    await expect.element(button('Remove file: 2.pdf')).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(button('Add file')).toHaveFocus();
  });

  test('one press gives every file the category and the type of this one', async () => {
    open();
    await complete('1.pdf');
    await add('2.pdf');
    await add('3.pdf');
    await userEvent.click(button('Same for all files').first());
    expect(button('Same for all files').elements()).toEqual([]);
    await userEvent.click(next);
    await expect.element(button('send documents')).toBeVisible();
  });

  test('a removed file can be brought back to its place, with what was said of it', async () => {
    open();
    await add('1.pdf');
    await add('2.pdf');
    const alerts: PortalEvents['alert'][] = [];
    onTestFinished(on('alert', (alert) => alerts.push(alert)));
    await userEvent.click(button('Remove file: 1.pdf'));
    expect(alerts).toMatchObject([{ title: 'Removed: 1.pdf', action: { label: 'Undo' } }]);
    alerts[0]?.action?.run();
    const names = () =>
      page
        .getByRole('button', { name: /^Remove file/ })
        .elements()
        .map((found) => found.getAttribute('aria-label'));
    await expect.poll(names).toEqual(['Remove file: 1.pdf', 'Remove file: 2.pdf']);
  });

  test('says so when the organisation takes nothing', async () => {
    open({}, []);
    await expect.element(page.getByRole('heading', { name: 'Documents cannot be sent yet' })).toBeVisible();
  });
});

describe('the summary', () => {
  const summary = async (...names: string[]) => {
    const opened = open();
    await complete(...names);
    await userEvent.click(next);
    await expect.element(button('send documents')).toBeVisible();
    return opened;
  };

  test('leads back until sending begins', async () => {
    const { requests } = await summary('1.pdf');
    await expect.element(page.getByText('Waiting')).toBeVisible();
    await userEvent.click(button('Back'));
    await userEvent.click(next);
    await userEvent.click(button('send documents'));
    await nth(requests, 0);
    expect(button('Back').elements()).toEqual([]);
  });

  test('sends one after another with real progress, tries again only what is missing, and closes', async () => {
    const { requests, sent, isOpen } = await summary('1.pdf', '2.pdf');
    await userEvent.click(button('send documents'));
    const first = await nth(requests, 0);
    const form = first.body;
    if (!(form instanceof FormData)) throw new Error('Not a form');
    expect(form.get('description')).toBe('{"filename":"1.pdf","categoryId":"LOANS","typeId":"INCOME"}');
    first.progress(62, 100);
    await expect.element(page.getByRole('progressbar', { name: '1.pdf' })).toHaveAttribute('aria-valuenow', '62');
    await expect.poll(textOf(row('2.pdf'))).toContain('Waiting');
    first.answer(503, { code: 'STORAGE_ERROR', message: '' });
    const second = await nth(requests, 1);
    await expect.poll(textOf(row('1.pdf'))).toContain('Error: ');
    second.answer(201);
    await expect.poll(textOf(row('2.pdf'))).toContain('Sent');
    await expect.element(page.getByText('Sent 1 of 2.', { exact: false })).toBeVisible();
    expect(sent).toHaveLength(1);
    await userEvent.click(button('send again'));
    const again = await nth(requests, 2);
    expect(again.headers.get('idempotency-key')).toBe(first.headers.get('idempotency-key'));
    again.fail();
    await expect.poll(textOf(row('1.pdf'))).toContain('Error: Network Error');
    await userEvent.click(row('1.pdf').getByRole('button', { name: 'Try again' }));
    (await nth(requests, 3)).answer(201);
    await expect.poll(textOf(row('1.pdf'))).toContain('Sent');
    await userEvent.click(button(/^close$/i).last());
    await expect.poll(isOpen).toBe(false);
  });

  test('leaves its rows the room that they have, however much there is to say below them', async () => {
    await page.viewport(320, 640);
    const { requests } = await summary('1.pdf');
    const roomOf = () => page.getByRole('region', { name: 'Summary' }).element().getBoundingClientRect().bottom;
    const before = roomOf();
    await userEvent.click(button('send documents'));
    (await nth(requests, 0)).answer(503, { code: 'STORAGE_ERROR', message: '' });
    await expect.element(button('send again')).toBeVisible();
    expect(roomOf()).toBe(before);
  });

  test('offers another file in the place of one that will never be accepted, and no further try of it', async () => {
    const { requests } = await summary('1.pdf');
    await userEvent.click(button('send documents'));
    const first = await nth(requests, 0);
    first.answer(400, { code: 'DOCUMENT_UPLOAD_ERROR', message: 'The PDF needs a password' });
    await expect.poll(textOf(row('1.pdf'))).toContain('Error: The file is protected by a password.');
    expect(button('Try again').elements()).toEqual([]);
    expect(button('send again').elements()).toEqual([]);
    await userEvent.upload(page.getByLabelText('Choose another file'), pdf('2.pdf'));
    await expect.poll(textOf(row('2.pdf'))).toContain('Waiting');
    await userEvent.click(button('send again'));
    const second = await nth(requests, 1);
    expect(second.headers.get('idempotency-key')).not.toBe(first.headers.get('idempotency-key'));
    second.answer(201);
    await expect.poll(textOf(row('2.pdf'))).toContain('Sent');
  });

  test('keeps the file in progress in sight', async () => {
    await page.viewport(1280, 420);
    const { requests } = open();
    await complete('1.pdf');
    for (let i = 2; i <= 9; i += 1) await add(`${i}.pdf`);
    await press(button('Same for all files').first());
    await userEvent.click(next);
    await userEvent.click(button('send documents'));
    for (let i = 0; i < 8; i += 1) (await nth(requests, i)).answer(201);
    await nth(requests, 8);
    await expect.element(page.getByRole('progressbar', { name: '9.pdf' })).toBeInViewport();
  });

  test('says what stands against a file in the words of its code', async () => {
    const { requests } = await summary('1.pdf');
    await userEvent.click(button('send documents'));
    (await nth(requests, 0)).answer(413, { code: 'DOCUMENT_MAX_SIZE_ERROR', message: '' });
    await expect.poll(textOf(row('1.pdf'))).toContain('Error: The file size is too large. The allowed size: 5MB');
  });
});

describe('unsent files', () => {
  const question = 'There are files that have not been sent. Leave anyway?';
  const closeWindow = async () => userEvent.click(button(/^close: /i).first());

  test('are asked about before the window closes', async () => {
    const { isOpen } = open();
    await add('1.pdf');
    await closeWindow();
    await expect.element(page.getByText(question)).toBeVisible();
    await userEvent.click(button('Stay'));
    expect(isOpen()).toBe(true);
    await closeWindow();
    await userEvent.click(button('Leave'));
    await expect.poll(isOpen).toBe(false);
  });

  test('are asked about before a logout or another language, and nothing goes out any more after a yes', async () => {
    const { requests } = open();
    await complete('1.pdf');
    await userEvent.click(next);
    await userEvent.click(button('send documents'));
    const request = await nth(requests, 0);
    const refused = mayLeave();
    await userEvent.click(button('Stay'));
    expect([await refused, request.isAborted]).toEqual([false, false]);
    const allowed = mayLeave();
    await userEvent.click(button('Leave'));
    expect([await allowed, request.isAborted]).toEqual([true, true]);
  });

  test('hold the page; nothing, or what was left without a session, does not', async () => {
    const isHeld = (): boolean => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
    open();
    await expect.element(button('Add file')).toBeVisible();
    expect(isHeld()).toBe(false);
    await add('1.pdf');
    expect(isHeld()).toBe(true);
    sessionStorage.clear();
    expect(isHeld()).toBe(false);
  });

  test('a file that falls beside the window does not take the place of the page', async () => {
    open();
    await expect.element(button('Add file')).toBeVisible();
    const event = new DragEvent('drop', { dataTransfer: transferOf([pdf('1.pdf')]), bubbles: true, cancelable: true });
    document.body.dispatchEvent(event);
    expect(event.defaultPrevented).toBe(true);
  });
});
