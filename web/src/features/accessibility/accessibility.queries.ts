import { getAccessibilityStatement } from '@pergamin/contract';
import { useQuery } from '@tanstack/react-query';
import { callForText } from '#platform/api.ts';
import { currentLanguage } from '#platform/language.ts';

/** The statement as Markdown, and its language. */
export function useAccessibilityStatement() {
  return useQuery({
    queryKey: [getAccessibilityStatement.name],
    queryFn: ({ signal }) => callForText(getAccessibilityStatement, { query: { lang: currentLanguage() }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
