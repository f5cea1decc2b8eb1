import { getChangelog } from '@pergamin/contract';
import { useQuery } from '@tanstack/react-query';
import { callForText } from '#platform/api.ts';
import { currentLanguage } from '#platform/language.ts';

/** The changelog as Markdown, and its language; a failure is no data, and says nothing more (O1). */
export function useChangelog() {
  return useQuery({
    queryKey: [getChangelog.name],
    queryFn: ({ signal }) => callForText(getChangelog, { query: { lang: currentLanguage() }, signal }),
    retry: false,
  });
}
