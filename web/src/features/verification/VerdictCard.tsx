import { Badge } from '#kit/feedback/Badge.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { emptyFile } from '#kit/seal/empty-file.ts';
import { Icon } from '#kit/icons/Icon.tsx';
import { ProgressLabel } from '#kit/feedback/Spinner.tsx';
import { momentText } from '#platform/dates.ts';
import { type Downloadable, downloadOwnDocument, downloadPublicDocument } from '#platform/download.ts';
import { sentenceOf } from '#platform/errors.ts';
import { t } from '#platform/language.ts';
import { fileNameOf, publishedAt, titleOf } from '#platform/metadata.ts';
import { FileUnreadable } from './hash-file.ts';
import { isPublic, pairOf, verdictOf } from './verdict.ts';
import css from './VerdictCard.module.css';
import { type HeadingLevel, NoVerdict, VerdictFrame } from './VerdictFrame.tsx';
import { shortName } from './VerifiedList.tsx';
import type { Answer, Finding, Verified } from './verification.store.ts';

export interface FoundDocument extends Downloadable {
  readonly title: string;
  readonly isPublic: boolean;
}

export interface VerdictCardProps {
  /** Undefined as long as nothing was handed in. */
  readonly item: Verified | undefined;
  readonly heading: HeadingLevel;
  readonly onOpen: (document: FoundDocument, opener: HTMLElement) => void;
  /** Undefined with a session. */
  readonly onSignIn?: (() => void) | undefined;
  readonly onRetry: () => void;
  readonly onAnother: () => void;
}

/** What became of one file or checksum: the verdict, what was compared, which document it is. */
export function VerdictCard(props: VerdictCardProps) {
  const { item, heading, onRetry } = props;
  if (item === undefined)
    return (
      <NoVerdict heading={heading} sha256={emptyFile} title={t('verify.here')}>
        <p>{t('verify.hereLead')}</p>
      </NoVerdict>
    );
  const { progress } = item;
  if (progress.state === 'answered') return <Answered {...props} item={item} answer={progress} />;
  if (progress.state === 'failed')
    return (
      <NoVerdict
        heading={heading}
        sign={<Icon name="warning-duotone" size="xxl" className={css['warn']} />}
        title={t('verify.notVerified')}
      >
        <p>{failureSentence(progress.error)}</p>
        <Button icon="arrow-clockwise" onClick={onRetry}>
          {t('error.tryAgain')}
        </Button>
      </NoVerdict>
    );
  return (
    <NoVerdict heading={heading} title={shortName(item)}>
      {progress.state === 'hashing' ? (
        <ProgressLabel percent={progress.percent} text={t('verify.readingFile', { percent: progress.percent })} />
      ) : (
        <ProgressLabel text={t(progress.state === 'comparing' ? 'verify.comparingLead' : 'verify.waiting')} />
      )}
    </NoVerdict>
  );
}

/** A file that cannot be read says so; any other failure is the call's own. */
export const failureSentence = (error: unknown): string => (error instanceof FileUnreadable ? t('verify.unreadable') : sentenceOf(error));

function Answered({ item, answer, heading, ...props }: VerdictCardProps & { readonly item: Verified; readonly answer: Answer }) {
  const { onSignIn, onAnother } = props;
  const { sha256, finding, namesake } = answer;
  const { file } = item;
  const document = finding.document ?? namesake;
  return (
    <VerdictFrame
      verdict={verdictOf(answer, { file, isSignedIn: onSignIn === undefined })}
      pair={pairOf(answer, file !== undefined)}
      fileName={file?.name}
      found={document && <Found document={document} {...props} kind={namesake === undefined ? finding.status : 'namesake'} />}
      {...{ heading, sha256 }}
    >
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
    </VerdictFrame>
  );
}

interface FoundProps extends Pick<VerdictCardProps, 'onOpen' | 'onAnother'> {
  readonly document: NonNullable<Finding['document']>;
  /** `namesake`: it is not what was handed in, but called the same. */
  readonly kind: Finding['status'] | 'namesake';
}

/** Which document it is, and the ways to it. One that did not pass is neither shown nor handed out (G8). */
function Found({ document, kind, onOpen, onAnother }: FoundProps) {
  const download = isPublic(document) ? downloadPublicDocument : downloadOwnDocument;
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
            <Button kind="primary" icon="eye" onClick={({ currentTarget }) => onOpen(found, currentTarget)}>
              {t('verify.open')}
            </Button>
            <Button icon="download-simple" onClick={() => void download(found)}>
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
