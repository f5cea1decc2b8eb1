import type { StatuteDetails } from '@pergamin/contract';
import { Checksum } from '#kit/seal/Checksum.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { Seal } from '#kit/seal/Seal.tsx';
import { dayText } from '#platform/dates.ts';
import { t } from '#platform/language.ts';
import css from './StatuteSide.module.css';

const sealSizePx = 96;

interface StatuteSideProps {
  readonly statute: StatuteDetails;
  readonly title: string;
  readonly lead: string;
}

/** Why the statute is shown, what is new in it, and which file it is. */
export function StatuteSide({ statute, title, lead }: StatuteSideProps) {
  return (
    <div className={css['side']}>
      <Seal sha256={statute.sha256} size={sealSizePx} />
      <h3>{title}</h3>
      <p>{lead}</p>
      {statute.changes !== null && (
        <div className={css['changes']}>
          <Icon name="info" />
          <p>
            <strong>{t('statute.changes')}</strong> {statute.changes}
          </p>
        </div>
      )}
      <dl>
        <div>
          <dt>{t('statute.effectiveFrom')}</dt>
          <dd className="num">{dayText(statute.effectiveFrom)}</dd>
        </div>
        <div>
          <dt>{t('statute.checksum')}</dt>
          <dd>
            <Checksum sha256={statute.sha256} />
          </dd>
        </div>
      </dl>
    </div>
  );
}
