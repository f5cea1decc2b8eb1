import { checkChecksum, getLedger } from '@pergamin/contract';
import { lazy, type KeyboardEvent, type ReactNode, Suspense, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import { announce } from '#kit/feedback/Announcer.tsx';
import { focusNeighbour } from '#kit/hooks/focus-neighbour.ts';
import { useFileDrop } from '#kit/hooks/useFileDrop.ts';
import { usePreventFileDrops } from '#kit/hooks/usePreventFileDrops.ts';
import { Icon } from '#kit/icons/Icon.tsx';
import { call } from '#platform/api.ts';
import { emit } from '#platform/events.ts';
import { t } from '#platform/language.ts';
import { ChecksumForm } from './ChecksumForm.tsx';
import { FileZone } from './FileZone.tsx';
import { hashFile, prepareHashing } from './hash-file.ts';
import { failureSentence, VerdictCard, type VerdictCardProps } from './VerdictCard.tsx';
import { shortName, VerifiedList } from './VerifiedList.tsx';
import { findNamesake } from './namesake.ts';
import css from './Verification.module.css';
import { createVerifications, type Verifications, type Verified } from './verification.store.ts';
import { headlineOf } from './verdict.ts';
import { isReceiptName, useReceiptCheck } from './receipts/useReceiptCheck.ts';
import waysCss from './WaysIn.module.css';

const ReceiptInput = lazy(async () => ({ default: (await import('./receipts/ReceiptInput.tsx')).ReceiptInput }));
const ReceiptCard = lazy(async () => ({ default: (await import('./receipts/ReceiptCard.tsx')).ReceiptCard }));

interface VerificationProps extends Pick<VerdictCardProps, 'heading' | 'onOpen' | 'onSignIn'> {
  /** What it is for, above the ways in. */
  readonly intro: ReactNode;
}

/** Verification of documents by file, by checksum and by receipt (G2): of the public page and of the window. */
export function Verification({ intro, heading, onOpen, onSignIn }: VerificationProps) {
  const verifications = useVerifications();
  const { items, chosenKey } = useSyncExternalStore(verifications.subscribe, verifications.getState);
  const [way, setWay] = useState<Way>(namesDocument() ? 'receipt' : 'file');
  const receipts = useReceiptCheck({ hash: hashFile, loadKeys: loadPortalKeys });
  const takeFiles = (files: readonly File[]): void => {
    // Files that are dropped on another way in still find theirs.
    const by = way === 'receipt' || files.some(({ name }) => isReceiptName(name)) ? 'receipt' : 'file';
    setWay(by);
    if (by === 'receipt') void receipts.addFiles(files);
    else verifications.addFiles(files);
  };
  const drop = useFileDrop(takeFiles);
  const left = useRef<HTMLDivElement>(null);
  const chooseButton = useRef<HTMLButtonElement>(null);
  const verdict = useRef<HTMLElement>(null);
  usePreventFileDrops();
  const chosen = items.find(({ key }) => key === chosenKey);
  const answeredKey = chosen?.progress.state === 'answered' ? chosen.key : undefined;
  useEffect(() => {
    if (answeredKey !== undefined) scrollToVerdict(verdict.current);
  }, [answeredKey]);

  const input = (): HTMLElement | null => left.current?.querySelector('textarea') ?? chooseButton.current;
  const goToInput = (): void => {
    input()?.focus();
    left.current?.scrollIntoView({ block: 'start' });
  };
  const remove = (item: Verified, button: HTMLElement): void => {
    focusNeighbour(button, input());
    verifications.remove(item.key);
    announce(t('verify.removed', { name: shortName(item) }));
  };
  return (
    // Dropping is a short way for a pointer; the button does the same.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={css['screen']} {...drop.zone}>
      <div className={css['columns']}>
        <div ref={left} className={css['left']}>
          <div>{intro}</div>
          <WaysIn way={way} onWay={setWay}>
            {way === 'file' && (
              <FileZone
                title={t('verify.drop')}
                note={t('verify.stays')}
                choose={t('verify.choose')}
                buttonRef={chooseButton}
                isOver={drop.isOver}
                onFiles={takeFiles}
              />
            )}
            {way === 'checksum' && <ChecksumForm onChecksum={verifications.addChecksum} />}
            {way === 'receipt' && (
              <Suspense>
                <ReceiptInput check={receipts} buttonRef={chooseButton} isOver={drop.isOver} />
              </Suspense>
            )}
          </WaysIn>
          {way === 'receipt' ? (
            <p className={css['note']}>
              {t('receipt.elsewhere')}{' '}
              <a href="/verify.html" download="verify.html">
                {t('receipt.elsewhereLink')}
              </a>
            </p>
          ) : (
            <>
              <VerifiedList
                {...{ items, chosenKey }}
                onChoose={(key) => {
                  verifications.choose(key);
                  scrollToVerdict(verdict.current);
                }}
                onRemove={remove}
              />
              {onSignIn !== undefined && <p className={css['note']}>{t('verify.onlyPublic')}</p>}
            </>
          )}
        </div>
        <section ref={verdict} className={css['right']} aria-label={t('verify.result')}>
          {way === 'receipt' ? (
            <Suspense>
              <ReceiptCard check={receipts} heading={heading} isOnPortal />
            </Suspense>
          ) : (
            <VerdictCard
              item={chosen}
              {...{ heading, onOpen, onSignIn }}
              onRetry={() => chosen && verifications.retry(chosen.key)}
              onAnother={goToInput}
            />
          )}
        </section>
      </div>
    </div>
  );
}

const icons = { file: 'file-pdf', checksum: 'hash', receipt: 'certificate' } as const;
const ways = ['file', 'checksum', 'receipt'] as const;
type Way = (typeof ways)[number];

interface WaysInProps {
  readonly way: Way;
  readonly onWay: (way: Way) => void;
  readonly children: ReactNode;
}

/** Tabs: arrows choose at once, as nothing is lost by it. */
function WaysIn({ way, onWay, children }: WaysInProps) {
  const id = useId();
  const handleKey = (event: KeyboardEvent): void => {
    const at = ways.indexOf(way);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = ways.at(to % ways.length) ?? way;
    onWay(next);
    document.getElementById(`${id}-${next}`)?.focus();
  };
  return (
    <>
      <div role="tablist" aria-label={t('verify.ways')} className={waysCss['tabs']}>
        {ways.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            id={`${id}-${one}`}
            aria-selected={one === way}
            aria-controls={one === way ? `${id}-panel` : undefined}
            tabIndex={one === way ? 0 : -1}
            onKeyDown={handleKey}
            onClick={() => onWay(one)}
          >
            <Icon name={icons[one]} />
            {t(`verify.${one}`)}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${way}`}>
        {children}
      </div>
    </>
  );
}

/** Whose signatures the portal itself says to trust, as a tlog-policy; undefined when it cannot be asked. */
const loadPortalKeys = (): Promise<string | undefined> =>
  call(getLedger, {}).then(
    ({ policy }) => policy || undefined,
    () => undefined,
  );

/** The address that a certificate bears: what stands behind # is the document's id. */
const namesDocument = (): boolean => /^#[0-9a-f-]{36}$/.test(location.hash);

function useVerifications(): Verifications {
  const [verifications] = useState(() =>
    createVerifications({
      hash: hashFile,
      findNamesake,
      ask: (sha256, signal) => call(checkChecksum, { body: { sha256 }, signal }),
      onSettled: tellSettled,
    }),
  );
  useEffect(() => verifications.stop, [verifications]);
  useEffect(() => prepareHashing(), []);
  return verifications;
}

const tellSettled = (item: Verified): void => {
  const { progress } = item;
  const name = shortName(item);
  if (progress.state === 'failed') announce(`${name}: ${failureSentence(progress.error)}`, 'assertive');
  if (progress.state !== 'answered') return;
  const { status, document } = progress.finding;
  const further = progress.namesake === undefined ? '' : `. ${t('verify.namesakeLead')}`;
  announce(`${name}: ${headlineOf(status)}${further}`, status === 'SHA_CIF_OK' ? 'polite' : 'assertive');
  // Lists show a document that turned out to be damaged as such.
  if (document?.corrupted === true) emit('documentUpdated', { documentId: document.id });
};

/** Where the verdict stands below, a new one is brought into view; beside the list it is there anyway. */
const scrollToVerdict = (verdict: HTMLElement | null): void => {
  const before = verdict?.previousElementSibling;
  if (verdict === null || !before || before.getBoundingClientRect().right <= verdict.getBoundingClientRect().left) return;
  verdict.scrollIntoView({ block: 'start' });
};
