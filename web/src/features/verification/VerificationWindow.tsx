import { t } from '#platform/language.ts';
import { Verification } from './Verification.tsx';
import css from './VerificationWindow.module.css';
import type { VerdictCardProps } from './VerdictCard.tsx';

/** Verification for a signed-in client, among own and public documents. */
export function VerificationWindow({ onOpen }: Pick<VerdictCardProps, 'onOpen'>) {
  return (
    <div className={css['content']}>
      <Verification intro={<p className={css['lead']}>{t('verify.leadOwn')}</p>} heading="h3" onOpen={onOpen} />
    </div>
  );
}
