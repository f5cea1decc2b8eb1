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
import type { CertificateProps } from './Certificate.tsx';
import type { CheckedReceipt } from './check-receipt.ts';
import { cautionsOf, receiptVerdictOf } from './receipt-answers.ts';
import type { GivenFile, ReceiptCheck, ReceiptState } from './useReceiptCheck.ts';
import css from './ReceiptCard.module.css';
import detailsCss from './TechnicalDetails.module.css';

// Comes when it is printed.
const Certificate = lazy(async () => ({ default: (await import('./Certificate.tsx')).Certificate }));
const AskPortal = lazy(async () => ({ default: (await import('./AskPortal.tsx')).AskPortal }));

interface ReceiptCardProps {
  readonly check: ReceiptCheck;
  readonly heading: HeadingLevel;
  /** It can ask the portal, and print a certificate with its address; verify.html can do neither. */
  readonly isOnPortal?: boolean;
}

/** What a receipt proves of a file: the verdict, four answers, what they do not say, and the values behind them. */
export function ReceiptCard({ check, heading, isOnPortal = false }: ReceiptCardProps) {
  const { file, receipt, checked, keys } = useSyncExternalStore(check.subscribe, check.getState);
  if (checked !== undefined && file !== undefined) return <Answered {...{ file, checked, keys, heading, isOnPortal }} />;
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

interface AnsweredProps extends Required<Pick<ReceiptCardProps, 'heading' | 'isOnPortal'>>, Pick<ReceiptState, 'keys'> {
  readonly file: GivenFile;
  readonly checked: CheckedReceipt;
}

function Answered({ file, checked, keys, heading, isOnPortal }: AnsweredProps) {
  const cautions = cautionsOf(checked, keys?.from);
  const { outcome, statement } = checked;
  // Of anything else than these there is nothing to certify.
  const isCertified = outcome === 'proved' || outcome === 'received';
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
      {outcome === 'proved' && statement !== undefined && (
        <Suspense>
          {isOnPortal ? <AskPortal key={statement.documentId} statement={statement} /> : <AskElsewhere address={checked.portalAddress} />}
        </Suspense>
      )}
      <div className={css['more']}>
        {isOnPortal && isCertified && <PrintButton {...{ file, checked, keys, outcome }} />}
        <TechnicalDetails checked={checked} />
      </div>
    </VerdictFrame>
  );
}

/** From verify.html, which asks no one: where the portal is known, a link to it. */
function AskElsewhere({ address }: { readonly address: string | undefined }) {
  if (address === undefined) return <p className={css['ask']}>{t('receipt.askOrganisation')}</p>;
  return (
    <p className={css['ask']}>
      <a href={address} target="_blank" rel="noreferrer">
        {t('receipt.askOf', { host: new URL(address).host })}
      </a>
    </p>
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

function PrintButton(given: Pick<CertificateProps, 'file' | 'checked' | 'keys' | 'outcome'>) {
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
