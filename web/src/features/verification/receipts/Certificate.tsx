import { type AnswerOf, calls } from '@pergamin/contract';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { encode } from 'uqr';
import { Icon } from '#kit/icons/Icon.tsx';
import { Checksum } from '#kit/seal/Checksum.tsx';
import { Seal } from '#kit/seal/Seal.tsx';
import { call } from '#platform/api.ts';
import { brand } from '#platform/brand.ts';
import { momentText } from '#platform/dates.ts';
import { t } from '#platform/language.ts';
import { bytesText, numberText } from '#platform/numbers.ts';
import css from './Certificate.module.css';
import type { CheckedReceipt } from './check-receipt.ts';
import { cautionsOf, ownerText, receiptVerdictOf } from './receipt-answers.ts';
import type { GivenFile, ReceiptState } from './useReceiptCheck.ts';

interface CertificateProps {
  readonly file: GivenFile;
  readonly checked: CheckedReceipt;
  readonly keys: ReceiptState['keys'];
  readonly onPrinted: () => void;
}

const sealSizePx = 186;
/** A sheet is printed without it rather than late. */
const lockWithinMs = 2_000;

type Lock = NonNullable<AnswerOf<typeof calls.getReadiness>['lock']>;

/** How the organisation's store locks documents; without a portal nothing is known of it. */
const findLock = (): Promise<Lock> =>
  call(calls.getReadiness, { signal: AbortSignal.timeout(lockWithinMs) }).then(
    (answer) => answer.lock ?? 'none',
    // Offline, or the portal is not ready: the verification itself needs neither.
    () => 'none',
  );

/** One sheet for the file: which document it is, what was verified and where to verify it again. Seen in print only. */
export function Certificate({ file, checked, keys, onPrinted }: CertificateProps) {
  const { statement, place } = checked;
  const [printedAt] = useState(() => Date.now());
  const [lock, setLock] = useState<Lock>();
  useEffect(() => void findLock().then(setLock), []);
  useEffect(() => {
    if (lock === undefined) return undefined;
    addEventListener('afterprint', onPrinted, { once: true });
    print();
    return () => removeEventListener('afterprint', onPrinted);
  }, [lock, onPrinted]);
  if (statement === undefined || place === undefined) return null;
  const address = addressOf(statement);
  const rows: readonly (readonly [string, React.ReactNode])[] = [
    [t('verify.document'), <b key="name">{file.name}</b>],
    [t('certificate.size'), bytesText(file.size)],
    [
      t('certificate.delivered'),
      <span key="at" className="num">
        {momentText(statement.time)}
      </span>,
    ],
    [t('certificate.owner'), ownerText(statement.owner)],
    [t('verify.checksumLabel'), <Checksum key="sum" sha256={statement.sha256} groups={8} />],
    [t('receipt.entry'), t('certificate.entry', { number: numberText(place.index + 1), size: numberText(place.size) })],
    [t('receipt.log'), place.origin],
    ...(lock === undefined || lock === 'none' ? [] : [[t('certificate.storage'), t(`certificate.storage.${lock}`)] as const]),
  ];
  return createPortal(
    <article className={css['certificate']} lang={document.documentElement.lang}>
      <header>
        <p>
          <b>{brand().name}</b>
          <span>{brand().organisation}</span>
        </p>
        <p>
          <span>{t('certificate.verifiedAt')}</span>
          <span className="num">{momentText(printedAt)}</span>
        </p>
      </header>
      <div className={css['head']}>
        <Seal sha256={statement.sha256} size={sealSizePx} />
        <h1>{t('certificate.title')}</h1>
        <p>{t('certificate.lead', { organisation: brand().organisation })}</p>
      </div>
      <dl>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={css['below']}>
        <ol>
          {receiptVerdictOf(checked).ticks.map(({ title, text }) => (
            <li key={title}>
              <span>
                <Icon name="check-bold" />
              </span>
              <b>{title}</b>
              <p>{text}</p>
            </li>
          ))}
        </ol>
        <figure>
          <QrCode text={address} />
          <figcaption>
            {t('certificate.again')} <span>{address.replace(/^https?:\/\//, '').replace(/#.*/, '')}</span>
          </figcaption>
        </figure>
      </div>
      <footer>
        <p>{[...cautionsOf(checked, keys?.from), t('certificate.foot')].join(' ')}</p>
      </footer>
    </article>,
    document.body,
  );
}

/** Of a public document its own page; of any other that of the verification, with an id that no server is told. */
const addressOf = ({ type, documentId }: NonNullable<CheckedReceipt['statement']>): string =>
  new URL(type === 'PUBLIC' ? `/public/${documentId}` : `/verify#${documentId}`, location.origin).href;

function QrCode({ text }: { readonly text: string }) {
  const { size, data } = encode(text, { ecc: 'M', border: 0 });
  const path = data.map((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')).join('')).join('');
  return (
    <svg viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges" role="img" aria-label={text}>
      <path d={path} fill="#000" />
    </svg>
  );
}
