import { Button } from '#kit/buttons/Button.tsx';
import { Dialog } from '#kit/overlays/Dialog.tsx';
import { t } from '#platform/language.ts';
import { sizeText } from '#platform/numbers.ts';

/** The same name and the same size: probably the same file once more (H5). */
export function TwinDialog({ file, onAnswer }: { readonly file: File; readonly onAnswer: (add: boolean) => void }) {
  return (
    <Dialog
      title={t('sending.twinTitle')}
      onClose={() => onAnswer(false)}
      foot={
        <>
          <Button onClick={() => onAnswer(false)}>{t('sending.twinCancel')}</Button>
          <Button kind="primary" onClick={() => onAnswer(true)}>
            {t('sending.twinAdd')}
          </Button>
        </>
      }
    >
      <p>{t('sending.twinQuestion', { name: file.name, size: sizeText(file.size) })}</p>
    </Dialog>
  );
}
