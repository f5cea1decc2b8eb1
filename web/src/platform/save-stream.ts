import { saveFile } from './save-file.ts';

/** A file on the customer's disk that is written while it comes in. */
export type FileTarget = Pick<FileSystemWritableFileStream, 'write' | 'close' | 'abort'>;

interface FilePicker {
  showSaveFilePicker(options: { readonly suggestedName: string }): Promise<FileSystemFileHandle>;
}

const hasPicker = (page: object): page is FilePicker => 'showSaveFilePicker' in page;

/** Asks where to save, within a press; undefined where the browser cannot write a file bit by bit. Throws an AbortError when nothing is chosen. */
export const chooseFile = async (suggestedName: string): Promise<FileTarget | undefined> => {
  const page: object = globalThis;
  if (!hasPicker(page)) return undefined;
  const handle = await page.showSaveFilePicker({ suggestedName });
  return handle.createWritable();
};

interface SaveOptions {
  readonly name: string;
  readonly target: FileTarget | undefined;
  readonly onProgress: (progress: { readonly bytes: number; readonly total: number | undefined }) => void;
}

/** Saves the body of an answer, and tells how much of it is in. Throws when it ends early: what was written is discarded then. */
export const saveStream = async (response: Response, { name, target, onProgress }: SaveOptions): Promise<void> => {
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  const total = Number.isNaN(length) ? undefined : length;
  const held: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  onProgress({ bytes, total });
  try {
    const reader = response.body?.getReader();
    for (;;) {
      const part = await reader?.read();
      if (part === undefined || part.done) break;
      bytes += part.value.length;
      if (target === undefined) held.push(part.value);
      else await target.write(part.value);
      onProgress({ bytes, total });
    }
    if (total !== undefined && bytes < total) throw new Error('The answer ended before its end');
  } catch (error) {
    await target?.abort();
    throw error;
  }
  if (target === undefined) saveFile(new Blob(held, { type: response.headers.get('content-type') ?? '' }), name);
  else await target.close();
};
