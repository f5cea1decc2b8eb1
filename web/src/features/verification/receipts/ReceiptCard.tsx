import { lazy, type ReactNode, Suspense, useCallback, useState, useSyncExternalStore } from 'react';
import { Button } from '#kit/buttons/Button.tsx';
import { ProgressLabel } from '#kit/feedback/Spinner.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { Checksum } from '#kit/seal/Checksum.tsx';
import { emptyFile } from '#kit/seal/empty-file.ts';
import { momentText } from '#platform/dates.ts';
import { t } from '#platform/language.ts';
import { numberText } from '#platform/numbers.ts';
import { type HeadingLevel, NoVerdict, VerdictFrame } from '#features/verification/VerdictFrame.tsx';
import type { CheckedReceipt } from './check-receipt.ts';
import { cautionsOf, receiptVerdictOf } from './receipt-answers.ts';
import type { GivenFile, ReceiptCheck, ReceiptState } from './useReceiptCheck.ts';
import css from './ReceiptCard.module.css';
import detailsCss from './TechnicalDetails.module.css';

// Comes when it is printed.
const Certificate = lazy(async () => ({ default: (await import('./Certificate.tsx')).Certificate }));

interface ReceiptCardProps {
  readonly check: ReceiptCheck;
  readonly heading: HeadingLevel;
  /** It bears the portal's address: not for verify.html, which knows none. */
  readonly hasCertificate?: boolean;
}

/** What a receipt proves of a file: the verdict, four answers, what they do not say, and the values behind them. */
export function ReceiptCard({ check, heading, hasCertificate = false }: ReceiptCardProps) {
  const { file, receipt, checked, keys } = useSyncExternalStore(check.subscribe, check.getState);
  if (checked !== undefined && file !== undefined) return <Answered {...{ file, checked, keys, heading, hasCertificate }} />;
  if (file !== undefined && file.sha256 === undefined && !file.isUnreadable)
    return (
      <NoVerdict heading={heading} title={file.name}>
        <ProgressLabel percent={file.percent} text={t('verify.readingFile', { percent: file.percent })} />
      </NoVerdict>
    );
  const missing = file !== undefined ? 'receipt.nowReceipt' : receipt === undefined ? 'verify.here' : 'receipt.nowFile';
  return (
    <NoVerdict heading={heading} sha256={file?.sha256 ?? emptyFile} title={t(missing)}>
      <p>{t('receipt.hereLead')}</p>
    </NoVerdict>
  );
}

interface AnsweredProps extends Required<Pick<ReceiptCardProps, 'heading' | 'hasCertificate'>>, Pick<ReceiptState, 'keys'> {
  readonly file: GivenFile;
  readonly checked: CheckedReceipt;
}

function Answered({ file, checked, keys, heading, hasCertificate }: AnsweredProps) {
  const cautions = cautionsOf(checked, keys?.from);
  return (
    <VerdictFrame verdict={receiptVerdictOf(checked)} sha256={file.sha256 ?? ''} fileName={file.name} heading={heading}>
      {cautions.length > 0 && (
        <ul className={css['cautions']} aria-label={t('receipt.cautions')}>
          {cautions.map((caution) => (
            <li key={caution}>
              <Icon name="info" />
              <p>{caution}</p>
            </li>
          ))}
        </ul>
      )}
      <div className={css['more']}>
        {hasCertificate && checked.isProved && <PrintButton {...{ file, checked, keys }} />}
        <TechnicalDetails checked={checked} />
      </div>
    </VerdictFrame>
  );
}

/** The values behind the four answers, for somebody who compares them with another program's. */
function TechnicalDetails({ checked: { statement, place, witnesses } }: { readonly checked: CheckedReceipt }) {
  if (place === undefined) return null;
  return (
    <details className={detailsCss['details']}>
      <summary>
        <Icon name="caret-right" />
        {t('receipt.technical')}
      </summary>
      <dl>
        <Value name={t('receipt.log')}>{place.origin}</Value>
        <Value name={t('receipt.index')}>{numberText(place.index)}</Value>
        <Value name={t('receipt.size')}>{numberText(place.size)}</Value>
        <Value name={t('receipt.root')}>
          <Checksum sha256={place.root} />
        </Value>
        {statement !== undefined && (
          <>
            <Value name={t('receipt.document')}>{statement.documentId}</Value>
            <Value name={t('receipt.event')}>{statement.event}</Value>
            <Value name={t('receipt.statementSum')}>
              <Checksum sha256={statement.sha256} />
            </Value>
          </>
        )}
        {witnesses.map(({ name, at }) => (
          <Value key={name} name={t('receipt.witness')}>
            {name}, {momentText(at * 1_000)}
          </Value>
        ))}
      </dl>
    </details>
  );
}

function Value({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="num">{children}</dd>
    </div>
  );
}

function PrintButton(given: Pick<AnsweredProps, 'file' | 'checked' | 'keys'>) {
  const [isPrinting, setIsPrinting] = useState(false);
  const handlePrinted = useCallback(() => setIsPrinting(false), []);
  return (
    <>
      <Button kind="primary" icon="printer" busy={isPrinting} onClick={() => setIsPrinting(true)}>
        {t('certificate.print')}
      </Button>
      {isPrinting && (
        <Suspense>
          <Certificate {...given} onPrinted={handlePrinted} />
        </Suspense>
      )}
    </>
  );
}
