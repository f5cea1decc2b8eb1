import type { DocumentRow } from '@pergamin/contract';
import type { ReactNode } from 'react';
import { Badge } from '#kit/feedback/Badge.tsx';
import { t } from '#platform/language.ts';

/** States other than ACTIVE have a label (D19); damage comes before everything else (D18). */
export const stateBadgeOf = ({ corrupted, state }: Pick<DocumentRow, 'corrupted' | 'state'>): ReactNode => {
  if (state === 'ACTIVE' && !corrupted) return null;
  return (
    <Badge tone={corrupted ? 'bad' : 'warn'} icon={corrupted ? 'warning-circle-fill' : 'warning-fill'}>
      {t(corrupted ? 'list.corrupted' : `state.${state}`)}
    </Badge>
  );
};
