import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { show } from '#kit/render.fixture.tsx';
import { answerFetch, freshTab, refusal } from '#platform/page.fixture.tsx';
import { RegisterCheck } from './RegisterCheck.tsx';
import { registers } from './register.fixture.ts';

type Register = (typeof registers)[keyof typeof registers];

const path = 'GET /api/open/ledger';
const dialog = page.getByRole('alertdialog', { name: 'The register was changed' });

const answersOf = ({ checkpoint, verifierKey, size, proof }: Register) => ({
  [path]: {
    origin: 'portal.example/log',
    verifierKey,
    size,
    root: '00',
    checkpoint,
    at: Date.UTC(2026, 10, 20, 9),
    policy: `log ${verifierKey}\nquorum none\n`,
    witnesses: [],
    isWatched: false,
    isHalted: false,
    timestamp: null,
  },
  [`${path}/consistency`]: { size, checkpoint, proof },
});

/** Resolves when everything was asked that is asked. */
const visit = async (answers: Readonly<Record<string, unknown>>, asks: number): Promise<void> => {
  const asked = answerFetch(answers);
  show(<RegisterCheck />);
  await expect.poll(() => asked.length).toBe(asks);
  await expect.poll(async () => (await caches.keys()).includes('register')).toBe(true);
  if (asks === 1) await expect.poll(async () => (await (await caches.open('register')).keys()).length).toBe(1);
};

beforeEach(async () => {
  await caches.delete('register');
  await freshTab('EN');
  await visit(answersOf(registers.before), 1);
});

test.each([
  ['has the same entries', registers.same],
  ['has more entries', registers.later],
] as const)('a register that %s as at the last visit says nothing, and is what the next visit compares with', async (_, register) => {
  await visit(answersOf(register), 2);
  const kept = async () => (await (await caches.open('register')).match('/api/open/ledger'))?.json() as Promise<{ size: number }>;
  await expect.poll(async () => (await kept()).size).toBe(register.size);
  expect(dialog.elements()).toEqual([]);
});

test.each([
  ['changed an old entry', registers.changed, 2],
  ['has another entry in the place of one', registers.replaced, 2],
  ['lost entries', registers.shorter, 1],
  ['is signed by another key', registers.otherKey, 1],
] as const)('a register that %s since the last visit is said to be changed, at this visit and the next', async (_, register, asks) => {
  for (let times = 0; times < 2; times += 1) {
    // oxlint-disable-next-line no-await-in-loop -- One visit after the other.
    await visit(answersOf(register), asks);
    // oxlint-disable-next-line no-await-in-loop
    await expect.element(dialog.getByText(/with 5 entries/)).toBeVisible();
    // oxlint-disable-next-line no-await-in-loop
    await userEvent.click(dialog.getByRole('button', { name: 'OK' }));
    expect(dialog.elements()).toEqual([]);
  }
});

test('a portal that does not answer is no change of the register', async () => {
  await visit({ [path]: refusal(503, 'BC_ERROR') }, 1);
  await visit(answersOf(registers.later), 2);
  expect(dialog.elements()).toEqual([]);
});
