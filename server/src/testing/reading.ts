import type { TestAnswer, TestCaller } from './test-portal.ts';

const pagesOf = (pageCount: number): string[] => Array.from({ length: pageCount }, (_, at) => String(at + 1));

/** Marks every page that the client has of this document, as the viewer does. */
export const markAllPages = async (client: TestCaller, id: string): Promise<void> => {
  const details = await client.call('getDocument', { params: { id } });
  if (details.status !== 200) return;
  for (const page of pagesOf(details.body.pageCount)) await client.call('markPage', { params: { id, page } });
};

/** Marks every page, and closes the document. */
export const readToTheEnd = async (client: TestCaller, id: string): Promise<TestAnswer<'markRead'>> => {
  await markAllPages(client, id);
  return client.call('markRead', { params: { id } });
};

/** Marks every page of the terms. Of an unknown version there is none. */
export const markAllTerms = async (client: TestCaller, id: string): Promise<void> => {
  const details = await client.call('getStatute', { params: { id } });
  if (details.status !== 200) return;
  for (const page of pagesOf(details.body.pageCount)) await client.call('markStatutePage', { params: { id, page } });
};

/** Marks every page of the terms, and accepts them. */
export const readAndAccept = async (client: TestCaller, id: string): Promise<TestAnswer<'acceptStatute'>> => {
  await markAllTerms(client, id);
  return client.call('acceptStatute', { params: { id } });
};
