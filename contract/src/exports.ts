import * as z from 'zod/mini';
import { protectedCall } from './call.ts';
import { documentQuery } from './documents.ts';
import { exportLimits, listLimits } from './limits.ts';
import { documentId, keptText, languageCode } from './values.ts';

const chosenIds = z.array(documentId).check(z.minLength(1), z.maxLength(exportLimits.maxZipDocuments));

/**
 * The archive holds the documents as they were published, under their dates and names, and MANIFEST.sha256 with their checksums. When the stored
 * bytes of some cannot be read while it is sent, a text at its end names them, in `language`.
 */
export const downloadDocumentsZip = protectedCall({
  name: 'downloadDocumentsZip',
  method: 'POST',
  path: '/api/protected/documents/export/zip',
  load: 'heavy',
  summary:
    'Documents of the caller in one ZIP of known length, by their days and names; each is marked as downloaded when its bytes went out',
  needsStatute: true,
  keepsSessionAlive: true,
  body: z.strictObject({ ids: chosenIds, language: z.optional(languageCode) }),
  answer: 'bytes',
});

/**
 * Either `ids`, or `query` as the list takes it (its page and size are not used). `columns` are keys of client-visible metadata, in the order
 * of the table. Cells are separated as spreadsheets of the language expect: by semicolons in Polish, by commas in English.
 */
export const exportDocumentsCsv = protectedCall({
  name: 'exportDocumentsCsv',
  method: 'POST',
  path: '/api/protected/documents/export/csv',
  load: 'heavy',
  summary: 'Metadata of documents of the caller as a table in CSV, with the labels of one language',
  needsStatute: true,
  keepsSessionAlive: true,
  body: z
    .strictObject({
      language: languageCode,
      columns: z.array(keptText(64)).check(z.minLength(1), z.maxLength(listLimits.maxColumns)),
      ids: z.optional(chosenIds),
      query: z.optional(documentQuery),
    })
    .check(z.refine(({ ids, query }) => (ids === undefined) !== (query === undefined), { path: ['ids'], error: 'either ids or query' })),
  answer: 'bytes',
});
