import { Fragment, type ReactNode } from 'react';
import { Badge } from '#kit/feedback/Badge.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { Checksum } from '#kit/seal/Checksum.tsx';
import { Seal } from '#kit/seal/Seal.tsx';
import { UnbrokenNumbers } from '#kit/text/UnbrokenNumbers.tsx';
import { t } from '#platform/language.ts';
import pairCss from './SealPair.module.css';
import ticksCss from './Ticks.module.css';
import css from './VerdictCard.module.css';
import type { SealedFile, Tick, Verdict } from './verdict.ts';

/** Of the verdict's own title, under the one of the page or the window. */
export type HeadingLevel = 'h2' | 'h3';

const sealSizePx = 132;

interface VerdictFrameProps {
  readonly verdict: Verdict;
  readonly heading: HeadingLevel;
  readonly sha256: string;
  /** Of the file that the checksum is of; undefined for a checksum by itself. */
  readonly fileName: string | undefined;
  /** Two files that ought to be one, in the place of the one checksum. */
  readonly pair?: readonly SealedFile[] | undefined;
  /** Above what was compared. */
  readonly found?: ReactNode;
  readonly children: ReactNode;
}

/** A verdict: its seal and words above, what was compared, the checksum in full below. */
export function VerdictFrame({ verdict, heading: Heading, sha256, fileName, pair, found, children }: VerdictFrameProps) {
  const { badge, title, lead, ticks } = verdict;
  const { tone } = badge;
  const single = { sha256, role: fileName === undefined ? 'checksum' : 'yours' } as const;
  return (
    <div className={css['card']} data-state="answered">
      <header className={css['verdict']} data-tone={tone}>
        {pair === undefined ? (
          <Seal key={sha256} sha256={sha256} size={sealSizePx} look={tone === 'ok' ? 'sweep' : tone === 'bad' ? 'void' : 'plain'} />
        ) : (
          <SealPair files={pair} />
        )}
        <div className={css['words']}>
          <Badge {...badge} />
          <Heading>{title}</Heading>
          <p>
            <UnbrokenNumbers text={lead} />
          </p>
        </div>
      </header>
      <div className={css['body']}>
        {found}
        <Ticks ticks={ticks} />
        {children}
      </div>
      <footer className={css['sum']}>
        {(pair ?? [single]).map((sum) => (
          <div key={sum.sha256}>
            <p>
              {t(sumLabels[sum.role])}
              {pair === undefined && fileName !== undefined && <span> · {fileName}</span>}
            </p>
            <Checksum sha256={sum.sha256} groups={8} />
          </div>
        ))}
      </footer>
    </div>
  );
}

const sumLabels = {
  checksum: 'verify.checksumLabel',
  published: 'verify.sumOfPublished',
  yours: 'verify.sumOfFile',
  yoursPublished: 'verify.sumOfFile',
  stored: 'verify.sumOfStored',
} as const;

const pairedSealSizePx = 104;

/** Two seals side by side, so that one sees that the files are two. Screen readers read the checksums. */
function SealPair({ files }: { readonly files: readonly SealedFile[] }) {
  return (
    <div className={pairCss['pair']}>
      {files.map(({ sha256, role }, at) => (
        <Fragment key={sha256}>
          {at > 0 && (
            <b>
              <span aria-hidden="true">≠</span>
              <span className="visually-hidden">{t('verify.seal.differs')}</span>
            </b>
          )}
          <div>
            <Seal sha256={sha256} size={pairedSealSizePx} look={at > 0 ? 'void' : 'plain'} />
            <span>{t(`verify.seal.${role}`)}</span>
            <span className="num">{`${sha256.slice(0, 4)} ${sha256.slice(4, 8)}…`}</span>
          </div>
        </Fragment>
      ))}
    </div>
  );
}

const marks = { ok: 'check-bold', bad: 'x-bold', open: 'minus-bold' } as const;

function Ticks({ ticks }: { readonly ticks: readonly Tick[] }) {
  return (
    <ol className={ticksCss['ticks']} aria-label={t('verify.compared')}>
      {ticks.map(({ tone, title, text, value }) => (
        <li key={title} data-tone={tone}>
          <span className={ticksCss['mark']}>
            <Icon name={marks[tone]} />
          </span>
          <b>
            <span className="visually-hidden">{t(`verify.tone.${tone}`)}: </span>
            {title}
          </b>
          <p>{text}</p>
          {value !== undefined && <span className={`${ticksCss['value']} num`}>{value}</span>}
        </li>
      ))}
    </ol>
  );
}

interface NoVerdictProps {
  readonly heading: HeadingLevel;
  readonly title: string;
  /** Of the seal that stands faintly above the title. */
  readonly sha256?: string;
  readonly sign?: ReactNode;
  readonly children: ReactNode;
}

/** What stands in the place of a verdict as long as there is none. */
export function NoVerdict({ heading: Heading, title, sha256, sign, children }: NoVerdictProps) {
  return (
    <div className={css['card']}>
      <div className={css['waiting']}>
        {sha256 !== undefined && (
          <div className={css['faint']}>
            <Seal sha256={sha256} size={sealSizePx} />
          </div>
        )}
        {sign}
        <Heading>{title}</Heading>
        {children}
      </div>
    </div>
  );
}
