import { expect, test, vi } from 'vitest';
import { createVerifications, type Finding, type Verified } from './verification.store.ts';

const noDocument: Finding = {
  status: 'DOCUMENT_NOT_EXIST',
  checkedAt: null,
  compared: null,
  document: null,
  storedSha256: null,
  ledger: null,
  entry: null,
  differences: [],
  notCompared: [],
};
const fileNamed = (name: string): File => new File([name], name);

const create = ({ ask = async () => noDocument }: { ask?: (sha256: string) => Promise<Finding> } = {}) => {
  const hashed: string[] = [];
  const settled: Verified[] = [];
  const gates = new Map<string, () => void>();
  const verifications = createVerifications({
    async hash(file, { signal, onProgress }) {
      const name = await file.text();
      signal.throwIfAborted();
      hashed.push(name);
      onProgress(1);
      await new Promise<void>((resolve, reject) => {
        gates.set(name, resolve);
        signal.addEventListener('abort', () => reject(new Error('broken off')));
      });
      return name.padEnd(64, '0');
    },
    ask,
    findNamesake: async () => undefined,
    onSettled: (item) => settled.push(item),
  });
  const states = () => verifications.getState().items.map(({ name, progress }) => [name, progress.state]);
  const finish = async (name: string): Promise<void> => {
    await vi.waitFor(() => expect(gates.has(name)).toBe(true));
    gates.get(name)?.();
  };
  return { verifications, hashed, settled, states, finish };
};

test('several files are verified one after another, in the order in which they came; the first one is looked at', async () => {
  const { verifications, hashed, states, finish } = create();
  verifications.addFiles([fileNamed('a'), fileNamed('b')]);
  await finish('a');
  await finish('b');
  await vi.waitFor(() =>
    expect(states()).toEqual([
      ['b', 'answered'],
      ['a', 'answered'],
    ]),
  );
  expect(hashed).toEqual(['a', 'b']);
  const { items, chosenKey } = verifications.getState();
  expect(items.find(({ key }) => key === chosenKey)?.name).toBe('a');
});

test('what is under way can be taken away, and the next one begins', async () => {
  const { verifications, states, finish } = create();
  verifications.addFiles([fileNamed('a'), fileNamed('b')]);
  await vi.waitFor(() =>
    expect(states()).toEqual([
      ['b', 'waiting'],
      ['a', 'hashing'],
    ]),
  );
  const [, first] = verifications.getState().items;
  verifications.remove(first?.key ?? '');
  await finish('b');
  await vi.waitFor(() => expect(states()).toEqual([['b', 'answered']]));
});

test('what failed is tried again without reading the file again', async () => {
  let isDown = true;
  const { verifications, hashed, settled, states, finish } = create({
    async ask() {
      if (isDown) throw new Error('no answer');
      return noDocument;
    },
  });
  verifications.addFiles([fileNamed('a')]);
  await finish('a');
  await vi.waitFor(() => expect(states()).toEqual([['a', 'failed']]));
  isDown = false;
  verifications.retry(verifications.getState().items[0]?.key ?? '');
  await vi.waitFor(() => expect(states()).toEqual([['a', 'answered']]));
  expect(hashed).toEqual(['a']);
  expect(settled.map(({ progress }) => progress.state)).toEqual(['failed', 'answered']);
});

test('a checksum needs no file', async () => {
  const asked: string[] = [];
  const { verifications, hashed, states } = create({
    async ask(sha256) {
      asked.push(sha256);
      return noDocument;
    },
  });
  verifications.addChecksum('0'.repeat(64));
  await vi.waitFor(() => expect(states()).toEqual([['0'.repeat(64), 'answered']]));
  expect([asked, hashed]).toEqual([['0'.repeat(64)], []]);
});

test('the end of the screen breaks everything off, and announces nothing', async () => {
  const { verifications, hashed, settled } = create();
  verifications.addFiles([fileNamed('a'), fileNamed('b')]);
  await vi.waitFor(() => expect(hashed).toEqual(['a']));
  verifications.stop();
  await vi.waitFor(() => expect(verifications.getState().items).toEqual([]));
  expect([hashed, settled]).toEqual([['a'], []]);
});
