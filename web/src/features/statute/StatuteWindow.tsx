import { Button } from '#kit/buttons/Button.tsx';
import { t } from '#platform/language.ts';
import { StatuteReader } from './StatuteReader.tsx';

/** The terms that stand before everything else (C1, C5). The menus are empty meanwhile: what can be done without accepting stands here. */
export function StatuteWindow({ onAccepted, onLogout, onLanguage }: Record<'onAccepted' | 'onLogout' | 'onLanguage', () => void>) {
  return (
    <StatuteReader
      asked="inForce"
      onAccepted={onAccepted}
      actions={
        <>
          <Button kind="quiet" icon="translate" onClick={onLanguage}>
            {t('statute.language')}
          </Button>
          <Button kind="quiet" icon="sign-out" onClick={onLogout}>
            {t('statute.logout')}
          </Button>
        </>
      }
    />
  );
}
