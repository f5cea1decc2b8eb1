import type { DocumentRow } from '@pergamin/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { show } from '#kit/render.fixture.tsx';
import { isSealExplained } from '#platform/choose-appearance.ts';
import { type Answers, answerFetch, freshTab, refusal } from '#platform/page.fixture.tsx';
import { createStore } from '#platform/store.ts';
import { SealLesson } from './SealLesson.tsx';

const id = '7c1b7a32-0000-4000-8000-000000000001';
const listPath = 'POST /api/protected/documents/list/data';
const textPath = `GET /api/protected/documents/render/text/${id}/1`;
const agreement: DocumentRow = {
  id,
  state: 'ACTIVE',
  corrupted: false,
  deleted: false,
  published: true,
  read: null,
  downloaded: null,
  metadata: { FILE_NAME: 'Umowa kredytu.pdf', CHECKSUM_SHA256: 'ab'.repeat(32) },
};
const run = (text: string) => ({ at: 0, text, ends: Array.from(text, (_, index) => index) });
const line = { x: 0, y: 0, height: 12, angle: 0 };
const words = {
  language: 'pl',
  lines: [
    { ...line, runs: [run('§ 1')] },
    { ...line, runs: [run('Bank'), run('udziela'), run('kredytu')] },
  ],
};

const open = (answers: Answers = {}, isHeld = false) => {
  const asked = answerFetch({ [listPath]: { items: [agreement], total: 1 }, [textPath]: words, ...answers });
  const closed: true[] = [];
  const holding = createStore(isHeld);
  function Desk() {
    return <SealLesson isHeld={useSyncExternalStore(holding.subscribe, holding.getState)} onClose={() => closed.push(true)} />;
  }
  show(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Desk />
    </QueryClientProvider>,
  );
  return { hold: holding.setState, closed, lines: () => asked.map((one) => one.line) };
};
const dialog = () => page.getByRole('dialog', { name: 'Każdy dokument ma swoją pieczęć' });
const field = () => dialog().getByRole('textbox', { name: 'Wiersz z Twojego dokumentu' });
const seals = () => dialog().getByRole('figure').elements();
const drawn = (place: number): string => seals()[place]?.querySelector('svg')?.innerHTML ?? '';

beforeEach(async () => {
  await freshTab('PL');
  const forget = () => {
    document.cookie = 'explained=; Path=/; Max-Age=0';
  };
  forget();
  onTestFinished(forget);
});

test('one letter changed makes another seal and another checksum, and the letter put back the same ones', async () => {
  const { closed } = open();
  await expect.element(field()).toHaveValue('Bank udziela kredytu');
  await expect.element(dialog().getByText('Bez zmian: ta sama pieczęć')).toBeVisible();
  expect(drawn(1)).toBe(drawn(0));
  await userEvent.type(field(), '!');
  await expect.element(dialog().getByText('Jedna zmiana: inna pieczęć')).toBeVisible();
  await expect.poll(() => drawn(1) === drawn(0)).toBe(false);
  expect(seals()[1]?.textContent).not.toContain(seals()[0]?.textContent?.slice(-64));
  await userEvent.type(field(), '{Backspace}');
  await expect.poll(() => drawn(1) === drawn(0)).toBe(true);
  await userEvent.click(dialog().getByRole('button', { name: 'Pomiń' }));
  expect(closed).toHaveLength(1);
});

test('the seal is explained on the newest document, whose file is not asked for, and once for a browser', async () => {
  expect(isSealExplained()).toBe(false);
  const { lines } = open();
  await expect.element(dialog().getByRole('paragraph').filter({ hasText: '„Umowa kredytu”' })).toBeVisible();
  expect(lines().toSorted()).toEqual([listPath, textPath].toSorted());
  expect(isSealExplained()).toBe(true);
});

test('a document whose words cannot be read lends its name', async () => {
  open({ [textPath]: refusal(404, 'RESOURCE_NOT_FOUND') });
  await expect.element(field()).toHaveValue('Umowa kredytu');
});

test('without a document nothing is explained, and it is kept for another time', async () => {
  const { lines } = open({ [listPath]: { items: [], total: 0 } });
  await expect.poll(lines).toEqual([listPath]);
  await expect.poll(() => dialog().query()).toBeNull();
  expect(isSealExplained()).toBe(false);
});

test('it waits until the customer has closed what was opened, and then stays', async () => {
  const { hold, lines } = open({}, true);
  await expect.poll(lines).toContain(textPath);
  expect(dialog().elements()).toEqual([]);
  hold(false);
  await expect.element(dialog()).toBeVisible();
  hold(true);
  await expect.element(dialog()).toBeVisible();
});
