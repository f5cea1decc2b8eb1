import { getChangelog } from '@pergamin/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '#platform/api.ts';

/** The changelog as Markdown; a failure is no data, and says nothing more (O1). */
export function useChangelog() {
  return useQuery({
    queryKey: [getChangelog.name],
    queryFn: async ({ signal }) => (await call(getChangelog, { signal })).text(),
    retry: false,
  });
}
