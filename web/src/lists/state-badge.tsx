import type { DocumentRow } from '@pergamin/contract';
import type { ReactNode } from 'react';
import { Badge } from '#kit/feedback/Badge.tsx';
import { t } from '#platform/language.ts';

/** States other than ACTIVE have a label (D19); damage comes before everything else (D18). */
export const stateBadgeOf = ({ corrupted, state }: Pick<DocumentRow, 'corrupted' | 'state'>): ReactNode => {
  if (corrupted)
    return (
      <Badge tone="bad" icon="warning-circle-fill">
        {t('list.corrupted')}
      </Badge>
    );
  if (state === 'ACTIVE') return null;
  return (
    <Badge tone="warn" icon="warning-fill">
      {t(`state.${state}`)}
    </Badge>
  );
};
