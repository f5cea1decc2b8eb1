import { useEffect, useEffectEvent, useState } from 'react';
import { findSignedIn } from '#platform/cross-tab.ts';
import { currentToken } from '#platform/session-token.ts';

/**
 * Answers the personal id of a session that runs in this browser. `goOn` is called when Back has led from the workspace of this very tab to the
 * sign-in page.
 */
export function useRunningSession(goOn: () => void): string | undefined {
  const [personalId, setPersonalId] = useState<string>();
  const handleShow = useEffectEvent((cameBack: boolean) => {
    if (cameBack && currentToken() !== undefined) goOn();
    else void findSignedIn().then(setPersonalId);
  });
  useEffect(() => {
    handleShow(arrivedByBack());
    const handlePageShow = (event: PageTransitionEvent) => {
      if (event.persisted) handleShow(true);
    };
    addEventListener('pageshow', handlePageShow);
    return () => removeEventListener('pageshow', handlePageShow);
  }, []);
  return personalId;
}

const arrivedByBack = (): boolean =>
  performance.getEntriesByType('navigation').some((entry) => 'type' in entry && entry.type === 'back_forward');
