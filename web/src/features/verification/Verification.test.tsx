import { type CheckStatus, checkStatuses, type DocumentRow } from '@pergamin/contract';
import { describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { Announcer } from '#kit/feedback/Announcer.tsx';
import { show } from '#kit/render.fixture.tsx';
import { answerFetch, freshTab, refusal } from '#platform/page.fixture.tsx';
import { Verification } from './Verification.tsx';
import type { Finding } from './verification.store.ts';

const path = 'POST /api/open/documents/check/hash';
const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
const stored = 'cd'.repeat(32);
const ownList = 'POST /api/protected/documents/list/data';
const publicList = 'POST /api/open/documents/list';
const none = { items: [], total: 0 };

const agreement: DocumentRow = {
  id: '6f1f2f1e-0000-4000-8000-000000000001',
  state: 'ACTIVE',
  metadata: { FILE_NAME: 'Umowa.pdf', TYPE: 'PRIVATE', PUBLICATION_DATE: 1_761_814_867_000, CHECKSUM_SHA256: abc },
  corrupted: false,
  deleted: false,
  published: true,
  read: null,
  downloaded: null,
};

const findings: Record<CheckStatus, Finding> = {
  SHA_CIF_OK: {
    status: 'SHA_CIF_OK',
    checkedAt: 1_763_650_000_000,
    compared: { stored: true, owner: true, entry: null },
    document: agreement,
    storedSha256: null,
    ledger: null,
    entry: null,
    differences: [],
    notCompared: [],
  },
  SHA_NOT_EQUAL: {
    status: 'SHA_NOT_EQUAL',
    checkedAt: 1_763_650_000_000,
    compared: { stored: false, owner: true, entry: null },
    document: agreement,
    storedSha256: stored,
    ledger: null,
    entry: null,
    differences: [],
    notCompared: [],
  },
  CIF_NOT_EQUAL: {
    status: 'CIF_NOT_EQUAL',
    checkedAt: 1_763_650_000_000,
    compared: { stored: true, owner: false, entry: null },
    document: null,
    storedSha256: null,
    ledger: null,
    entry: null,
    differences: [],
    notCompared: [],
  },
  SHA_CIF_NOK: {
    status: 'SHA_CIF_NOK',
    checkedAt: null,
    compared: { stored: null, owner: true, entry: null },
    document: agreement,
    storedSha256: null,
    ledger: null,
    entry: null,
    differences: [],
    notCompared: [],
  },
  DOCUMENT_NOT_EXIST: {
    status: 'DOCUMENT_NOT_EXIST',
    checkedAt: null,
    compared: null,
    document: null,
    storedSha256: null,
    ledger: null,
    entry: null,
    differences: [],
    notCompared: [],
  },
};

const said = {
  PL: {
    SHA_CIF_OK: 'Dokument został pomyślnie zweryfikowany',
    CIF_NOT_EQUAL: 'Identyfikator właściciela dokumentu (CIF) jest niezgodny',
    SHA_NOT_EQUAL: 'Suma kontrolna dokumentu jest niezgodna',
    SHA_CIF_NOK: 'Weryfikacja dokumentu nie powiodła się',
    DOCUMENT_NOT_EXIST: 'Nie opublikowaliśmy tego pliku',
  },
  EN: {
    SHA_CIF_OK: 'The document was correctly verified',
    CIF_NOT_EQUAL: 'The document owner identifier (CIF) does not match',
    SHA_NOT_EQUAL: 'The document checksum does not match',
    SHA_CIF_NOK: 'The document could not be verified',
    DOCUMENT_NOT_EXIST: 'We did not publish this file',
  },
} as const;

const noProps = { intro: null, heading: 'h2', onOpen: () => undefined } as const;

const open = (props: Partial<Parameters<typeof Verification>[0]> = {}): HTMLElement =>
  show(
    <>
      <main>
        <Verification {...noProps} {...props} />
      </main>
      <Announcer />
    </>,
  );

const hand = async (...files: readonly File[]): Promise<void> => {
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  if (input === null) throw new Error('there is no field for files');
  await userEvent.upload(input, [...files]);
};

const file = (name: string, content = 'abc'): File => new File([content], name);
const marks = () => page.getByRole('list', { name: 'What was compared' }).getByRole('listitem');

describe.each(['PL', 'EN'] as const)('in %s', (language) => {
  test.each(checkStatuses)('%s is told by its sentence, and said', async (status) => {
    await freshTab(language);
    answerFetch({ [path]: findings[status], [publicList]: none });
    open();
    await hand(file('Umowa.pdf'));
    await expect.element(page.getByRole('heading', { name: said[language][status] })).toBeVisible();
    const role = status === 'SHA_CIF_OK' ? 'status' : 'alert';
    await expect.element(page.getByRole(role).filter({ hasText: `Umowa.pdf: ${said[language][status]}` })).toBeInTheDocument();
  });
});

test('a file is hashed here: the server is asked for its checksum, and gets nothing else', async () => {
  await freshTab('EN');
  const asked = answerFetch({ [path]: findings.SHA_CIF_OK });
  open();
  await hand(file('Umowa.pdf'));
  await expect.element(page.getByRole('heading', { name: said.EN.SHA_CIF_OK })).toBeVisible();
  expect(asked.map(({ line }) => line)).toEqual([path]);
  expect(await asked[0]?.request.json()).toEqual({ sha256: abc });
});

test('the verdict says what was compared, which document it is and where to go', async () => {
  await freshTab('EN');
  answerFetch({ [path]: findings.SHA_CIF_OK });
  const onOpen = vi.fn();
  open({ onOpen });
  await hand(file('kopia.pdf'));
  await expect.element(marks().nth(2).getByText('The owner is right', { exact: false })).toBeVisible();
  await expect.element(marks().nth(0).getByText('This file was published', { exact: false })).toBeVisible();
  await expect.element(marks().nth(1).getByText('The file in the portal is unchanged', { exact: false })).toBeVisible();
  await userEvent.click(page.getByRole('button', { name: 'Open the document' }));
  expect(onOpen.mock.calls[0]?.[0]).toEqual({ id: agreement.id, title: 'Umowa', fileName: 'Umowa.pdf', isPublic: false });
});

test.each([
  ['SHA_NOT_EQUAL', ['Right', 'Wrong', 'Right']],
  ['CIF_NOT_EQUAL', ['Right', 'Right', 'Wrong']],
  ['SHA_CIF_NOK', ['Right', 'Not checked', 'Right']],
  ['DOCUMENT_NOT_EXIST', ['Wrong', 'Not checked', 'Not checked']],
] as const)('of %s nothing can be opened or downloaded, and each comparison says how it went', async (status, tones) => {
  await freshTab('EN');
  answerFetch({ [path]: findings[status], [publicList]: none });
  open();
  await hand(file('Umowa.pdf'));
  await expect.element(page.getByRole('heading', { name: said.EN[status] })).toBeVisible();
  expect(
    marks()
      .elements()
      .map((mark) => mark.querySelector('.visually-hidden')?.textContent),
  ).toEqual(tones.map((tone) => `${tone}: `));
  expect(page.getByRole('button', { name: /open|download/i }).elements()).toEqual([]);
});

describe('two seals stand side by side', () => {
  const verdict = () => page.getByRole('region', { name: 'Result of the verification' }).element();
  const seals = () => verdict().querySelectorAll('header svg[viewBox="0 0 1000 1000"]');
  const hasText = async (text: string): Promise<void> => {
    await expect.poll(() => verdict().textContent).toContain(text);
  };

  test('when the portal keeps something else than what was published, and the words say which is which', async () => {
    await freshTab('EN');
    answerFetch({ [path]: findings.SHA_NOT_EQUAL });
    open();
    await hand(file('Umowa.pdf'));
    await hasText('your file, as publishedba78 16bf…≠differs fromin the portal nowcdcd cdcd…');
    expect(seals()).toHaveLength(2);
    expect(seals()[0]?.innerHTML).not.toBe(seals()[1]?.innerHTML);
    await hasText('SHA-256 checksum of your file');
    await hasText(`SHA-256 checksum of the file that is in the portal now${stored}`);
  });

  test('when a file that was not published has the name of a document: the original is at hand, the name is not sent', async () => {
    await freshTab('EN');
    sessionStorage.setItem('authorization', 'a token');
    const original = { ...agreement, metadata: { ...agreement.metadata, CHECKSUM_SHA256: stored } };
    const asked = answerFetch({ [path]: findings.DOCUMENT_NOT_EXIST, [ownList]: { items: [original], total: 1 } });
    const onOpen = vi.fn();
    open({ onOpen });
    await hand(file('umowa (2).pdf'));
    await hasText('publishedcdcd cdcd…≠differs fromyour fileba78 16bf…');
    expect(seals()).toHaveLength(2);
    await expect
      .element(page.getByRole('alert').filter({ hasText: `${said.EN.DOCUMENT_NOT_EXIST}. This file was not published` }))
      .toBeInTheDocument();
    expect(page.getByRole('button', { name: 'Download the original' }).elements()).toHaveLength(1);
    await userEvent.click(page.getByRole('button', { name: 'Open the document' }));
    expect(onOpen.mock.calls[0]?.[0]).toMatchObject({ id: agreement.id, isPublic: false });
    expect(await Promise.all(asked.map(async ({ request }) => (await request.text()).toLowerCase()))).not.toContainEqual(
      expect.stringContaining('umowa'),
    );
  });

  test('and not when the only document of that name is damaged, or the lists cannot be read', async () => {
    await freshTab('EN');
    const damaged = { ...agreement, corrupted: true };
    for (const answer of [{ items: [damaged], total: 1 }, refusal(500, 'INTERNAL_SERVER_ERROR')]) {
      answerFetch({ [path]: findings.DOCUMENT_NOT_EXIST, [publicList]: answer });
      const screen = open();
      // oxlint-disable-next-line no-await-in-loop -- One screen after the other.
      await hand(file('Umowa.pdf'));
      // oxlint-disable-next-line no-await-in-loop
      await expect.element(page.getByRole('heading', { name: said.EN.DOCUMENT_NOT_EXIST })).toBeVisible();
      expect(seals()).toHaveLength(1);
      screen.remove();
    }
  });
});

test('by checksum: empty and invalid are said at the field, which keeps the focus; groups and capitals are understood', async () => {
  await freshTab('EN');
  const asked = answerFetch({ [path]: findings.DOCUMENT_NOT_EXIST, [publicList]: none });
  open();
  page.getByRole('tab', { name: 'File' }).element().focus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(page.getByRole('tab', { name: 'Checksum' })).toHaveFocus();
  const field = page.getByRole('textbox', { name: 'SHA-256 checksum' });
  await userEvent.click(page.getByRole('button', { name: 'Verify', exact: true }));
  await expect.element(field).toHaveAccessibleDescription(/Value cannot be null/);
  await expect.element(field).toHaveFocus();
  await userEvent.fill(field, 'abc');
  await userEvent.keyboard('{Enter}');
  await expect.element(field).toHaveAccessibleDescription(/Invalid document checksum/);
  expect(asked).toEqual([]);
  await userEvent.fill(field, abc.toUpperCase().match(/.{4}/g)?.join(' ') ?? '');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('heading', { name: said.EN.DOCUMENT_NOT_EXIST })).toBeVisible();
  expect(await asked[0]?.request.json()).toEqual({ sha256: abc });
});

test('several files at once each get their verdict; one that goes gives the focus to its neighbour', async () => {
  await freshTab('EN');
  answerFetch({ [path]: findings.DOCUMENT_NOT_EXIST, [publicList]: none });
  open();
  await hand(file('one.pdf', '1'), file('two.pdf', '2'));
  const items = page.getByRole('list', { name: 'Files and checksums to verify' }).getByRole('listitem');
  await expect.element(items.nth(0).getByText('Not found')).toBeVisible();
  await expect.element(items.nth(1).getByText('Not found')).toBeVisible();
  await expect.element(items.nth(0).getByText('two.pdf')).toBeVisible();
  await userEvent.click(page.getByRole('button', { name: 'Remove from the list: two.pdf' }));
  await expect.element(page.getByRole('button', { name: 'Remove from the list: one.pdf' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('button', { name: 'Choose files' })).toHaveFocus();
});

test('too many attempts say when to come back, and the same file is tried again', async () => {
  await freshTab('EN');
  answerFetch({ [path]: refusal(429, 'CALL_NOT_PERMITTED', { headers: { 'retry-after': '30' } }) });
  open();
  await hand(file('Umowa.pdf'));
  await expect.element(page.getByText('Too many attempts. Try again in 30 seconds')).toBeVisible();
  answerFetch({ [path]: findings.SHA_CIF_OK });
  await userEvent.click(page.getByRole('button', { name: 'Try again' }));
  await expect.element(page.getByRole('heading', { name: said.EN.SHA_CIF_OK })).toBeVisible();
});

test('a visitor without a session is told that only public documents were looked at, and how to see their own', async () => {
  await freshTab('EN');
  answerFetch({ [path]: findings.DOCUMENT_NOT_EXIST, [publicList]: none });
  const onSignIn = vi.fn();
  open({ onSignIn });
  await hand(file('Umowa.pdf'));
  await expect.element(page.getByText(/This file is not one of our public documents/)).toBeVisible();
  await userEvent.click(page.getByRole('button', { name: 'Log in' }));
  expect(onSignIn).toHaveBeenCalledOnce();
});
