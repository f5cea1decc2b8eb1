import { Readable } from 'node:stream';
import { type BodyOf, type calls, exportLimits, type LanguageCode } from '@pergamin/contract';
import type { ListIds } from '#features/document-lists/document-lists.door.ts';
import type { OwnFiles } from '#features/documents/documents.door.ts';
import type { Definition, Metadata, MetadataDefinitions } from '#features/metadata/metadata.door.ts';
import type { Clock } from '#platform/clock/clock.ts';
import type { LocalTime } from '#platform/clock/local-time.ts';
import { asText, byteOrderMark, csvLine } from '#platform/csv/csv.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { invalidField } from '#platform/http/errors.ts';
import { createCellText, nameIn } from './csv.rules.ts';
import type { TakeTurn } from './export-lease.service.ts';
import type { ExportedFile } from './zip.service.ts';

interface Parts {
  readonly ownFiles: Pick<OwnFiles, 'find' | 'get'>;
  readonly listIds: ListIds;
  readonly metadata: Pick<Metadata, 'definitions'>;
  readonly takeTurn: TakeTurn;
  readonly words: { readonly sentences: (language: LanguageCode) => Readonly<Record<string, string>>; readonly localTime: LocalTime };
  readonly clock: Clock;
}

/**
 * Metadata of documents as a table. Which documents is decided before the first byte; rows are read some hundred at a time, when the caller
 * takes them, and a document that was deleted meanwhile is left out. Throws DOCUMENT_NOT_FOUND_ERROR, VALIDATION_ERROR, CALL_NOT_PERMITTED.
 */
export type ExportCsv = (caller: ClientCaller, request: BodyOf<typeof calls.exportDocumentsCsv>) => Promise<ExportedFile>;

const rowsAtOnce = 500;

const readColumns = (definitions: MetadataDefinitions, keys: readonly string[]): Definition[] =>
  keys.map((key, index) => {
    const definition = definitions.find(key);
    if (definition === undefined || (definition.visible !== 'yes' && definition.visible !== 'own'))
      throw invalidField(`columns.${index}`, 'not a key that can be shown');
    return definition;
  });

export const createExportCsv = ({ ownFiles, listIds, metadata, takeTurn, words, clock }: Parts): ExportCsv => {
  const chooseIds = async (caller: ClientCaller, { ids, query }: Parameters<ExportCsv>[1]): Promise<string[]> => {
    if (ids !== undefined) return (await ownFiles.get(caller, ids)).map(({ id }) => id);
    if (query === undefined) throw invalidField('query', 'either ids or query');
    return listIds(caller, query, exportLimits.maxCsvRows);
  };

  return async (caller, request) => {
    const { language } = request;
    const endTurn = await takeTurn(caller.personalId);
    try {
      const definitions = await metadata.definitions();
      const columns = readColumns(definitions, request.columns);
      const ids = await chooseIds(caller, request);
      const cellText = createCellText({ language, sentences: words.sentences(language), definitions, localTime: words.localTime });

      async function* lines(): AsyncGenerator<Buffer> {
        try {
          const labels = columns.map(({ name }) => asText(nameIn(language, name)));
          yield Buffer.from(byteOrderMark + csvLine(labels, language));
          for (let from = 0; from < ids.length; from += rowsAtOnce) {
            const documents = await ownFiles.find(caller, ids.slice(from, from + rowsAtOnce));
            const rows = documents.map((document) => {
              const values = definitions.toMap(document, caller);
              return csvLine(
                columns.map((column) => cellText(column, values[column.id])),
                language,
              );
            });
            yield Buffer.from(rows.join(''));
          }
        } finally {
          // Before the end of the answer, not after it: whoever has it all may ask for the next.
          await endTurn();
        }
      }

      const body = Readable.from(lines(), { objectMode: false });
      // A body that nobody begins to read never comes to the end of its lines.
      body.once('close', () => void endTurn());
      return { fileName: `documents-${words.localTime.dayOf(clock.now())}.csv`, body };
    } catch (error) {
      await endTurn();
      throw error;
    }
  };
};
