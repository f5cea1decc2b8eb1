import type { DocumentQuery } from '@pergamin/contract';

/** The newest documents of the customer, statements among them; `unread`: of those that were neither read nor downloaded. */
export const newestDocuments = (size: number, { unread = false } = {}): DocumentQuery => ({
  text: null,
  criteria: { metadata: [{ id: 'TYPE', operator: 'NOT_EQUALS', value: 'PUBLIC' }], period: null, ...(unread ? { unread } : {}) },
  sort: [{ by: 'PUBLICATION_DATE', order: 'desc' }],
  page: 0,
  size,
});
