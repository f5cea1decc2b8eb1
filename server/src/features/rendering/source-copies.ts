import { rm } from 'node:fs/promises';
import { copyHashed } from '#platform/objects/hashed-copy.ts';
import type { Objects } from '#platform/objects/objects.ts';
import { PdfError } from '#platform/pdf/pdf.errors.ts';
import type { Renditions } from '#platform/renditions/renditions.ts';

/** The stored bytes are not the published ones: nothing of them may be shown. */
class ObjectAltered extends Error {
  override readonly name = 'ObjectAltered';
}

/** A PDF to be shown. */
export interface RenderableObject {
  readonly objectKey: string;
  /** Of its bytes, lower-case hexadecimal; equal objects share their page images. */
  readonly sha256: string;
  readonly pages: number;
}

/** Of a page, or of all pages of a width. */
export const idOf = ({ sha256, width, page = 0 }: { sha256: string; width: number; page?: number }): string => `${sha256}:${width}:${page}`;

type Source = Pick<RenderableObject, 'objectKey' | 'sha256'>;

/** Shares a copy of the object for as long as `work` takes. Throws ObjectAltered. */
export type WithCopy = <Result>(source: Source, work: (path: string) => Promise<Result>) => Promise<Result>;

/** Whether the document is to blame, and would fail again. */
export const isOfDocument = (error: unknown): boolean => error instanceof PdfError || error instanceof ObjectAltered;

interface Parts {
  readonly objects: Pick<Objects, 'open'>;
  readonly renditions: Pick<Renditions, 'makeWorkPath'>;
}

/** Copies of objects on this machine, each verified by its hash. Calls for the same object share a copy; the last one removes it. */
export const createSourceCopies = ({ objects, renditions }: Parts): WithCopy => {
  const copies = new Map<string, { readonly path: Promise<string>; users: number }>();

  const copy = async ({ objectKey, sha256 }: Source): Promise<string> => {
    const path = await renditions.makeWorkPath();
    try {
      if ((await copyHashed(await objects.open(objectKey), path)) !== sha256)
        throw new ObjectAltered(`the object ${objectKey} is not what was published`);
      return path;
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  };

  return async (source, work) => {
    const shared = copies.get(source.sha256) ?? { path: copy(source), users: 0 };
    copies.set(source.sha256, shared);
    shared.users += 1;
    try {
      return await work(await shared.path);
    } finally {
      shared.users -= 1;
      if (shared.users === 0) {
        copies.delete(source.sha256);
        await shared.path.then(
          (path) => rm(path, { force: true }),
          () => undefined,
        );
      }
    }
  };
};
