import { Readable } from 'node:stream';
import { type BodyOf, type calls, exportLimits } from '@pergamin/contract';
import type { Definition, MetadataDefinitions } from '#features/metadata/metadata.door.ts';
import { asText, byteOrderMark, csvLine } from '#platform/csv/csv.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { invalidField } from '#platform/http/errors.ts';
import { createCellText, nameIn } from './csv.rules.ts';
import { type ExportedFile, exportUnderLease } from './export-lease.service.ts';
import type { ExportParts } from './parts.ts';

type Parts = Omit<ExportParts, 'log'>;

/**
 * Metadata of documents as a table. Which documents is decided before the first byte; rows are read some hundred at a time, when the caller
 * takes them, and a document that was deleted meanwhile is left out. Throws DOCUMENT_NOT_FOUND_ERROR, VALIDATION_ERROR, CALL_NOT_PERMITTED.
 */
export type ExportCsv = (caller: ClientCaller, request: BodyOf<typeof calls.exportDocumentsCsv>) => Promise<ExportedFile>;

const rowsAtOnce = 500;

const readColumns = (definitions: MetadataDefinitions, keys: readonly string[]): Definition[] =>
  keys.map((key, index) => {
    const definition = definitions.findShown(key);
    if (definition === undefined) throw invalidField(`columns.${index}`, 'not a key that can be shown');
    return definition;
  });

/** The contract has one of the two. */
const chooseIds = async (
  { ownFiles, listIds }: Parts,
  caller: ClientCaller,
  { ids = [], query }: Parameters<ExportCsv>[1],
): Promise<string[]> =>
  query === undefined ? (await ownFiles.get(caller, ids)).map(({ id }) => id) : listIds(caller, query, exportLimits.maxCsvRows);

export const createExportCsv =
  (parts: Parts): ExportCsv =>
  (caller, request) =>
    exportUnderLease(parts.acquireLease, caller, async (releaseLease) => {
      const { ownFiles, metadata, sentences, localTime, clock } = parts;
      const { language } = request;
      const definitions = await metadata.definitions();
      const columns = readColumns(definitions, request.columns);
      const ids = await chooseIds(parts, caller, request);
      const cellText = createCellText({ language, sentences: sentences(language), definitions, localTime });

      async function* lines(): AsyncGenerator<Buffer> {
        try {
          const labels = columns.map(({ name }) => asText(nameIn(language, name)));
          yield Buffer.from(byteOrderMark + csvLine(labels, language));
          for (let from = 0; from < ids.length; from += rowsAtOnce) {
            const documents = await ownFiles.find(caller, ids.slice(from, from + rowsAtOnce));
            const rows = documents.map((document) => {
              const values = definitions.toMap(document, caller);
              const cells = columns.map((column) => cellText(column, values[column.id]));
              return csvLine(cells, language);
            });
            yield Buffer.from(rows.join(''));
          }
        } finally {
          // Before the end of the answer, not after it: a client who has it all may ask for the next at once.
          await releaseLease();
        }
      }

      return { fileName: `documents-${localTime.dayOf(clock.now())}.csv`, body: Readable.from(lines(), { objectMode: false }) };
    });
