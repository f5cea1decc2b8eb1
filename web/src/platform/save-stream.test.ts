import { expect, onTestFinished, test, vi } from 'vitest';
import { chooseFile, type FileTarget, saveStream } from './save-stream.ts';

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const answer = (parts: readonly string[], headers: HeadersInit = {}): Response =>
  new Response(
    new ReadableStream({
      start(control) {
        for (const part of parts) control.enqueue(bytes(part));
        control.close();
      },
    }),
    { headers },
  );

/** What the browser's own downloads are handed: names, and the bytes behind their addresses. */
const watchDownloads = () => {
  const saved: { readonly name: string; readonly blob: Blob | undefined }[] = [];
  const blobs = new Map<string, Blob>();
  const create = URL.createObjectURL.bind(URL);
  const creating = vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    const url = create(blob);
    if (blob instanceof Blob) blobs.set(url, blob);
    return url;
  });
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
    saved.push({ name: this.download, blob: blobs.get(this.href) });
  });
  onTestFinished(() => {
    creating.mockRestore();
    click.mockRestore();
  });
  return saved;
};

/** A file on the disk, and what happened to it. */
const fileOnDisk = () => {
  const done: string[] = [];
  const target: FileTarget = {
    write: async (part) => {
      done.push(part instanceof Uint8Array ? new TextDecoder().decode(part) : 'something else');
    },
    close: async () => void done.push('closed'),
    abort: async () => void done.push('discarded'),
  };
  return { target, done };
};

test('an archive is held until all of it is in, then handed to the downloads under its name, with its type', async () => {
  const saved = watchDownloads();
  const told: unknown[] = [];
  const headers = { 'content-length': '7', 'content-type': 'application/zip' };
  await saveStream(answer(['one', 'four'], headers), { name: 'papers.zip', target: undefined, onProgress: (now) => told.push(now) });
  expect(saved.map(({ name, blob }) => [name, blob?.type])).toEqual([['papers.zip', 'application/zip']]);
  expect(await saved[0]?.blob?.text()).toBe('onefour');
  expect(told).toEqual([
    { bytes: 0, total: 7 },
    { bytes: 3, total: 7 },
    { bytes: 7, total: 7 },
  ]);
});

test('a file on the disk is written part by part and closed; nothing goes to the downloads', async () => {
  const saved = watchDownloads();
  const { target, done } = fileOnDisk();
  await saveStream(answer(['one', 'four']), { name: 'papers.zip', target, onProgress: () => undefined });
  expect(done).toEqual(['one', 'four', 'closed']);
  expect(saved).toEqual([]);
});

test('an answer that ends early is no file: what was written is discarded', async () => {
  const saved = watchDownloads();
  const { target, done } = fileOnDisk();
  const short = () => answer(['one'], { 'content-length': '7' });
  await expect(saveStream(short(), { name: 'papers.zip', target, onProgress: () => undefined })).rejects.toThrow('before its end');
  await expect(saveStream(short(), { name: 'papers.zip', target: undefined, onProgress: () => undefined })).rejects.toThrow(
    'before its end',
  );
  expect(done).toEqual(['one', 'discarded']);
  expect(saved).toEqual([]);
});

test('an answer that breaks off is no file either, and neither is one that the customer stops', async () => {
  const { target, done } = fileOnDisk();
  const stopped = new DOMException('stopped', 'AbortError');
  let parts = 0;
  const broken = new Response(
    new ReadableStream({
      pull(control) {
        parts += 1;
        if (parts === 1) control.enqueue(bytes('one'));
        else control.error(stopped);
      },
    }),
  );
  await expect(saveStream(broken, { name: 'papers.zip', target, onProgress: () => undefined })).rejects.toBe(stopped);
  expect(done).toEqual(['one', 'discarded']);
});

test('an empty answer is an empty file', async () => {
  const saved = watchDownloads();
  await saveStream(new Response(null), { name: 'none.csv', target: undefined, onProgress: () => undefined });
  expect(saved.map(({ name, blob }) => [name, blob?.size])).toEqual([['none.csv', 0]]);
});

test('where to save is asked for where the browser can write bit by bit, under the suggested name', async () => {
  const { target } = fileOnDisk();
  const asked: unknown[] = [];
  vi.stubGlobal('showSaveFilePicker', async (options: unknown) => {
    asked.push(options);
    return { createWritable: async () => target };
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(await chooseFile('papers.zip')).toBe(target);
  expect(asked).toEqual([{ suggestedName: 'papers.zip' }]);
});
