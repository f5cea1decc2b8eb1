import { lazy, Suspense, useCallback, useState, useSyncExternalStore } from 'react';
import { Button } from '#kit/buttons/Button.tsx';
import { Badge } from '#kit/feedback/Badge.tsx';
import { ProgressLabel } from '#kit/feedback/Spinner.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { Checksum } from '#kit/seal/Checksum.tsx';
import { emptyFile } from '#kit/seal/empty-file.ts';
import { Seal } from '#kit/seal/Seal.tsx';
import { t } from '#platform/language.ts';
import { Ticks } from '#features/verification/Ticks.tsx';
import cardCss from '#features/verification/VerdictCard.module.css';
import type { CheckedReceipt } from './check-receipt.ts';
import { answersOf, cautionsOf, receiptVerdictOf } from './receipt-answers.ts';
import type { GivenFile, ReceiptCheck, ReceiptState } from './receipt-check.store.ts';
import css from './ReceiptCard.module.css';
import { TechnicalDetails } from './TechnicalDetails.tsx';

// Comes when it is printed.
const Certificate = lazy(async () => ({ default: (await import('./Certificate.tsx')).Certificate }));

interface ReceiptCardProps {
  readonly check: ReceiptCheck;
  readonly heading: 'h2' | 'h3';
  /** It bears the portal's address: not for verify.html, which knows none. */
  readonly hasCertificate?: boolean;
}

const sealSizePx = 132;

/** What a receipt proves of a file: the verdict, four answers, what they do not say, and the values behind them. */
export function ReceiptCard({ check, heading: Heading, hasCertificate = false }: ReceiptCardProps) {
  const state = useSyncExternalStore(check.subscribe, check.getState);
  const { file, receipt, checked } = state;
  if (checked !== undefined && file !== undefined) return <Answered {...state} {...{ file, checked, hasCertificate }} heading={Heading} />;
  const isReading = file !== undefined && file.sha256 === undefined && !file.isUnreadable;
  return (
    <div className={cardCss['card']} data-state="empty">
      <div className={cardCss['waiting']}>
        {isReading ? (
          <>
            <Heading>{file.name}</Heading>
            <ProgressLabel percent={file.percent} text={t('verify.readingFile', { percent: file.percent })} />
          </>
        ) : (
          <>
            <div className={cardCss['faint']}>
              <Seal sha256={file?.sha256 ?? emptyFile} size={sealSizePx} />
            </div>
            <Heading>{t(file === undefined ? (receipt === undefined ? 'verify.here' : 'receipt.nowFile') : 'receipt.nowReceipt')}</Heading>
            <p>{t('receipt.hereLead')}</p>
          </>
        )}
      </div>
    </div>
  );
}

interface AnsweredProps extends Pick<ReceiptState, 'keys'> {
  readonly file: GivenFile;
  readonly checked: CheckedReceipt;
  readonly heading: 'h2' | 'h3';
  readonly hasCertificate: boolean;
}

function Answered({ file, checked, keys, heading: Heading, hasCertificate }: AnsweredProps) {
  const { tone, badge, title, lead } = receiptVerdictOf(checked);
  const cautions = cautionsOf(checked, keys?.from);
  const sha256 = file.sha256 ?? '';
  return (
    <div className={cardCss['card']} data-state="answered">
      <header className={cardCss['verdict']} data-tone={tone}>
        <Seal key={sha256} sha256={sha256} size={sealSizePx} look={tone === 'ok' ? 'sweep' : tone === 'bad' ? 'void' : 'plain'} />
        <div className={cardCss['words']}>
          <Badge tone={badge.tone} icon={badge.icon}>
            {badge.word}
          </Badge>
          <Heading>{title}</Heading>
          <p>{lead}</p>
        </div>
      </header>
      <div className={cardCss['body']}>
        <Ticks ticks={answersOf(checked)} />
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
      </div>
      <footer className={cardCss['sum']}>
        <p>
          {t('verify.sumOfFile')}
          <span> · {file.name}</span>
        </p>
        <Checksum sha256={sha256} groups={8} />
      </footer>
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
