import type { UpcomingStatute } from '@pergamin/contract';
import { useEffect, useId } from 'react';
import { flushSync } from 'react-dom';
import { focusDesk } from '#desktop/focus-return.ts';
import { announce } from '#kit/feedback/Announcer.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { dayText } from '#platform/dates.ts';
import { t } from '#platform/language.ts';
import { settle, useSettledNotice } from './settled-notice.ts';
import css from './UpcomingStatuteNotice.module.css';

/** Says that new terms will apply, and from when (C3). It covers nothing, waits for no answer, and leaves with the first one. */
export function UpcomingStatuteNotice({ upcoming, onRead }: { readonly upcoming: UpcomingStatute; readonly onRead: () => void }) {
  const isShown = !useSettledNotice(upcoming.id) && !upcoming.accepted;
  const titleId = useId();
  const title = t('statute.upcoming', { date: dayText(upcoming.effectiveFrom) });
  useEffect(() => {
    if (isShown) announce(title);
  }, [isShown, title]);
  if (!isShown) return null;
  const handleLater = (): void => {
    flushSync(() => settle(upcoming.id));
    // The button that was pressed is gone.
    focusDesk();
    announce(t('statute.postponed'));
  };
  return (
    <section className={css['notice']} aria-labelledby={titleId} data-region="notice">
      <Icon name="info" />
      <div className={css['words']}>
        <strong id={titleId}>{title}</strong>
        <p>{t('statute.upcomingShort')}</p>
      </div>
      <div className={css['actions']}>
        <Button size="s" kind="primary" onClick={onRead}>
          {t('statute.readNow')}
        </Button>
        <Button size="s" onClick={handleLater}>
          {t('statute.later')}
        </Button>
      </div>
    </section>
  );
}
