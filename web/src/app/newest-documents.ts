import type { DocumentQuery } from '@pergamin/contract';

/** The newest documents of the customer, statements among them. */
export const newestDocuments = (size: number): DocumentQuery => ({
  text: null,
  criteria: { metadata: [{ id: 'TYPE', operator: 'NOT_EQUALS', value: 'PUBLIC' }], period: null },
  sort: [{ by: 'PUBLICATION_DATE', order: 'desc' }],
  page: 0,
  size,
});
