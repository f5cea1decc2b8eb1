import { Button } from '#kit/buttons/Button.tsx';
import { Dialog } from '#kit/overlays/Dialog.tsx';
import { t } from '#platform/language.ts';

/** Escape stays. */
export function LeaveDialog({ onAnswer }: { readonly onAnswer: (leave: boolean) => void }) {
  return (
    <Dialog
      title={t('sending.leaveTitle')}
      onClose={() => onAnswer(false)}
      foot={
        <>
          <Button onClick={() => onAnswer(false)}>{t('sending.stay')}</Button>
          <Button kind="danger" onClick={() => onAnswer(true)}>
            {t('sending.leave')}
          </Button>
        </>
      }
    >
      <p>{t('sending.leaveQuestion')}</p>
    </Dialog>
  );
}
