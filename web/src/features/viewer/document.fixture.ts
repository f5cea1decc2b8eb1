import type { CheckResult, DocumentDetails, OpenedDocument } from '@pergamin/contract';
import { onTestFinished } from 'vitest';
import { chooseAppearance } from '#platform/choose-appearance.ts';
import type { Answers } from '#platform/page.fixture.tsx';

export const documentId = '6f1b7a32-0000-4000-8000-000000000001';
export const sha256 = '31fc0759e1f6d8ebfe687523406c2472c681dc7cfe7abec095633d02a593f385';
export const checkPath = `GET /api/protected/documents/document/check/${documentId}`;
export const dataPath = `GET /api/protected/documents/data/${documentId}`;
export const renderPath = `GET /api/protected/documents/render/queue/result/${documentId}`;
export const historyPath = `GET /api/protected/documents/history/${documentId}`;
export const downloadPath = `GET /api/protected/documents/download/${documentId}`;
export const markReadPath = `POST /api/protected/documents/mark/read/${documentId}`;
export const markPagePath = (page: number): string => `POST /api/protected/documents/mark/page/${documentId}/${page}`;
export const imagePath = (page: number): string => `/api/protected/documents/render/page/${documentId}/${page}`;

const definition = (id: string, type: string, pl: string) => ({
  id,
  key: id,
  number: null,
  name: { pl, en: id },
  description: null,
  type,
  required: false,
  system: false,
  final: false,
  removed: false,
  dictionary: null,
  screens: ['D'],
});

export const detailsOf = (part: Partial<DocumentDetails> & { readonly pageCount: number }): DocumentDetails => ({
  id: documentId,
  state: 'ACTIVE',
  metadata: { FILE_NAME: 'Aneks nr 1.pdf', CHECKSUM_SHA256: sha256, RETENTION_DATE: -1, PRIV_CASE_NUMBER: '  ' },
  corrupted: false,
  deleted: false,
  published: true,
  read: null,
  downloaded: null,
  pageSizes: [{ width: 595, height: 842 }],
  pagesReached: [],
  ...part,
});

const nothing = (): Response => new Response(null, { status: 204 });

const whitePng = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=';

/** A white page of one pixel: what is drawn does not matter, only that it is. */
export const imageAnswer = (): Response => {
  const bytes = Uint8Array.from(atob(whitePng), (char) => char.charCodeAt(0));
  return new Response(bytes, { headers: { 'content-type': 'image/png' } });
};

const soundCheck: CheckResult = {
  status: 'SHA_CIF_OK',
  checkedAt: Date.UTC(2026, 10, 20, 9),
  ledger: { index: 0, size: 1, cosignedBy: 0 },
  entry: 'PROVED',
  differences: [],
  notCompared: [],
};

/** A verification that brings the document along, and a page of it unless none was drawn. */
export const checkThatOpens = (details: DocumentDetails, page: number | null = 1): object => {
  const opened: OpenedDocument = {
    document: details,
    ...(page === null ? {} : { firstPage: { page, url: `${imagePath(page)}?width=1240`, type: 'image/png', base64: whitePng } }),
  };
  return { ...soundCheck, opened };
};

/** A portal that has this one document, with all its pages rendered. */
export const portalWith = (details: DocumentDetails): Answers => {
  const pages = Array.from({ length: details.pageCount }, (_, index) => index + 1);
  return {
    [checkPath]: soundCheck,
    [dataPath]: details,
    [historyPath]: { items: [{ event: 'PUBLISHED', at: Date.UTC(2026, 10, 2, 8), before: null, after: null, entry: null }] },
    'GET /api/protected/documents/markers/ignore': ['DOC_EXT'],
    'GET /api/protected/metadata/map': {
      items: [
        definition('FILE_NAME', 'TEXT', 'Nazwa pliku'),
        definition('PRIV_CASE_NUMBER', 'TEXT', 'Numer sprawy'),
        definition('RETENTION_DATE', 'SIMPLE_DATE', 'Data końca przechowywania'),
        definition('CHECKSUM_SHA256', 'RAW', 'Suma kontrolna SHA-256'),
      ],
      statementMarker: 'BANK_ST_DOC_TYPE',
    },
    'GET /api/open/documents/metadata/dictionaries/list': { items: [] },
    [renderPath]: { done: true, progress: 100, sources: pages.map((page) => ({ page, url: `${imagePath(page)}?width=1240` })) },
    ...Object.fromEntries(
      pages.flatMap((page) => [
        [`GET ${imagePath(page)}`, imageAnswer()],
        [markPagePath(page), nothing()],
      ]),
    ),
    [markReadPath]: nothing(),
  };
};

const panels = ['viewer-thumbnails', 'viewer-details'] as const;

/** No panel was opened or closed in this browser before. */
export const forgetPanels = (): void => {
  for (const panel of panels) chooseAppearance(panel, 'auto');
};

/** Thumbnails and details were opened in this browser before. */
export const withPanels = (): void => {
  for (const panel of panels) chooseAppearance(panel, 'shown');
  onTestFinished(forgetPanels);
};
