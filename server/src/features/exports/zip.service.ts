import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import type { BodyOf, calls, LanguageCode } from '@pergamin/contract';
import { makeZip, predictLength } from 'client-zip';
import type { OwnDocument, OwnFiles } from '#features/documents/documents.door.ts';
import type { Clock } from '#platform/clock/clock.ts';
import type { LocalTime } from '#platform/clock/local-time.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { isStorageFault } from '#platform/disk/storage-fault.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { Log } from '#platform/log/log.ts';
import type { EndTurn, TakeTurn } from './export-lease.service.ts';
import { incompleteEntry, type IncompleteWords } from './incomplete.ts';
import { createSentMarks } from './sent-marks.ts';
import { zipNames } from './zip-names.ts';

interface Parts {
  readonly ownFiles: OwnFiles;
  readonly takeTurn: TakeTurn;
  readonly words: { readonly sentences: (language: LanguageCode) => Readonly<Record<string, string>>; readonly localTime: LocalTime };
  readonly clock: Clock;
  readonly log: Log;
}

export interface ExportedFile {
  readonly fileName: string;
  /** Undefined where it is not known before everything was written. */
  readonly size?: bigint;
  readonly body: Readable;
}

/**
 * Documents in one archive, stored as they are: the bytes are read when the caller takes them, so that a thousand documents need no more memory
 * than one. Throws DOCUMENT_NOT_FOUND_ERROR, STORAGE_ERROR that names what is known to be damaged, or CALL_NOT_PERMITTED before the first
 * byte. A document that turns out to be damaged, or out of reach, on the way is left out as a whole, and an entry at the end says so; only what
 * fails while its bytes are being sent breaks the archive off before its end.
 */
export type ZipDocuments = (caller: ClientCaller, request: BodyOf<typeof calls.downloadDocumentsZip>) => Promise<ExportedFile>;

interface Entry {
  readonly document: OwnDocument;
  readonly name: string;
  readonly sha256: string;
  readonly size: number;
  readonly lastModified: Date;
}

interface Archive {
  readonly entries: readonly Entry[];
  readonly manifest: Uint8Array;
  /** As was promised. */
  readonly length: bigint;
  readonly incomplete: IncompleteWords;
  readonly endTurn: EndTurn;
}

/** What is longer is read twice: once to be sure of it, then to be sent. */
const mostHeldBytes = 4 * 1024 * 1024;
const manifestName = 'MANIFEST.sha256';

/** As `sha256sum --check` reads it. */
const manifestOf = (entries: readonly Entry[]): Uint8Array =>
  Buffer.from(entries.map(({ sha256, name }) => `${sha256}  ${name}\n`).join(''));

/** The day by which its list sorts it (D13). */
const dayOf = (document: OwnDocument, localTime: LocalTime): string => {
  const listed = document.kind === 'statement' ? document.st_date : document.reg_date;
  return listed === null || listed === 'infinity' ? localTime.dayOf(document.published_at ?? new Date(0)) : listed;
};

const assertSound = (documents: readonly OwnDocument[]): void => {
  const damaged = documents.filter(({ corrupted }) => corrupted);
  if (damaged.length === 0) return;
  const fields = Object.fromEntries(damaged.map(({ id }) => [id, 'the stored bytes are not those that were published']));
  throw new PortalError('STORAGE_ERROR', { fields, cause: new Error(`corrupted: ${damaged.map(({ id }) => id).join(', ')}`) });
};

export const createZipDocuments = ({ ownFiles, takeTurn, words: { sentences, localTime }, clock, log }: Parts): ZipDocuments => {
  const entriesOf = (documents: readonly OwnDocument[]): Entry[] => {
    const names = zipNames(
      documents.map((document) => ({ id: document.id, day: dayOf(document, localTime), fileName: document.file_name })),
    );
    return documents.map((document, index) => {
      const { sha256, size } = document.registered ?? document;
      const lastModified = localTime.wallClockOf(document.published_at ?? clock.now());
      return { document, name: names[index] ?? `${document.id}.pdf`, sha256, size, lastModified };
    });
  };

  /** Its bytes, after all of them were found to be those that were published; undefined when they cannot be had. */
  const openSound = async ({ document, size }: Entry): Promise<Readable | undefined> => {
    try {
      const source = await ownFiles.open(document);
      if (size <= mostHeldBytes) return Readable.from([await buffer(source)]);
      await finished(source.resume());
      return await ownFiles.open(document);
    } catch (error) {
      if (!isStorageFault(error)) throw error;
      log.error({ alarm: 'export', documentId: document.id, err: error }, 'a document is missing in an archive');
      return undefined;
    }
  };

  async function* bytesOf(caller: ClientCaller, { entries, manifest, length, incomplete, endTurn }: Archive): AsyncGenerator<Uint8Array> {
    const marks = createSentMarks((ids) => ownFiles.markDownloaded(caller, ids), log);
    async function* inputs() {
      yield { name: manifestName, input: manifest, lastModified: localTime.wallClockOf(clock.now()) };
      const missing: string[] = [];
      const present = [{ name: manifestName, size: manifest.length }];
      for (const entry of entries) {
        const { document, name, lastModified, size } = entry;
        const source = await openSound(entry);
        if (source === undefined) {
          missing.push(name);
          continue;
        }
        present.push({ name, size });
        try {
          yield { name, lastModified, size, input: source };
        } catch {
          // Nobody takes the rest.
          return;
        } finally {
          source.destroy();
        }
        marks.ended(document.id);
      }
      if (missing.length === 0) return;
      const entry = incompleteEntry(incomplete, { missing, present, length });
      if (entry === undefined) throw new PortalError('STORAGE_ERROR', { cause: new Error('no room to say what is missing') });
      yield { ...entry, lastModified: localTime.wallClockOf(clock.now()) };
    }
    let held: Uint8Array | undefined;
    try {
      for await (const chunk of makeZip(inputs())) {
        if (held !== undefined) {
          yield held;
          await marks.taken(held.length);
        }
        held = chunk;
      }
      // Whoever has the whole archive finds its documents marked, and may ask for the next.
      await marks.takenAll();
      await endTurn();
      if (held !== undefined) yield held;
    } finally {
      await marks.close();
      // Of an archive that breaks off, before its reader is told.
      await endTurn();
    }
  }

  return async (caller, { ids, language = 'PL' }) => {
    const endTurn = await takeTurn(caller.personalId);
    try {
      const documents = await ownFiles.get(caller, ids);
      assertSound(documents);
      const entries = entriesOf(documents);
      const manifest = manifestOf(entries);
      const length = predictLength([{ name: manifestName, size: manifest.length }, ...entries]);
      const own = sentences(language);
      const incomplete = { name: own['export.incompleteName'] ?? 'INCOMPLETE.txt', text: own['export.incompleteText'] ?? '' };
      const body = Readable.from(bytesOf(caller, { entries, manifest, length, incomplete, endTurn }), { objectMode: false });
      body.once('close', () => void endTurn());
      return { fileName: `documents-${localTime.dayOf(clock.now())}.zip`, size: length, body };
    } catch (error) {
      await endTurn();
      throw error;
    }
  };
};
