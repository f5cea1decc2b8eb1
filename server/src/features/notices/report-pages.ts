import { invalidField, PortalError } from '#platform/http/errors.ts';
import type { NoticesParts } from './parts.ts';
import { type Asked, hasClient, isPublished, listDocuments, type Place, type Portion, type ReportedDocument } from './report.store.ts';

interface ReportedRow {
  readonly id: string;
  readonly publishedAt: Date;
  readonly personalId: string;
}

/** One report, read page by page: documents in the order of their publication, and of each its clients. */
interface Source<A extends Asked, Row extends ReportedRow> {
  readonly isFor: 'unread' | 'proof';
  /** Read for one page, which bounds its time where few of them have a row. */
  readonly documentsPerPage: number;
  readonly list: (asked: A, portion: Portion) => Promise<Row[]>;
}

export interface ReportPage<Row> {
  readonly rows: readonly Row[];
  /** Undefined: there is nothing after this. */
  readonly next: Place | undefined;
}

export const createReportPages = <A extends Asked, Row extends ReportedRow>(
  { db, settings: { timeZone } }: Pick<NoticesParts, 'db' | 'settings'>,
  { isFor, documentsPerPage, list }: Source<A, Row>,
) => {
  /** `limitOf`: how many rows of these documents are read at once. */
  const read = async (
    asked: A,
    { after, limitOf }: { after: Place | undefined; limitOf: (documents: readonly ReportedDocument[]) => number },
  ): Promise<ReportPage<Row>> => {
    const documents = await listDocuments(db, asked, { after, isFor, timeZone, limit: documentsPerPage });
    const last = documents.at(-1);
    if (last === undefined) return { rows: [], next: undefined };
    const limit = limitOf(documents);
    const found = await list(asked, { documentIds: documents.map(({ id }) => id), after, limit: limit + 1 });
    const rows = found.slice(0, limit);
    const lastRow = rows.at(-1);
    if (found.length > limit && lastRow !== undefined)
      return { rows, next: { publishedAt: lastRow.publishedAt, documentId: lastRow.id, personalId: lastRow.personalId } };
    const isEnd = documents.length < documentsPerPage;
    return { rows, next: isEnd ? undefined : { publishedAt: last.publishedAt, documentId: last.id, personalId: null } };
  };
  return {
    read,
    /**
     * Throws DOCUMENT_NOT_FOUND_ERROR when the document that is asked for was never published, VALIDATION_ERROR when no client has the customer number:
     * an empty report would say that nothing was published to it.
     */
    async requireKnown({ document, cif }: Asked): Promise<void> {
      if (cif !== undefined && !(await hasClient(db, cif))) throw invalidField('cif', 'no client has this customer number');
      if (document !== undefined && !(await isPublished(db, document))) throw new PortalError('DOCUMENT_NOT_FOUND_ERROR');
    },
    /** All rows, each page when it is taken. */
    async *all(asked: A, limitOf: (documents: readonly ReportedDocument[]) => number): AsyncGenerator<readonly Row[]> {
      let after: Place | undefined;
      do {
        const page: ReportPage<Row> = await read(asked, { after, limitOf });
        yield page.rows;
        after = page.next;
      } while (after !== undefined);
    },
  };
};
