import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { Announcer } from '#kit/feedback/Announcer.tsx';
import { show } from '#kit/render.fixture.tsx';
import { answerFetch, freshTab } from '#platform/page.fixture.tsx';
import { Verification } from '#features/verification/Verification.tsx';
import { fileContent, fileSum, keys, otherKeys, receipt, seenReceipt, strictKeys } from './receipt.fixture.ts';

const open = async (): Promise<void> => {
  await freshTab('EN');
  show(
    <>
      <main>
        <Verification intro={null} heading="h2" onOpen={() => undefined} />
      </main>
      <Announcer />
    </>,
  );
  await userEvent.click(page.getByRole('tab', { name: 'Receipt' }));
  await expect.element(page.getByRole('button', { name: 'Choose files' })).toBeVisible();
};

const pdf = (content = fileContent): File => new File([content], 'Agreement.pdf');
const proof = (text = receipt): File => new File([text], 'Agreement.pdf.tlog-proof');
const policy = (text = keys): File => new File([text], 'keys.txt');

const hand = async (...files: readonly File[]): Promise<void> => {
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  if (input === null) throw new Error('there is no field for files');
  await userEvent.upload(input, [...files]);
};

const answers = () => page.getByRole('list', { name: 'What was compared' }).getByRole('listitem');
const tones = () =>
  answers()
    .elements()
    .map((answer) => answer.querySelector('.visually-hidden')?.textContent);
const cautions = () => page.getByRole('list', { name: 'What this does not prove' });
const verdict = (name: string) => page.getByRole('heading', { name });

test('a file, its receipt and the keys, dropped together, get four right answers, and nothing is asked of any network', async () => {
  const asked = answerFetch({});
  await open();
  await hand(proof(seenReceipt), policy(strictKeys), pdf());
  await expect.element(verdict('The receipt proves that this file was published')).toBeVisible();
  expect(tones()).toEqual(['Right: ', 'Right: ', 'Right: ', 'Right: ']);
  await expect
    .element(
      answers()
        .nth(1)
        .getByText(/Published: 2027-01-15.*customer no\. 1, customer no\. ż1/),
    )
    .toBeVisible();
  await expect
    .element(
      answers()
        .nth(2)
        .getByText(/Number 2 of 5 entries/),
    )
    .toBeVisible();
  await expect
    .element(
      answers()
        .nth(3)
        .getByText(/1 of 1 outside witnesses/),
    )
    .toBeVisible();
  await expect
    .element(
      page
        .getByRole('status')
        .filter({ hasText: /Agreement\.pdf: The receipt proves that this file was published\. Right: This is the very file/ }),
    )
    .toBeInTheDocument();
  await expect.element(cautions().getByText(/does not prove that a notice arrived, or that the document was opened or read/)).toBeVisible();
  await expect.element(cautions().getByText(/cannot know what came later/)).toBeVisible();
  await expect.element(cautions().getByText(/those of the register portal\.example\/log/)).toBeVisible();
  expect(
    cautions()
      .getByText(/outside this organisation/)
      .elements(),
  ).toEqual([]);
  expect(asked).toEqual([]);
});

test('file and receipt may come one after the other: what is missing is named, and each can be taken away again', async () => {
  await open();
  await hand(proof());
  await expect.element(verdict('Now add the file')).toBeVisible();
  await hand(policy());
  await hand(pdf());
  await expect.element(verdict('The receipt proves that this file was published')).toBeVisible();
  await userEvent.click(page.getByRole('button', { name: 'Remove from the list: Agreement.pdf.tlog-proof' }));
  await expect.element(verdict('Now add its receipt')).toBeVisible();
  await expect.element(page.getByText('Its receipt: a file that ends in .tlog-proof')).toBeVisible();
});

test('a receipt of a register without witnesses says so, also when every check passes', async () => {
  await open();
  await hand(pdf(), proof(), policy());
  await expect.element(verdict('The receipt proves that this file was published')).toBeVisible();
  await expect.element(cautions().getByText('No one outside this organisation watches this register.')).toBeVisible();
});

describe('a receipt does not prove a file', () => {
  test.each([
    ['another file', [pdf('file 2'), proof(), policy()], ['Wrong', 'Right', 'Right', 'Right'], /differs from the file/],
    ['no receipt at all', [pdf(), proof('hello\n'), policy()], ['Not checked', 'Wrong', 'Not checked', 'Not checked'], /not a receipt/],
    ['another place', [pdf(), proof(receipt.replace('index 1', 'index 2')), policy()], ['Right', 'Right', 'Wrong', 'Right'], /made up/],
    ['the keys of another register', [pdf(), proof(), policy(otherKeys)], ['Right', 'Right', 'Right', 'Wrong'], /not signed with the key/],
    ['no witness, where one is asked for', [pdf(), proof(), policy(strictKeys)], ['Right', 'Right', 'Right', 'Wrong'], /fewer outside/],
  ] as const)('with %s: the answer that is wrong says what it means and what to do', async (_, files, said, sentence) => {
    await open();
    await hand(...files);
    await expect.element(verdict('The receipt does not prove this file')).toBeVisible();
    expect(tones()).toEqual(said.map((tone) => `${tone}: `));
    const wrong = answers().nth(said.indexOf('Wrong'));
    await expect.element(wrong.getByText(sentence)).toBeVisible();
    await expect.element(page.getByRole('alert').filter({ hasText: 'The receipt does not prove this file' })).toBeInTheDocument();
  });
});

test('without keys three answers are right and the last one stays open: it says whose keys are needed', async () => {
  await open();
  await hand(pdf(), proof());
  await expect.element(verdict('Only the signature remains')).toBeVisible();
  expect(tones()).toEqual(['Right: ', 'Right: ', 'Right: ', 'Not checked: ']);
  await hand(policy(`${keys}nonsense\n`));
  await expect
    .element(
      answers()
        .nth(3)
        .getByText(/keys cannot be read/),
    )
    .toBeVisible();
});

test('the technical details give index, size, root, document and checksum', async () => {
  await open();
  await hand(pdf(), proof(seenReceipt), policy(strictKeys));
  await userEvent.click(page.getByText('Technical details'));
  const details = page.getByRole('group').filter({ hasText: 'Technical details' }).element();
  expect([...details.querySelectorAll('dd')].map((value) => value.textContent)).toEqual([
    'portal.example/log',
    '1',
    '5',
    '5feeed3ff9577b5c09fc83b0a52d56b21408121e4c64ef19dfb0fb6d7b8caeb8',
    'document-1',
    'PUBLISHED',
    fileSum,
    expect.stringMatching(/^w1, 2027-01-15/),
  ]);
});

test('a receipt that is dropped on another way in leads to this one', async () => {
  await freshTab('EN');
  answerFetch({});
  show(<Verification intro={null} heading="h2" onOpen={() => undefined} />);
  await hand(pdf(), proof(), policy());
  await expect.element(page.getByRole('tab', { name: 'Receipt' })).toHaveAttribute('aria-selected', 'true');
  await expect.element(verdict('The receipt proves that this file was published')).toBeVisible();
});
