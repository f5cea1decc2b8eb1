import {
  type AnswerOf,
  checkDocument,
  checkPublicDocument,
  type DocumentQuery,
  listOwnDocuments,
  listPublicDocuments,
} from '@pergamin/contract';
import { call } from '#platform/api.ts';
import { downloadOwnDocument, downloadPublicDocument, type Downloadable } from '#platform/download.ts';

/** Where the documents of a list come from: the person's own, or those that everybody may see. */
export interface ListSource {
  /** Keys of what was fetched begin with it. */
  readonly name: string;
  readonly isOwn: boolean;
  readonly list: (query: DocumentQuery, signal: AbortSignal) => Promise<AnswerOf<typeof listOwnDocuments>>;
  readonly download: (document: Downloadable) => Promise<boolean>;
  readonly check: (id: string) => Promise<AnswerOf<typeof checkDocument>>;
}

export const ownDocuments: ListSource = {
  name: listOwnDocuments.name,
  isOwn: true,
  list: (body, signal) => call(listOwnDocuments, { body, signal }),
  download: downloadOwnDocument,
  check: (id) => call(checkDocument, { params: { id }, query: {} }),
};

export const publicDocuments: ListSource = {
  name: listPublicDocuments.name,
  isOwn: false,
  list: (body, signal) => call(listPublicDocuments, { body, signal }),
  download: downloadPublicDocument,
  check: (id) => call(checkPublicDocument, { params: { id } }),
};
