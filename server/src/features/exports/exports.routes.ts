import { calls } from '@pergamin/contract';
import { attachmentHeaders } from '#platform/http/attachment.ts';
import { type Bytes, route, type Route } from '#platform/http/route.ts';
import type { ExportCsv } from './csv.service.ts';
import type { ExportedFile } from './export-lease.service.ts';
import type { ZipDocuments } from './zip.service.ts';

interface Exports {
  readonly zipDocuments: ZipDocuments;
  readonly exportCsv: ExportCsv;
}

const asFile = ({ fileName, size, body }: ExportedFile, contentType: string): Bytes => ({
  body,
  contentType,
  headers: attachmentHeaders({ fileName, ...(size === undefined ? {} : { size }) }),
});

export const exportRoutes = ({ zipDocuments, exportCsv }: Exports): readonly Route[] => [
  route(calls.downloadDocumentsZip, async ({ caller, body }) => asFile(await zipDocuments(caller, body), 'application/zip')),
  route(calls.exportDocumentsCsv, async ({ caller, body }) => asFile(await exportCsv(caller, body), 'text/csv; charset=utf-8')),
];
