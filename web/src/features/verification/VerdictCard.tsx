import { useRef } from 'react';
import { Badge } from '#kit/feedback/Badge.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { Checksum } from '#kit/seal/Checksum.tsx';
import { emptyFile } from '#kit/seal/empty-file.ts';
import { Icon } from '#kit/icons/Icon.tsx';
import { Seal } from '#kit/seal/Seal.tsx';
import { ProgressLabel } from '#kit/feedback/Spinner.tsx';
import { UnbrokenNumbers } from '#kit/text/UnbrokenNumbers.tsx';
import { momentText } from '#platform/dates.ts';
import { sentenceOf } from '#platform/errors.ts';
import { t } from '#platform/language.ts';
import { fileNameOf, publishedAt, titleOf } from '#platform/metadata.ts';
import { FileUnreadable } from './hasher.ts';
import { SealPair } from './SealPair.tsx';
import { Ticks } from './Ticks.tsx';
import { isPublic, pairOf, ticksOf, verdictOf } from './verdict.ts';
import css from './VerdictCard.module.css';
import { shortName } from './VerifiedList.tsx';
import type { Finding, Verified } from './verification.store.ts';

/** A document that was found, to be opened. */
export interface FoundDocument {
  readonly id: string;
  readonly title: string;
  readonly fileName: string | undefined;
  readonly isPublic: boolean;
}

export interface VerdictCardProps {
  /** Undefined as long as nothing was handed in. */
  readonly item: Verified | undefined;
  readonly signedIn: boolean;
  /** Of the verdict's own title, under the one of the page or the window. */
  readonly heading: 'h2' | 'h3';
  readonly onOpen: (document: FoundDocument, opener: HTMLElement) => void;
  readonly onDownload: (document: FoundDocument) => void;
  readonly onSignIn: (() => void) | undefined;
  readonly onRetry: () => void;
  readonly onAnother: () => void;
}

const sealSizePx = 132;

/** What became of one file or checksum: the verdict, what was compared, which document it is. */
export function VerdictCard(props: VerdictCardProps) {
  const { item, heading: Heading, onRetry } = props;
  if (item === undefined)
    return (
      <div className={css['card']} data-state="empty">
        <div className={css['waiting']}>
          <div className={css['faint']}>
            <Seal sha256={emptyFile} size={sealSizePx} />
          </div>
          <Heading>{t('verify.here')}</Heading>
          <p>{t('verify.hereLead')}</p>
        </div>
      </div>
    );
  const { progress } = item;
  if (progress.state === 'answered') return <Answered {...props} item={item} answer={progress} />;
  const name = shortName(item);
  return (
    <div className={css['card']} data-state={progress.state}>
      <div className={css['waiting']}>
        {progress.state === 'failed' ? (
          <>
            <Icon name="warning-duotone" size="xxl" className={css['warn']} />
            <Heading>{t('verify.notVerified')}</Heading>
            <p>{failureSentence(progress.error)}</p>
            <Button icon="arrow-clockwise" onClick={onRetry}>
              {t('error.tryAgain')}
            </Button>
          </>
        ) : (
          <>
            <Heading>{name}</Heading>
            <ProgressLabel
              percent={progress.state === 'hashing' ? progress.percent : undefined}
              text={
                progress.state === 'hashing'
                  ? t('verify.readingFile', { percent: progress.percent })
                  : t(progress.state === 'comparing' ? 'verify.comparingLead' : 'verify.waiting')
              }
            />
          </>
        )}
      </div>
    </div>
  );
}

/** A file that cannot be read says so; any other failure is the call's own. */
export const failureSentence = (error: unknown): string => (error instanceof FileUnreadable ? t('verify.unreadable') : sentenceOf(error));

interface AnsweredProps extends VerdictCardProps {
  readonly item: Verified;
  readonly answer: Extract<Verified['progress'], { state: 'answered' }>;
}

function Answered({ item, answer, heading: Heading, ...props }: AnsweredProps) {
  const { signedIn, onSignIn, onAnother } = props;
  const { sha256, finding, namesake } = answer;
  const { tone, badge, title, lead } = verdictOf(finding, signedIn, namesake);
  const pair = pairOf(finding, item, answer);
  const document = finding.document ?? namesake;
  return (
    <div className={css['card']} data-state="answered">
      <header className={css['verdict']} data-tone={tone}>
        {pair === undefined ? (
          <Seal key={sha256} sha256={sha256} size={sealSizePx} look={tone === 'ok' ? 'sweep' : tone === 'bad' ? 'void' : 'plain'} />
        ) : (
          <SealPair pair={pair} />
        )}
        <div className={css['words']}>
          <Badge tone={badge.tone} icon={badge.icon}>
            {badge.word}
          </Badge>
          <Heading>{title}</Heading>
          <p>
            <UnbrokenNumbers text={lead} />
          </p>
        </div>
      </header>
      <div className={css['body']}>
        {document !== undefined && <Found document={document} {...props} kind={namesake === undefined ? finding.status : 'namesake'} />}
        <Ticks ticks={ticksOf(finding, item)} />
        {document === undefined && (
          <div className={css['ways']}>
            {onSignIn !== undefined && (
              <Button kind="primary" icon="sign-in" onClick={onSignIn}>
                {t('signIn.logIn')}
              </Button>
            )}
            <Button onClick={onAnother}>{t('verify.another')}</Button>
          </div>
        )}
      </div>
      <footer className={css['sum']}>
        {pair === undefined ? (
          <>
            <p>
              {t(item.subject.kind === 'file' ? 'verify.sumOfFile' : 'verify.checksumLabel')}
              {item.subject.kind === 'file' && <span> · {item.subject.name}</span>}
            </p>
            <Checksum sha256={sha256} groups={8} />
          </>
        ) : (
          [pair.published, pair.other].map((file) => (
            <div key={file.sha256}>
              <p>{file.sumLabel}</p>
              <Checksum sha256={file.sha256} groups={8} />
            </div>
          ))
        )}
      </footer>
    </div>
  );
}

interface FoundProps extends Pick<VerdictCardProps, 'onOpen' | 'onDownload' | 'onAnother'> {
  readonly document: NonNullable<Finding['document']>;
  /** `namesake`: it is not what was handed in, but called the same. */
  readonly kind: Finding['status'] | 'namesake';
}

/** Which document it is, and the ways to it. One that did not pass is neither shown nor handed out (G8). */
function Found({ document, kind, onOpen, onDownload, onAnother }: FoundProps) {
  const openButton = useRef<HTMLButtonElement>(null);
  const isOpenable = kind === 'SHA_CIF_OK' || kind === 'namesake';
  const found: FoundDocument = {
    id: document.id,
    title: titleOf(document),
    fileName: fileNameOf(document),
    isPublic: isPublic(document),
  };
  return (
    <section className={css['found']}>
      <dl>
        <div>
          <dt>{t(kind === 'namesake' ? 'verify.namesake' : 'verify.document')}</dt>
          <dd>
            {found.title}
            {document.state !== 'ACTIVE' && (
              <Badge tone="warn" icon="warning-fill">
                {t(`state.${document.state}`)}
              </Badge>
            )}
          </dd>
        </div>
        <div>
          <dt>{t('verify.published')}</dt>
          <dd className="num">{momentText(publishedAt(document))}</dd>
        </div>
      </dl>
      <div className={css['ways']}>
        {isOpenable && (
          <>
            <Button ref={openButton} kind="primary" icon="eye" onClick={() => openButton.current && onOpen(found, openButton.current)}>
              {t('verify.open')}
            </Button>
            <Button icon="download-simple" onClick={() => onDownload(found)}>
              {t(kind === 'namesake' ? 'verify.downloadOriginal' : 'verify.download')}
            </Button>
          </>
        )}
        <Button kind={isOpenable ? 'quiet' : 'secondary'} onClick={onAnother}>
          {t('verify.another')}
        </Button>
      </div>
    </section>
  );
}
