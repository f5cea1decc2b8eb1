import { getStatuteInForce, type StatuteInForce } from '@pergamin/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useWindow } from '#desktop/desktop.context.ts';
import { announce } from '#kit/feedback/Announcer.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { t } from '#platform/language.ts';
import { settle } from './settled-notice.ts';
import { useStatuteToAccept } from './statute.queries.ts';
import { StatuteReader } from './StatuteReader.tsx';

/** The next terms, ahead of their day: read and accepted now, or put off by closing the window (C3). */
export function UpcomingStatuteWindow() {
  const { close } = useWindow();
  const queries = useQueryClient();
  const { statute, isNone } = useStatuteToAccept('upcoming');
  const id = statute?.details.id;

  // Accepted in another tab, withdrawn, or left open over a reload: there is nothing to be read here.
  const leave = useEffectEvent(() => void close());
  useEffect(() => {
    if (isNone) leave();
  }, [isNone]);

  const handleAccepted = async (): Promise<void> => {
    if (id !== undefined) settle(id);
    await close();
    queries.setQueryData<StatuteInForce>(
      [getStatuteInForce.name],
      (known) => known?.upcoming && { ...known, upcoming: { ...known.upcoming, accepted: true } },
    );
    // Its day may have come while it was read.
    await queries.invalidateQueries({ queryKey: [getStatuteInForce.name] });
  };
  const handleLater = (): void => {
    if (id !== undefined) settle(id);
    announce(t('statute.postponed'));
    void close();
  };
  return (
    <StatuteReader
      asked="upcoming"
      onAccepted={() => void handleAccepted()}
      actions={
        <Button kind="quiet" icon="clock" onClick={handleLater}>
          {t('statute.later')}
        </Button>
      }
    />
  );
}
