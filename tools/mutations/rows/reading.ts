import type { Mutation } from '../row.ts';

const features = 'server/src/features';

/** When a document counts as read, and the terms as accepted. */
export const readingRows: readonly Mutation[] = [
  {
    name: 'read without its pages',
    rule: 'a document is read when every page was marked by this person',
    file: `${features}/documents/own-documents.store.ts`,
    find: 'and cardinality(mark.pages) >= own.page_count',
    replace: '',
    tests: [`${features}/documents/read-to-the-end.cases.test.ts`],
  },
  {
    name: 'readings of an earlier release',
    rule: 'what was recorded as read without all pages is told as read nowhere',
    file: `${features}/deliveries/reading-marks.ts`,
    find: ' and cardinality(${mark}.pages) >= ${pages}',
    replace: ' and ${pages} > 0',
    tests: [`${features}/documents/read-to-the-end.cases.test.ts`],
  },
  {
    name: 'terms accepted unread',
    rule: 'terms are accepted when every page of them was marked by this person',
    file: `${features}/statute/acceptances.service.ts`,
    find: 'requireAllPages({ pageCount: version.pageCount, ...(await findPages(db, { personalId, id })) });',
    replace: 'await findPages(db, { personalId, id });',
    tests: [`${features}/documents/read-to-the-end.cases.test.ts`],
  },
];
