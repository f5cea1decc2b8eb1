import { useEffect, useState } from 'react';
import { Dialog } from '#kit/overlays/Dialog.tsx';
import { momentText } from '#platform/dates.ts';
import { t } from '#platform/language.ts';
import { numberText } from '#platform/numbers.ts';
import { compareRegister, type RegisterFinding } from './compare-register.ts';

/** Says so when the register is not the one that this browser saw before, or could not be compared for a day; otherwise nothing is seen or heard of it. */
export function RegisterCheck() {
  const [finding, setFinding] = useState<RegisterFinding>();
  useEffect(() => {
    // A browser that refuses to keep anything has nothing to compare with.
    void compareRegister().then(setFinding, () => undefined);
  }, []);
  if (finding === undefined) return null;
  const close = () => setFinding(undefined);
  const seen = { date: momentText(finding.seenAt), size: numberText(finding.size) };
  if (finding.kind === 'changed')
    return (
      <Dialog title={t('receipt.registerChanged')} urgent onClose={close}>
        <p>{t('receipt.registerChangedLead', seen)}</p>
        <p>{t('receipt.registerChangedAdvice')}</p>
      </Dialog>
    );
  return (
    <Dialog title={t('receipt.registerNotCompared')} onClose={close}>
      <p>{t('receipt.registerNotComparedLead', { ...seen, since: momentText(finding.since) })}</p>
      <p>{t('receipt.registerNotComparedAdvice')}</p>
    </Dialog>
  );
}
