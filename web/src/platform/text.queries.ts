import type { getAccessibilityStatement, getChangelog } from '@pergamin/contract';
import { queryOptions } from '@tanstack/react-query';
import { callForText } from './api.ts';
import { currentLanguage } from './language.ts';

/** A question of `useQuery` for a text that answers in the language of the page where it can. */
export const textQuery = (row: typeof getChangelog | typeof getAccessibilityStatement) =>
  queryOptions({
    queryKey: [row.name],
    queryFn: ({ signal }) => callForText(row, { query: { lang: currentLanguage() }, signal }),
  });
