import type { ReactNode } from 'react';
import { t } from '#platform/language.ts';
import { ProgressLabel } from '#kit/feedback/Spinner.tsx';
import css from './BeforePages.module.css';

interface BeforePagesProps {
  readonly isOpening: boolean;
  /** Why there will be none. */
  readonly children: ReactNode;
}

/** What fills a viewer's window as long as it has no pages. */
export const BeforePages = ({ isOpening, children }: BeforePagesProps) => (
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
