import type { StatuteDetails } from '@pergamin/contract';
import type { ReactNode } from 'react';
import { useWindowTitle } from '#desktop/desktop.context.ts';
import { useKeptFocus } from '#desktop/useKeptFocus.ts';
import { WindowFoot } from '#desktop/WindowFrame.tsx';
import { ErrorState } from '#kit/feedback/ErrorState.tsx';
import { BeforePages } from '#kit/viewer/BeforePages.tsx';
import { t } from '#platform/language.ts';
import { statuteSentence } from './statute-sentence.ts';
import { type AcceptedStatute, type AskedVersion, useStatuteToAccept } from './statute.queries.ts';
import { StatuteReader } from './StatuteReader.tsx';
import type { AboutStatute } from './StatuteSide.tsx';

interface StatuteContentProps {
  readonly asked: AskedVersion;
  readonly aboutOf: (statute: StatuteDetails) => AboutStatute;
  readonly onAccepted: (accepted: AcceptedStatute) => void;
  /** What can be done instead of accepting. */
  readonly actions: ReactNode;
}

/** The content of a window in which a version of the terms is read and accepted, from its first moment on. */
export function StatuteContent({ asked, aboutOf, onAccepted, actions }: StatuteContentProps) {
  const { statute, error, retry } = useStatuteToAccept(asked);
  useKeptFocus(statute !== undefined);
  useWindowTitle(statute && t('statute.titleVersion', { version: statute.details.version }));
  if (statute !== undefined)
    return (
      <StatuteReader
        key={statute.details.id}
        statute={statute}
        about={aboutOf(statute.details)}
        onAccepted={onAccepted}
        actions={actions}
      />
    );
  return (
    <>
      <BeforePages isOpening={error === null}>
        {error !== null && <ErrorState title={t('statute.failed')} text={statuteSentence(error)} onRetry={retry} />}
      </BeforePages>
      <WindowFoot>{actions}</WindowFoot>
    </>
  );
}
