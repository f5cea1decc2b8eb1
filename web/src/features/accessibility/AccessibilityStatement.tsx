import { getAccessibilityStatement } from '@pergamin/contract';
import { useQuery } from '@tanstack/react-query';
import { Button } from '#kit/buttons/Button.tsx';
import { ErrorState } from '#kit/feedback/ErrorState.tsx';
import { MarkdownText, type MarkdownTextProps, withoutTitle } from '#kit/text/MarkdownText.tsx';
import { ProgressLabel } from '#kit/feedback/Spinner.tsx';
import { sentenceOf } from '#platform/errors.ts';
import { t } from '#platform/language.ts';
import { textQuery } from '#platform/call.queries.ts';
import css from './AccessibilityStatement.module.css';

/** How everybody can use the portal, and whom to tell when they cannot; below the title of the page or window that it stands in. */
export function AccessibilityStatement({ firstLevel }: Pick<MarkdownTextProps, 'firstLevel'>) {
  const { data, error, refetch } = useQuery({ ...textQuery(getAccessibilityStatement), staleTime: Number.POSITIVE_INFINITY });
  if (data !== undefined) return <MarkdownText text={withoutTitle(data.text)} language={data.language} firstLevel={firstLevel} />;
  if (error === null)
    return (
      <div className={css['waiting']}>
        <ProgressLabel text={t('accessibility.loading')} />
      </div>
    );
  return (
    <ErrorState
      title={t('accessibility.failed')}
      text={sentenceOf(error)}
      action={<Button onClick={() => void refetch()}>{t('error.tryAgain')}</Button>}
    />
  );
}
