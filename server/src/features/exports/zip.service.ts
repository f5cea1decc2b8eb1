import { Readable } from 'node:stream';
import type { BodyOf, calls } from '@pergamin/contract';
import { predictLength } from 'client-zip';
import type { OwnDocument } from '#features/documents/documents.door.ts';
import type { LocalTime } from '#platform/clock/local-time.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { PortalError } from '#platform/http/errors.ts';
import { bytesOf, type Entry, manifestName } from './archive.ts';
import { listProofs, type Proofs } from './proofs.ts';
import { type ExportedFile, exportUnderLease } from './export-lease.service.ts';
import type { ExportParts } from './parts.ts';
import { zipNames } from './zip-names.ts';

/**
 * Documents in one archive, stored as they are: the bytes are read when the caller takes them, so that a thousand documents need no more memory
 * than one. Throws DOCUMENT_NOT_FOUND_ERROR, STORAGE_ERROR that names what is known to be damaged, or CALL_NOT_PERMITTED before the first
 * byte. A document that proves damaged or unreadable during the export is left out as a whole, and an entry at the end says so; only what
 * fails while its bytes are being sent breaks the archive off before its end.
 */
export type ZipDocuments = (caller: ClientCaller, request: BodyOf<typeof calls.downloadDocumentsZip>) => Promise<ExportedFile>;

export const createZipDocuments =
  ({ acquireLease, sentences, ...parts }: Omit<ExportParts, 'listIds' | 'metadata'>): ZipDocuments =>
  (caller, { ids, language = 'PL' }) =>
    exportUnderLease(acquireLease, caller, async (releaseLease) => {
      const { ownFiles, localTime, clock } = parts;
      const documents = await ownFiles.get(caller, ids);
      assertSound(documents);
      const entries = entriesOf(documents, localTime);
      const proofs = await listProofs(
        parts,
        entries.map(({ document: { id, principals }, name }) => ({ id, name, principals })),
      );
      const manifest = manifestOf(entries, proofs);
      const small = [{ name: manifestName, bytes: manifest }, ...proofs.files].map(({ name, bytes }) => ({ name, size: bytes.length }));
      const length = predictLength([...small, ...entries]);
      const own = sentences(language);
      const incomplete = { name: own['export.incompleteName'] ?? 'INCOMPLETE.txt', text: own['export.incompleteText'] ?? '' };
      const archive = { entries, manifest, proofs: proofs.files, length, incomplete, releaseLease };
      const body = Readable.from(bytesOf(parts, caller, archive), { objectMode: false });
      return { fileName: `documents-${localTime.dayOf(clock.now())}.zip`, size: length, body };
    });

const assertSound = (documents: readonly OwnDocument[]): void => {
  const damaged = documents.filter(({ corrupted }) => corrupted);
  if (damaged.length === 0) return;
  const fields = Object.fromEntries(damaged.map(({ id }) => [id, 'the stored bytes are not those that were published']));
  throw new PortalError('STORAGE_ERROR', { fields, cause: new Error(`corrupted: ${damaged.map(({ id }) => id).join(', ')}`) });
};

/** Programs that show an archive as it comes show "Wyciąg 2" before "Wyciąg 10". */
const byName = new Intl.Collator('pl', { numeric: true });

const entriesOf = (asked: readonly OwnDocument[], localTime: LocalTime): Entry[] => {
  const named = asked.map((document) => ({ document, id: document.id, day: dayOf(document, localTime), fileName: document.file_name }));
  const inOrder = named.toSorted((one, other) => byName.compare(one.day, other.day) || byName.compare(one.fileName, other.fileName));
  const names = zipNames(inOrder);
  return inOrder.map(({ document }, index) => {
    const { sha256, size } = document.registered ?? document;
    const lastModified = localTime.wallClockOf(document.published_at ?? new Date(0));
    return { document, name: names[index] ?? `${document.id}.pdf`, sha256, size, lastModified };
  });
};

/** The day by which its list sorts it (D13). */
const dayOf = (document: OwnDocument, localTime: LocalTime): string => {
  const listed = document.kind === 'statement' ? document.st_date : document.reg_date;
  return listed === null || listed === 'infinity' ? localTime.dayOf(document.published_at ?? new Date(0)) : listed;
};

/** As `sha256sum --check` reads it; it leaves out the lines that begin with #. */
const manifestOf = (entries: readonly Entry[], { files, without }: Proofs): Uint8Array =>
  Buffer.from(
    [...[...entries, ...files].map(({ sha256, name }) => `${sha256}  ${name}\n`), ...without.map((name) => `# no receipt: ${name}\n`)].join(
      '',
    ),
  );
