import { useRef } from 'react';
import { Badge } from '#kit/Badge.tsx';
import { Button } from '#kit/Button.tsx';
import { Checksum } from '#kit/Checksum.tsx';
import { emptyFile } from '#kit/EmptyState.tsx';
import { Icon } from '#kit/Icon.tsx';
import { Seal } from '#kit/Seal.tsx';
import { ProgressLabel } from '#kit/Spinner.tsx';
import { UnbrokenNumbers } from '#kit/UnbrokenNumbers.tsx';
import { momentText } from '#platform/dates.ts';
import { sentenceOf } from '#platform/errors.ts';
import { t } from '#platform/language.ts';
import { titleOf } from '#platform/metadata.ts';
import { FileUnreadable } from './hasher.ts';
import { Ticks } from './Ticks.tsx';
import { isPublic, publishedAt, ticksOf, verdictOf } from './verdict.ts';
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
  if (progress.state === 'answered') return <Answered {...props} item={item} sha256={progress.sha256} finding={progress.finding} />;
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
  readonly sha256: string;
  readonly finding: Finding;
}

function Answered({ item, sha256, finding, heading: Heading, ...props }: AnsweredProps) {
  const { signedIn, onSignIn, onAnother } = props;
  const { tone, badge, title, lead } = verdictOf(finding, signedIn);
  return (
    <div className={css['card']} data-state="answered">
      <header className={css['verdict']} data-tone={tone}>
        <Seal key={sha256} sha256={sha256} size={sealSizePx} look={tone === 'ok' ? 'sweep' : tone === 'bad' ? 'void' : 'plain'} />
        <div>
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
        {finding.document !== null && <Found document={finding.document} finding={finding} {...props} />}
        <Ticks ticks={ticksOf(finding, item)} />
        {finding.document === null && (
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
        <p>
          {t(item.subject.kind === 'file' ? 'verify.sumOfFile' : 'verify.checksumLabel')}
          {item.subject.kind === 'file' && <span> · {item.subject.name}</span>}
        </p>
        <Checksum sha256={sha256} groups={8} />
      </footer>
    </div>
  );
}

interface FoundProps extends Pick<VerdictCardProps, 'onOpen' | 'onDownload' | 'onAnother'> {
  readonly document: NonNullable<Finding['document']>;
  readonly finding: Finding;
}

/** Which document it is, and the ways to it. One that did not pass is neither shown nor handed out (G8). */
function Found({ document, finding, onOpen, onDownload, onAnother }: FoundProps) {
  const openButton = useRef<HTMLButtonElement>(null);
  const fileName = document.metadata['FILE_NAME'];
  const found: FoundDocument = {
    id: document.id,
    title: titleOf(document),
    fileName: fileName === undefined ? undefined : String(fileName),
    isPublic: isPublic(document),
  };
  return (
    <section className={css['found']}>
      <dl>
        <div>
          <dt>{t('verify.document')}</dt>
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
        {finding.status === 'SHA_CIF_OK' && (
          <>
            <Button ref={openButton} kind="primary" icon="eye" onClick={() => openButton.current && onOpen(found, openButton.current)}>
              {t('verify.open')}
            </Button>
            <Button icon="download-simple" onClick={() => onDownload(found)}>
              {t('verify.download')}
            </Button>
          </>
        )}
        <Button kind="quiet" onClick={onAnother}>
          {t('verify.another')}
        </Button>
      </div>
    </section>
  );
}
