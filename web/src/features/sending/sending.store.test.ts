import { beforeAll, expect, test } from 'vitest';
import { CallError } from '#platform/api.ts';
import { freshTab } from '#platform/page.fixture.tsx';
import { type Attachment, createSending, type SendingParts } from './sending.store.ts';

const pdf = (name: string): File => new File(['%PDF-1.7'], name, { type: 'application/pdf' });
const failure = (status: number): CallError => new CallError('refused', { status, hadToken: true });

beforeAll(() => freshTab());

/** A sending of files by these names, complete and at its summary; each call to `send` waits for its answer. */
const sendingOf = (...names: string[]) => {
  const asked: {
    name: string;
    key: string;
    signal: AbortSignal;
    progress: (part: number) => void;
    end: (error?: Error) => Promise<void>;
  }[] = [];
  const settled: string[] = [];
  const rests: number[] = [];
  const send: SendingParts['send'] = ({ file, key }, { signal, onProgress }) =>
    new Promise((resolve, reject) => {
      const end = async (error?: Error): Promise<void> => {
        if (error === undefined) resolve(undefined);
        else reject(error);
        // What follows an answer happens before the next task.
        await new Promise((done) => {
          setTimeout(done, 0);
        });
      };
      asked.push({ name: file.name, key, signal, progress: onProgress, end });
    });
  const sending = createSending({
    send,
    onSettled: ({ file, state }) => settled.push(`${file.name} ${state}`),
    onRest: (attachments) => rests.push(attachments.length),
  });
  const all = (): readonly Attachment[] => sending.getState().attachments;
  for (const name of names) sending.add(pdf(name));
  for (const { key } of all()) {
    sending.chooseCategory(key, 'LOANS');
    sending.chooseType(key, 'INCOME');
  }
  sending.next();
  const states = () => all().map(({ state }) => state);
  const last = () => {
    const newest = asked.at(-1);
    if (newest === undefined) throw new Error('Nothing was sent');
    return newest;
  };
  return { sending, asked, last, states, all, settled, rests };
};

test('files go out one after another, each once the one before it is there', async () => {
  const { sending, asked, last, states, rests } = sendingOf('1.pdf', '2.pdf');
  sending.start();
  expect(states()).toEqual(['IN_PROGRESS', 'PENDING']);
  expect(asked.map(({ name }) => name)).toEqual(['1.pdf']);
  await last().end();
  expect(states()).toEqual(['SENT', 'IN_PROGRESS']);
  await last().end();
  expect(states()).toEqual(['SENT', 'SENT']);
  expect([sending.getState().isRunning, rests]).toEqual([false, [2]]);
});

test('a file that fails does not stop the next one, and only what is not sent is sent again, under the key it had', async () => {
  const { sending, asked, last, states } = sendingOf('1.pdf', '2.pdf', '3.pdf');
  sending.start();
  await last().end();
  await last().end(failure(0));
  await last().end();
  expect(states()).toEqual(['SENT', 'ERROR', 'SENT']);
  sending.start();
  expect(states()).toEqual(['SENT', 'IN_PROGRESS', 'SENT']);
  await last().end();
  expect(states()).toEqual(['SENT', 'SENT', 'SENT']);
  expect(asked.map(({ name }) => name)).toEqual(['1.pdf', '2.pdf', '3.pdf', '2.pdf']);
  expect(asked[3]?.key).toBe(asked[1]?.key);
  expect(new Set(asked.map(({ key }) => key)).size).toBe(3);
});

test('one file can be tried again by itself while others are still going out', async () => {
  const { sending, last, states } = sendingOf('1.pdf', '2.pdf');
  sending.start();
  await last().end(failure(500));
  const [first] = sending.getState().attachments;
  sending.retry(first?.key ?? '');
  expect(states()).toEqual(['PENDING', 'IN_PROGRESS']);
  await last().end();
  expect(states()).toEqual(['IN_PROGRESS', 'SENT']);
  await last().end();
  expect(states()).toEqual(['SENT', 'SENT']);
});

test.each([
  ['the session is over', 401],
  ['today’s limit is reached', 429],
  ['the statute has to be accepted', 403],
])('when %s the others are not tried, and wait', async (_, status) => {
  const { sending, asked, last, states } = sendingOf('1.pdf', '2.pdf');
  sending.start();
  await last().end(failure(status));
  expect(states()).toEqual(['ERROR', 'PENDING']);
  expect([asked.length, sending.getState().isRunning]).toEqual([1, false]);
});

test('progress is told of the file it belongs to, and begins anew with another try', async () => {
  const { sending, last, all } = sendingOf('1.pdf');
  sending.start();
  last().progress(0.4);
  expect(all()[0]?.part).toBe(0.4);
  await last().end(failure(0));
  sending.start();
  expect(all()[0]?.part).toBe(0);
});

test('stopping breaks off what is under way, and reports no failure', async () => {
  const { sending, asked, last, states, settled } = sendingOf('1.pdf', '2.pdf');
  sending.start();
  const first = last();
  sending.stop();
  expect(first.signal.aborted).toBe(true);
  await first.end(new DOMException('cancelled', 'AbortError'));
  expect([states(), settled, asked.length]).toEqual([['PENDING', 'PENDING'], [], 1]);
});

test('there is no way back once sending has begun', async () => {
  const { sending, last } = sendingOf('1.pdf');
  sending.back();
  expect(sending.getState().step).toBe('files');
  sending.next();
  sending.start();
  sending.back();
  expect(sending.getState().step).toBe('summary');
  await last().end(failure(500));
  sending.back();
  expect(sending.getState().step).toBe('summary');
});

test('another category takes the type away, the same one does not; without a type there is no summary', () => {
  const { sending, all } = sendingOf('1.pdf');
  sending.back();
  const key = all()[0]?.key ?? '';
  sending.chooseCategory(key, 'LOANS');
  expect(all()[0]?.typeId).toBe('INCOME');
  sending.chooseCategory(key, 'CARDS');
  expect(all()[0]).toMatchObject({ categoryId: 'CARDS', typeId: undefined });
  sending.next();
  expect(sending.getState().step).toBe('files');
});

test('what is sent, or being sent, cannot be removed; what failed can', async () => {
  const { sending, last, all } = sendingOf('1.pdf', '2.pdf');
  sending.start();
  sending.remove(all()[0]?.key ?? '');
  await last().end();
  sending.remove(all()[0]?.key ?? '');
  expect(all()).toHaveLength(2);
  await last().end(failure(400));
  sending.remove(all()[1]?.key ?? '');
  expect(all().map(({ file }) => file.name)).toEqual(['1.pdf']);
});
