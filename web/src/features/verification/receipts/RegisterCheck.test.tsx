import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
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
  if (asks === 1) await expect.poll(async () => (await caches.open('register')).match('/api/open/ledger')).toBeDefined();
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

const dayMs = 86_400_000;
const notCompared = page.getByRole('dialog', { name: 'The register could not be compared' });
const memory = () => caches.open('register');
const kept = async (): Promise<{ size: number; checkpoint: string }> =>
  (await memory()).match(path.replace('GET ', '')).then(async (found) => found?.json() as Promise<{ size: number; checkpoint: string }>);
/** How often in a row nothing could be compared. */
const failures = async (): Promise<number> => {
  const found = await (await memory()).match(`${path.replace('GET ', '')}/not-compared`);
  return found === undefined ? 0 : ((await found.json()) as { count: number }).count;
};

/** The browser's clock from now on. */
const setClock = (epochMs: number): void => {
  const spy = vi.spyOn(Date, 'now').mockReturnValue(epochMs);
  onTestFinished(() => spy.mockRestore());
};

const down = refusal(503, 'BC_ERROR');
const cases: readonly (readonly [string, Readonly<Record<string, unknown>>, number])[] = [
  ['does not answer', { [path]: down }, 1],
  ['shows more entries, and no proof that they continue the old ones', { ...answersOf(registers.later), [`${path}/consistency`]: down }, 2],
  [
    'shows more entries, and says that there are fewer',
    { ...answersOf(registers.later), [`${path}/consistency`]: refusal(400, 'VALIDATION_ERROR') },
    2,
  ],
  ['answers what cannot be read', { ...answersOf(registers.later), [`${path}/consistency`]: { size: 9, checkpoint: 'x', proof: [] } }, 2],
];

describe('a portal that', () => {
  test.each(cases)('%s is said not to be comparable after a day, with the time since when, and not before', async (_, answers, asks) => {
    const start = Date.UTC(2026, 10, 21, 9);
    for (const [nth, at] of [start, start + dayMs - 1].entries()) {
      setClock(at);
      await visit(answers, asks);
      await expect.poll(failures).toBe(nth + 1);
    }
    expect(notCompared.elements()).toEqual([]);
    setClock(start + dayMs);
    await visit(answers, asks);
    await expect.element(notCompared.getByText(/with 5 entries\. Since .*2026/)).toBeVisible();
    expect(dialog.elements()).toEqual([]);
    expect((await kept()).size).toBe(5);
  });

  test('could be compared in between is not said to be incomparable since before that', async () => {
    const start = Date.UTC(2026, 10, 21, 9);
    setClock(start);
    await visit({ [path]: down }, 1);
    await expect.poll(failures).toBe(1);
    await visit(answersOf(registers.later), 2);
    await expect.poll(failures).toBe(0);
    setClock(start + 2 * dayMs);
    await visit({ [path]: down }, 1);
    await expect.poll(failures).toBe(1);
    expect(notCompared.elements()).toEqual([]);
  });

  test('shows fewer entries is said to be changed at once, also while nothing can be proved', async () => {
    await visit({ ...answersOf(registers.shorter), [`${path}/consistency`]: down }, 1);
    await expect.element(dialog).toBeVisible();
  });
});

test('a clock that was set back makes no day of a short outage', async () => {
  const start = Date.UTC(2026, 10, 21, 9);
  setClock(start + 30 * dayMs);
  await visit({ [path]: down }, 1);
  await expect.poll(failures).toBe(1);
  setClock(start);
  await visit({ [path]: down }, 1);
  await expect.poll(failures).toBe(2);
  setClock(start + dayMs - 1);
  await visit({ [path]: down }, 1);
  await expect.poll(failures).toBe(3);
  expect(notCompared.elements()).toEqual([]);
});

test('what another tab has remembered meanwhile is neither taken for a change nor given up', async () => {
  const { [path]: same } = answersOf(registers.same);
  const { [path]: later } = answersOf(registers.later);
  const meanwhile = async () => {
    await (await memory()).put(path.replace('GET ', ''), Response.json(later));
    return same;
  };
  await visit({ ...answersOf(registers.same), [path]: meanwhile }, 2);
  await expect.poll(failures).toBe(0);
  expect(dialog.elements()).toEqual([]);
  expect((await kept()).size).toBe(9);
});

test('what is remembered is the register that was compared, and not another one that was shown beside it', async () => {
  const { [path]: shown } = answersOf(registers.changed);
  await visit({ ...answersOf(registers.later), [path]: shown }, 2);
  await expect.poll(async () => (await kept()).checkpoint).toBe(registers.later.checkpoint);
});

test('a memory that cannot be read is replaced by what is shown, and what is not signed is not remembered', async () => {
  await (
    await memory()
  ).put(path.replace('GET ', ''), Response.json({ ...(answersOf(registers.before)[path] as object), checkpoint: 'x' }));
  await visit({ [path]: { ...(answersOf(registers.later)[path] as object), checkpoint: registers.otherKey.checkpoint } }, 1);
  await visit(answersOf(registers.later), 1);
  await expect.poll(async () => (await kept()).checkpoint).toBe(registers.later.checkpoint);
});

test('a browser that refuses to keep anything says nothing, and one that keeps nothing more still says what has changed', async () => {
  const refuse = vi.spyOn(Cache.prototype, 'put').mockRejectedValue(new DOMException('full', 'QuotaExceededError'));
  onTestFinished(() => refuse.mockRestore());
  await visit(answersOf(registers.changed), 2);
  await expect.element(dialog).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'OK' }));
  const open = vi.spyOn(CacheStorage.prototype, 'open').mockRejectedValue(new DOMException('no', 'SecurityError'));
  const asked = answerFetch(answersOf(registers.changed));
  show(<RegisterCheck />);
  await expect.poll(() => open.mock.calls.length).toBe(1);
  open.mockRestore();
  expect([asked.length, dialog.elements().length, notCompared.elements().length]).toEqual([0, 0, 0]);
});
