import { Suspense, type ReactNode } from 'react';
import { Button } from '#kit/buttons/Button.tsx';
import { ProgressLabel } from '#kit/feedback/Spinner.tsx';
import { t } from '#platform/language.ts';
import { PublicFrame } from './PublicFrame.tsx';
import css from './PublicPage.module.css';

interface PublicPageProps {
  /** One document has the page to itself, and names it. */
  readonly isReading: boolean;
  readonly onLogIn: () => void;
  readonly children: ReactNode;
}

/** `/login`, `/public/…`: the public documents, and the way to one's own (A5, A9). */
export function PublicPage({ isReading, onLogIn, children }: PublicPageProps) {
  return (
    <PublicFrame
      title={t('publicView.title')}
      layout="page"
      here="/login"
      action={
        <Button kind="primary" icon="sign-in" onClick={onLogIn}>
          {t('signIn.logIn')}
        </Button>
      }
    >
      {!isReading && (
        <>
          <h1 className={css['title']}>{t('publicView.title')}</h1>
          <p className={css['lead']}>{t('publicView.lead')}</p>
        </>
      )}
      <Suspense
        fallback={
          <div className={css['loading']}>
            <ProgressLabel text={t('list.loading')} />
          </div>
        }
      >
        {children}
      </Suspense>
    </PublicFrame>
  );
}
