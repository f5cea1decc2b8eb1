import { type DocumentQuery, type DocumentRow, listLimits } from '@pergamin/contract';
import { type ListSource, ownDocuments, publicDocuments } from '#lists/list-source.ts';
import { currentToken } from '#platform/session-token.ts';

/** What a browser puts behind the name of a file that is saved again, and what it is a copy of. */
const copyMark = /\s*\(\d{1,3}\)$/;

const comparable = (fileName: string): string =>
  fileName
    .normalize('NFC')
    .toLocaleLowerCase()
    .replace(/\.pdf$/, '')
    .replace(copyMark, '')
    .trim();

/** So many of the newest are looked through. */
const pagesLookedThrough = 5;

type ListPage = (query: Pick<DocumentQuery, 'sort' | 'page' | 'size'>) => Promise<{ items: readonly DocumentRow[]; total: number }>;

/** The newest sound document of that file name, whether or not a browser has numbered the file. The list is asked for whole: no name is told. */
export const findIn = async (list: ListPage, fileName: string): Promise<DocumentRow | undefined> => {
  const sought = comparable(fileName);
  const size = listLimits.maxPageSize;
  for (let page = 0; page < pagesLookedThrough; page += 1) {
    const { items, total } = await list({ sort: [{ by: 'PUBLICATION_DATE', order: 'desc' }], page, size });
    const found = items.find(({ metadata, corrupted }) => !corrupted && comparable(String(metadata['FILE_NAME'] ?? '')) === sought);
    if (found !== undefined) return found;
    if ((page + 1) * size >= total) return undefined;
  }
  return undefined;
};

/**
 * A document of the asker's own, or else a public one, with the name of a file that was not published: most often the original of a changed
 * copy. Undefined when there is none, and when that cannot be found out: the verdict does not depend on it.
 */
export const findNamesake = async (fileName: string, signal: AbortSignal): Promise<DocumentRow | undefined> => {
  const whole = { text: null, criteria: { metadata: [], period: null } };
  const findAmong = ({ list }: ListSource) => findIn((query) => list({ ...whole, ...query }, signal), fileName);
  try {
    const own = currentToken() === undefined ? undefined : await findAmong(ownDocuments);
    return own ?? (await findAmong(publicDocuments));
  } catch {
    return undefined;
  }
};
