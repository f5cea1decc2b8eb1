import { getDocumentHistory, getLedger, type HistoryEntry } from '@pergamin/contract';
import { type ReactNode, useEffect, useState } from 'react';
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
import { currentToken } from '#platform/session-token.ts';
import css from './Certificate.module.css';
import type { CheckedReceipt } from './check-receipt.ts';
import { cautionsOf, ownerText, receiptVerdictOf } from './receipt-answers.ts';
import { findStorageLock, type StorageLock, storageText } from './storage-lock.ts';
import type { GivenFile, ReceiptState } from './useReceiptCheck.ts';

export interface CertificateProps {
  readonly file: GivenFile;
  readonly checked: CheckedReceipt;
  readonly keys: ReceiptState['keys'];
  readonly outcome: 'proved' | 'received';
  readonly onPrinted: () => void;
}

const sealSizePx = 118;
/** A sheet is printed without it rather than late. */
const withinMs = 2_000;

/** Whether the keys are those of this portal: on a certificate of another register its organisation is not named. */
const isOwnRegister = async (keys: ReceiptState['keys'], origin: string | undefined): Promise<boolean> => {
  if (keys?.from === 'portal') return true;
  const key = await call(getLedger, { signal: AbortSignal.timeout(withinMs) }).then(
    (register) => (register.origin === origin ? register.verifierKey : undefined),
    () => undefined,
  );
  return key !== undefined && keys?.text.split(/\s+/).includes(key) === true;
};

/** What happened later to a document of the caller, as the portal tells it; nothing without a session, or of what is not theirs. */
const findHistory = (id: string | undefined): Promise<readonly HistoryEntry[]> =>
  id === undefined || currentToken() === undefined
    ? Promise.resolve([])
    : call(getDocumentHistory, { params: { id }, signal: AbortSignal.timeout(withinMs) }).then(
        ({ items }) => items,
        () => [],
      );

/** A document of another register is none of this portal's, and its storage is not asked. */
const findStorage = async (
  keys: ReceiptState['keys'],
  origin: string | undefined,
  statement: CheckedReceipt['statement'],
): Promise<Pick<Told, 'lock' | 'isOwn'>> => {
  const isOwn = await isOwnRegister(keys, origin);
  return { isOwn, lock: isOwn && statement !== undefined ? await findStorageLock(statement) : undefined };
};

interface Told {
  readonly lock: StorageLock;
  readonly isOwn: boolean;
  readonly history: readonly HistoryEntry[];
}

/** One sheet for the file: which document it is, what was verified and where to verify it again. Seen in print only. */
export function Certificate({ file, checked, keys, outcome, onPrinted }: CertificateProps) {
  const { statement, place } = checked;
  const [printedAt] = useState(() => Date.now());
  const [told, setTold] = useState<Told>();
  const id = outcome === 'proved' ? statement?.documentId : undefined;
  useEffect(() => {
    void Promise.all([findStorage(keys, place?.origin, statement), findHistory(id)]).then(([storage, history]) =>
      setTold({ ...storage, history }),
    );
  }, [keys, place?.origin, statement, id]);
  useEffect(() => {
    if (told === undefined) return undefined;
    addEventListener('afterprint', onPrinted, { once: true });
    print();
    return () => removeEventListener('afterprint', onPrinted);
  }, [told, onPrinted]);
  if (statement === undefined || place === undefined || told === undefined) return null;
  const address = addressOf(statement, told.isOwn);
  // Its lines say so.
  const cautions = cautionsOf(checked, keys?.from).filter((caution) => caution !== t('receipt.publishedOnly'));
  return createPortal(
    <article className={css['certificate']} data-outcome={outcome} lang={document.documentElement.lang}>
      <header>
        <p>
          <b>{told.isOwn ? brand().name : place.origin}</b>
          <span>{told.isOwn ? brand().organisation : t('certificate.otherRegister')}</span>
        </p>
        <p>
          <span>{t('certificate.verifiedAt')}</span>
          <span className="num">{momentText(printedAt)}</span>
        </p>
      </header>
      <div className={css['head']}>
        <Seal sha256={statement.sha256} size={sealSizePx} />
        <h1>{t(`certificate.title.${outcome}`)}</h1>
        <p>{t(`certificate.lead.${outcome}`, { origin: place.origin })}</p>
      </div>
      <dl>
        {rowsOf({ file, statement, place, outcome, told }).map(([name, value]) => (
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
        <p>{[...cautions, t('certificate.foot')].join(' ')}</p>
      </footer>
    </article>,
    document.body,
  );
}

interface RowsGiven extends Pick<CertificateProps, 'file' | 'outcome'> {
  readonly statement: NonNullable<CheckedReceipt['statement']>;
  readonly place: NonNullable<CheckedReceipt['place']>;
  readonly told: Told;
}

type Row = readonly [string, ReactNode];

const rowsOf = ({ file, statement, place, outcome, told: { lock, isOwn, history } }: RowsGiven): readonly Row[] => [
  [t('certificate.fileName'), <b key="name">{t('certificate.file', { name: file.name, size: bytesText(file.size) })}</b>],
  [t('receipt.document'), <Num key="id">{statement.documentId}</Num>],
  [t('verify.checksumLabel'), <Checksum key="sum" sha256={statement.sha256} groups={8} />],
  [t(`certificate.at.${outcome}`), <Num key="at">{momentText(statement.time)}</Num>],
  [t(`certificate.owner.${outcome}`), ownerText(statement.owner)],
  ...(statement.state === 'ACTIVE' ? [] : [[t('certificate.state'), t(`state.${statement.state}`)] as const]),
  [t('receipt.entry'), t('certificate.entry', { number: numberText(place.index + 1), size: numberText(place.size), origin: place.origin })],
  // What is not the publication is a line of its own, with what it rests on.
  ...(outcome === 'proved' ? laterEvents.map(([event, name]): Row => [t(name), restingOn(history, event)]) : []),
  // That the storage of a delivery is not known is said; of what was sent only what is known.
  ...(isOwn && (outcome === 'proved' || lock !== undefined) ? [[t('certificate.storage'), storageText(lock)] as const] : []),
];

const laterEvents = [
  ['NOTIFIED', 'certificate.notified'],
  ['OPENED', 'certificate.opened'],
  ['READ', 'certificate.read'],
] as const;

const restingOn = (history: readonly HistoryEntry[], event: HistoryEntry['event']): string => {
  const found = history.find((entry) => entry.event === event);
  if (found === undefined) return t('certificate.notShown');
  const date = momentText(found.at);
  return found.entry === null
    ? t('certificate.byRecord', { date })
    : t('certificate.byEntry', { date, number: numberText(found.entry.index + 1) });
};

function Num({ children }: { readonly children: string }) {
  return <span className="num">{children}</span>;
}

/** Of a public document of this portal its own page; of any other that of the verification, with an id that no server is told. */
const addressOf = ({ type, documentId }: RowsGiven['statement'], isOwn: boolean): string =>
  new URL(isOwn && type === 'PUBLIC' ? `/public/${documentId}` : `/verify#${documentId}`, location.origin).href;

function QrCode({ text }: { readonly text: string }) {
  const { size, data } = encode(text, { ecc: 'M', border: 0 });
  const path = data.map((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')).join('')).join('');
  return (
    <svg viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges" role="img" aria-label={text}>
      <path d={path} fill="#000" />
    </svg>
  );
}
