import { useWindowTitle } from '#desktop/desktop.context.ts';
import { useKeptFocus } from '#desktop/useKeptFocus.ts';
import { WindowFoot } from '#desktop/WindowFrame.tsx';
import { Button } from '#kit/Button.tsx';
import { ErrorState } from '#kit/EmptyState.tsx';
import { ProgressLabel } from '#kit/Spinner.tsx';
import { t } from '#platform/language.ts';
import { statuteSentence } from './statute-sentence.ts';
import { StatuteReader } from './StatuteReader.tsx';
import css from './StatuteWindow.module.css';
import { useStatuteToAccept } from './statute.queries.ts';

export interface AcceptedStatute {
  readonly id: string;
  readonly version: string;
}

interface StatuteWindowProps {
  readonly onAccepted: (accepted: AcceptedStatute) => void;
  readonly onLogout: () => void;
  readonly onLanguage: () => void;
}

/** The terms that stand before everything else: read to the end, accepted, or left by signing out (C1, C5). */
export function StatuteWindow({ onAccepted, onLogout, onLanguage }: StatuteWindowProps) {
  const { statute, error, retry } = useStatuteToAccept();
  useKeptFocus(statute !== undefined);
  useWindowTitle(statute && t('statute.titleVersion', { version: statute.details.version }));
  if (statute !== undefined)
    return (
      <StatuteReader
        key={statute.details.id}
        statute={statute}
        onAccepted={onAccepted}
        actions={<StatuteActions onLogout={onLogout} onLanguage={onLanguage} />}
      />
    );
  return (
    <>
      <div className={css['content']}>
        {error === null ? (
          <div className={css['opening']}>
            <ProgressLabel text={t('viewer.opening')} />
          </div>
        ) : (
          <ErrorState
            title={t('statute.failed')}
            text={statuteSentence(error)}
            action={
              <Button icon="arrow-clockwise" onClick={retry}>
                {t('error.tryAgain')}
              </Button>
            }
          />
        )}
      </div>
      <WindowFoot>
        <StatuteActions onLogout={onLogout} onLanguage={onLanguage} />
      </WindowFoot>
    </>
  );
}

/** What can be done without accepting: the menus are empty while this window is open. */
function StatuteActions({ onLogout, onLanguage }: Pick<StatuteWindowProps, 'onLogout' | 'onLanguage'>) {
  return (
    <>
      <Button kind="quiet" icon="translate" onClick={onLanguage}>
        {t('statute.language')}
      </Button>
      <Button kind="quiet" icon="sign-out" onClick={onLogout}>
        {t('statute.logout')}
      </Button>
    </>
  );
}
