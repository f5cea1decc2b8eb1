import type { PropsWithChildren } from 'react';
import { t } from '#platform/language.ts';
import { ProgressLabel } from '#kit/feedback/Spinner.tsx';
import css from './BeforePages.module.css';

/** What fills a viewer's window as long as it has no pages: that it is opening, or why there will be none. */
export const BeforePages = ({ isOpening, children }: PropsWithChildren<{ readonly isOpening: boolean }>) => (
  <div className={css['content']}>
    {isOpening ? (
      <div className={css['opening']}>
        <ProgressLabel text={t('viewer.opening')} />
      </div>
    ) : (
      children
    )}
  </div>
);
