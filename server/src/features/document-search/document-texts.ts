import { rm } from 'node:fs/promises';
import type { Db } from '#platform/database/schema.ts';
import type { JobHandler } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/log/log.ts';
import { copyHashed } from '#platform/objects/hashed-copy.ts';
import type { Objects } from '#platform/objects/objects.ts';
import type { PdfPool } from '#platform/pdf/pdf-pool.ts';
import { PdfError } from '#platform/pdf/pdf.errors.ts';
import type { Renditions } from '#platform/renditions/renditions.ts';
import { claimUnread, listTexts, markTextRead, type PageText, putTexts, type UnreadDocument } from './texts.store.ts';
import { lexemesOf, wordsOf } from './words.rules.ts';

export interface TextParts {
  readonly db: Db;
  readonly objects: Pick<Objects, 'open'>;
  readonly pdf: Pick<PdfPool, 'readText'>;
  readonly renditions: Pick<Renditions, 'makeWorkPath'>;
  readonly log: Log;
}

/** A round ends before the next one begins. */
const roundMs = 50_000;
/** After so many documents that the store does not give in one round, the store is taken as failed, and the round ends. */
const maxFailures = 10;

/**
 * Reads the texts of published documents whose text is not indexed yet, the newest first: new ones since the last round, and those of the time before
 * there was a search. A text that is kept is not read again: a migration that changes what is kept of the words has it counted as unread. What
 * has no text that could be read is not asked again; what a store cannot give now is asked for in the next round.
 */
export const createTextReading = ({ db, objects, pdf, renditions, log }: TextParts): JobHandler => {
  const read = async ({ object_key: key, sha256, page_count: pages }: UnreadDocument, signal: AbortSignal): Promise<PageText[]> => {
    const found: PageText[] = [];
    const path = await renditions.makeWorkPath();
    try {
      // Bytes that were not published must not be found; the check of the document tells the operator.
      if ((await copyHashed(await objects.open(key), path, { signal })) !== sha256)
        throw new PdfError('BROKEN', `the object ${key} is not what was published`);
      await pdf.readText({
        path,
        pages,
        signal,
        onPage(page, text) {
          const words = wordsOf(text);
          if (words.size > 0) found.push({ page, text, lexemes: lexemesOf(words) });
        },
      });
    } finally {
      await rm(path, { force: true });
    }
    return found;
  };

  /** What became of one document; undefined when there is none left. */
  const readNext = (failed: readonly string[], signal: AbortSignal): Promise<{ failed?: string } | undefined> =>
    db.transaction().execute(async (trx) => {
      const document = await claimUnread(trx, failed);
      if (document === undefined) return undefined;
      try {
        const kept = await listTexts(trx, document.id);
        const pages = kept.map(({ page, text }) => ({ page, text, lexemes: lexemesOf(wordsOf(text)) }));
        await putTexts(trx, document.id, kept.length > 0 ? pages : await read(document, signal));
      } catch (error) {
        signal.throwIfAborted();
        log.warn({ err: error, documentId: document.id }, 'the text of a document could not be read');
        if (!(error instanceof PdfError)) return { failed: document.id };
      }
      await markTextRead(trx, document.id);
      return {};
    });

  return async (_, signal) => {
    const deadlineMs = performance.now() + roundMs;
    const failed: string[] = [];
    while (!signal.aborted && performance.now() < deadlineMs && failed.length < maxFailures) {
      const outcome = await readNext(failed, signal);
      if (outcome === undefined) return;
      if (outcome.failed !== undefined) failed.push(outcome.failed);
    }
  };
};
