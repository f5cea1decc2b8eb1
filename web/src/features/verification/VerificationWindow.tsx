import { t } from '#platform/language.ts';
import { Verification } from './Verification.tsx';
import css from './VerificationWindow.module.css';
import type { FoundDocument } from './VerdictCard.tsx';

interface VerificationWindowProps {
  readonly onOpen: (document: FoundDocument, opener: HTMLElement) => void;
}

/** Verification for a signed-in client, among own and public documents. */
export function VerificationWindow({ onOpen }: VerificationWindowProps) {
  return (
    <div className={css['content']}>
      <Verification intro={<p className={css['lead']}>{t('verify.leadOwn')}</p>} heading="h3" onOpen={onOpen} />
    </div>
  );
}
