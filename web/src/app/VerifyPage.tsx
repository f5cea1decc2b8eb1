import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { PublicFrame } from '#features/sign-in/PublicFrame.tsx';
import type { FoundDocument } from '#features/verification/VerdictCard.tsx';
import { Verification } from '#features/verification/Verification.tsx';
import { formatDeepLink } from '#desktop/deep-link.ts';
import { Button } from '#kit/buttons/Button.tsx';
import { borrowSession } from '#platform/cross-tab.ts';
import { on } from '#platform/events.ts';
import { t } from '#platform/language.ts';
import { currentToken } from '#platform/session-token.ts';
import { RegisterWatch } from './RegisterWatch.tsx';
import css from './VerifyPage.module.css';

const FoundPublicDocument = lazy(async () => ({ default: (await import('./FoundPublicDocument.tsx')).FoundPublicDocument }));

/** `/verify`: public (A6). A signed-in client also finds own documents, which open on the desk; public ones open here. */
export function VerifyPage() {
  const [, navigate] = useLocation();
  const signedIn = useSignedIn();
  const [shown, setShown] = useState<FoundDocument>();
  const opener = useRef<HTMLElement | null>(null);
  const open = (document: FoundDocument, button: HTMLElement): void => {
    opener.current = button;
    if (document.isPublic) setShown(document);
    else navigate(`/${formatDeepLink({ kind: 'document', id: document.id })}`);
  };
  return (
    <PublicFrame
      title={t('verify.title')}
      layout="page"
      here="/verify"
      action={
        <Button icon={signedIn ? 'arrow-left' : 'sign-in'} onClick={() => navigate(signedIn ? '/' : '/login-ex')}>
          {t(signedIn ? 'page.backToPortal' : 'signIn.logIn')}
        </Button>
      }
    >
      <RegisterWatch />
      {/* Kept while a document is read: the way back leads to the same verdict. */}
      <div hidden={shown !== undefined}>
        <Verification
          intro={
            <>
              <h1 className={css['title']}>{t('verify.title')}</h1>
              <p className={css['lead']}>{t(signedIn ? 'verify.leadOwn' : 'verify.lead')}</p>
            </>
          }
          heading="h2"
          onOpen={open}
          onSignIn={signedIn ? undefined : () => navigate('/login-ex')}
        />
      </div>
      {shown !== undefined && (
        <div className={css['preview']}>
          <Suspense>
            <FoundPublicDocument
              id={shown.id}
              title={shown.title}
              onClose={() => {
                setShown(undefined);
                // It can take the focus again when it is seen again.
                requestAnimationFrame(() => opener.current?.focus());
              }}
            />
          </Suspense>
        </div>
      )}
    </PublicFrame>
  );
}

/** A session of this tab, or of another one of the same browser (B17). */
function useSignedIn(): boolean {
  const [signedIn, setSignedIn] = useState(() => currentToken() !== undefined);
  useEffect(() => {
    void borrowSession().then(() => setSignedIn(currentToken() !== undefined));
    return on('sessionEnded', () => setSignedIn(false));
  }, []);
  return signedIn;
}
