import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { makeZip } from 'client-zip';
import type { OwnDocument } from '#features/documents/documents.door.ts';
import { isStorageFault } from '#platform/disk/storage-fault.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { ReleaseLease } from './export-lease.service.ts';
import { incompleteEntry, type IncompleteWords } from './incomplete.ts';
import type { ExportParts } from './parts.ts';
import type { Proof } from './proofs.ts';
import { createSentMarks, type SentMarks } from './sent-marks.ts';

type Parts = Pick<ExportParts, 'ownFiles' | 'localTime' | 'clock' | 'log'>;

export interface Entry {
  readonly document: OwnDocument;
  readonly name: string;
  readonly sha256: string;
  readonly size: number;
  readonly lastModified: Date;
}

export interface Archive {
  readonly entries: readonly Entry[];
  readonly manifest: Uint8Array;
  /** After the documents. */
  readonly proofs: readonly Proof[];
  /** As was promised. */
  readonly length: bigint;
  readonly incomplete: IncompleteWords;
  readonly releaseLease: ReleaseLease;
}

export const manifestName = 'MANIFEST.sha256';
/** What is longer is read twice: once to be sure of it, then to be sent. */
const maxHeldBytes = 4 * 1024 * 1024;

/** Its bytes, after all of them were found to be those that were published; undefined when they cannot be read. */
const openSound = async ({ ownFiles, log }: Parts, { document, size }: Entry): Promise<Readable | undefined> => {
  try {
    const source = await ownFiles.open(document);
    if (size <= maxHeldBytes) return Readable.from([await buffer(source)]);
    await finished(source.resume());
    return await ownFiles.open(document);
  } catch (error) {
    if (!isStorageFault(error)) throw error;
    log.error({ alarm: 'export', documentId: document.id, err: error }, 'a document is missing in an archive');
    return undefined;
  }
};

/** The manifest, the documents and, when some are missing, an entry that names them. */
async function* inputsOf(parts: Parts, { entries, manifest, proofs, length, incomplete }: Archive, marks: SentMarks) {
  const { localTime, clock } = parts;
  yield { name: manifestName, input: manifest, lastModified: localTime.wallClockOf(clock.now()) };
  const missing: string[] = [];
  const present = [{ name: manifestName, size: manifest.length }, ...proofs.map(({ name, bytes }) => ({ name, size: bytes.length }))];
  for (const entry of entries) {
    const { document, name, lastModified, size } = entry;
    const source = await openSound(parts, entry);
    if (source === undefined) {
      missing.push(name);
      continue;
    }
    present.push({ name, size });
    try {
      yield { name, lastModified, size, input: source };
    } catch {
      // The reader has left.
      return;
    } finally {
      source.destroy();
    }
    marks.ended(document.id);
  }
  for (const { name, bytes } of proofs) yield { name, input: bytes, lastModified: localTime.wallClockOf(clock.now()) };
  if (missing.length === 0) return;
  const entry = incompleteEntry(incomplete, { missing, present, length });
  if (entry === undefined) throw new PortalError('STORAGE_ERROR', { cause: new Error('no room to say what is missing') });
  yield { ...entry, lastModified: localTime.wallClockOf(clock.now()) };
}

/** The archive, piece by piece. The last one follows when the documents are marked as downloaded and the lease has ended. */
export async function* bytesOf(parts: Parts, caller: ClientCaller, archive: Archive): AsyncGenerator<Uint8Array> {
  const marks = createSentMarks((ids) => parts.ownFiles.markDownloaded(caller, ids), parts.log);
  let held: Uint8Array | undefined;
  try {
    for await (const chunk of makeZip(inputsOf(parts, archive, marks))) {
      if (held !== undefined) {
        yield held;
        await marks.taken(held.length);
      }
      held = chunk;
    }
    // Before the last piece, so that a reader of the whole archive finds its documents marked, and may ask for the next.
    await marks.takenAll();
    await archive.releaseLease();
    if (held !== undefined) yield held;
  } finally {
    await marks.close();
    // A failed archive releases its lease before its reader sees the error.
    await archive.releaseLease();
  }
}
