import {
  type AnswerOf,
  checkDocument,
  checkPublicDocument,
  type DocumentQuery,
  type DocumentRow,
  getDocument,
  listIgnoreMarkers,
  listOwnDocuments,
  listOwnValues,
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
  /** The different values of a key among the documents of a query; without it the dictionary has to do. */
  readonly values?: (query: DocumentQuery, key: string, signal: AbortSignal) => Promise<AnswerOf<typeof listOwnValues>['items']>;
  readonly ignoreMarkers: { readonly name: string; readonly ask: (signal: AbortSignal) => Promise<readonly string[]> };
  readonly download: (document: Downloadable) => Promise<boolean>;
  /** One of them as it is now, where a person can have read it. */
  readonly row?: (id: string) => Promise<DocumentRow>;
  readonly check: (id: string) => Promise<AnswerOf<typeof checkDocument>>;
}

export const ownDocuments: ListSource = {
  name: listOwnDocuments.name,
  isOwn: true,
  list: (body, signal) => call(listOwnDocuments, { body, signal }),
  values: async (query, key, signal) => (await call(listOwnValues, { body: { ...query, key }, signal })).items,
  ignoreMarkers: { name: listIgnoreMarkers.name, ask: (signal) => call(listIgnoreMarkers, { signal }) },
  download: downloadOwnDocument,
  row: (id) => call(getDocument, { params: { id } }),
  check: (id) => call(checkDocument, { params: { id }, query: {} }),
};

export const publicDocuments: ListSource = {
  name: listPublicDocuments.name,
  isOwn: false,
  list: (body, signal) => call(listPublicDocuments, { body, signal }),
  // Which documents are only downloaded is known to clients; a visitor without a session looks at all of them.
  ignoreMarkers: { name: 'no ignore markers', ask: () => Promise.resolve([]) },
  download: downloadPublicDocument,
  check: (id) => call(checkPublicDocument, { params: { id } }),
};
