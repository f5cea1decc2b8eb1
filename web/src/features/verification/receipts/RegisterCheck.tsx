import { useEffect, useState } from 'react';
import { Dialog } from '#kit/overlays/Dialog.tsx';
import { momentText } from '#platform/dates.ts';
import { t } from '#platform/language.ts';
import { numberText } from '#platform/numbers.ts';
import { type Contradiction, findContradiction } from './remembered-register.ts';

/** Says so when the register is not the one that this browser saw before; otherwise nothing is seen or heard of it. */
export function RegisterCheck() {
  const [contradiction, setContradiction] = useState<Contradiction>();
  useEffect(() => {
    // Without an answer there is nothing to compare: the next visit does.
    void findContradiction().then(setContradiction, () => undefined);
  }, []);
  if (contradiction === undefined) return null;
  const { seenAt, size } = contradiction;
  const close = (): void => setContradiction(undefined);
  return (
    <Dialog title={t('receipt.registerChanged')} urgent onClose={close}>
      <p>{t('receipt.registerChangedLead', { date: momentText(seenAt), size: numberText(size) })}</p>
      <p>{t('receipt.registerChangedAdvice')}</p>
    </Dialog>
  );
}
