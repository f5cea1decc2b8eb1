import { type SubmitEvent, useId, useState } from 'react';
import { t } from '#platform/language.ts';
import { Button } from '#kit/buttons/Button.tsx';
import { Dialog } from '#kit/overlays/Dialog.tsx';
import { ProgressLabel } from '#kit/feedback/Spinner.tsx';
import { TextField, type TextFieldProps } from '#kit/forms/TextField.tsx';
import css from './PrintDialog.module.css';
import { mostPrintedPages, nextPart, type PrintedPart, wrongPart } from './print-pages.ts';

interface PrintDialogProps {
  readonly count: number;
  /** Answers whether it was handed to the browser. */
  readonly onPrint: (part: PrintedPart, onProgress: (pages: number) => void) => Promise<boolean>;
  /** Also breaks off what is under way. */
  readonly onClose: () => void;
}

/** Which pages of a long document to print; after each part the next one is proposed. */
export function PrintDialog({ count, onPrint, onClose }: PrintDialogProps) {
  const formId = useId();
  const bounds = { count, most: mostPrintedPages };
  const [pages, setPages] = useState(() => nextPart(0, bounds));
  const [ready, setReady] = useState<number>();
  const [printed, setPrinted] = useState<PrintedPart>();
  const [error, setError] = useState<string>();
  const busy = ready !== undefined;
  const total = pages.to - pages.from + 1;
  const change = (part: Partial<PrintedPart>): void => {
    setPages({ ...pages, ...part });
    setError(undefined);
  };
  const print = async (): Promise<void> => {
    const wrong = wrongPart(pages, bounds);
    if (wrong !== undefined) {
      setError(wrong === 'tooMany' ? t('viewer.printTooMany', bounds) : t('viewer.printWrongPages', { last: count }));
      return;
    }
    setReady(0);
    const isDone = await onPrint(pages, setReady);
    setReady(undefined);
    if (!isDone) return;
    if (pages.to === count) onClose();
    else {
      setPrinted(pages);
      setPages(nextPart(pages.to, bounds));
    }
  };
  const handleSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!busy) void print();
  };
  return (
    <Dialog
      title={t('viewer.printTitle')}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{t('viewer.printCancel')}</Button>
          <Button kind="primary" icon="printer" type="submit" form={formId} busy={busy}>
            {t('viewer.print')}
          </Button>
        </>
      }
    >
      <form id={formId} className={css['form']} noValidate onSubmit={handleSubmit}>
        <p className={css['lead']}>{t('viewer.printLead', bounds)}</p>
        <div className={css['pages']}>
          <PageNumber label={t('viewer.printFrom')} page={pages.from} error={error} readOnly={busy} onPage={(from) => change({ from })} />
          <PageNumber label={t('viewer.printTo')} page={pages.to} readOnly={busy} onPage={(to) => change({ to })} />
        </div>
        <div className={css['state']}>
          {busy && <ProgressLabel percent={Math.round((100 * ready) / total)} text={t('viewer.printProgress', { page: ready, total })} />}
          {/* What changed while the browser's own dialog was open is said when one is back. */}
          <p role="status">{!busy && printed !== undefined && t('viewer.printNext', { ...printed })}</p>
        </div>
      </form>
    </Dialog>
  );
}

interface PageNumberProps extends TextFieldProps {
  readonly page: number;
  readonly onPage: (page: number) => void;
}

const PageNumber = ({ page, onPage, ...field }: PageNumberProps) => (
  <TextField
    {...field}
    inputMode="numeric"
    autoComplete="off"
    value={page === 0 ? '' : String(page)}
    onChange={(event) => onPage(Number(event.target.value.replace(/\D/g, '').slice(0, 6)))}
  />
);
