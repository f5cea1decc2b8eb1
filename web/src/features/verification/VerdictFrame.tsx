import type { ReactNode } from 'react';
import { Badge } from '#kit/feedback/Badge.tsx';
import { Checksum } from '#kit/seal/Checksum.tsx';
import { Seal } from '#kit/seal/Seal.tsx';
import { UnbrokenNumbers } from '#kit/text/UnbrokenNumbers.tsx';
import { t } from '#platform/language.ts';
import pairCss from './SealPair.module.css';
import css from './VerdictCard.module.css';
import type { Pair, SealedFile, Verdict } from './verdict.ts';

/** Of the verdict's own title, under the one of the page or the window. */
export type HeadingLevel = 'h2' | 'h3';

const sealSizePx = 132;

interface VerdictFrameProps {
  readonly verdict: Verdict;
  readonly heading: HeadingLevel;
  readonly sha256: string;
  /** What it is the checksum of. */
  readonly sumLabel: ReactNode;
  /** In the place of the one checksum. */
  readonly pair?: Pair | undefined;
  readonly children: ReactNode;
}

/** A verdict: its seal and words above, what was compared, the checksum in full below. */
export function VerdictFrame({ verdict, heading: Heading, sha256, sumLabel, pair, children }: VerdictFrameProps) {
  const { badge, title, lead } = verdict;
  const { tone } = badge;
  const sums = pair === undefined ? [{ sha256, sumLabel }] : [pair.published, pair.other];
  return (
    <div className={css['card']} data-state="answered">
      <header className={css['verdict']} data-tone={tone}>
        {pair === undefined ? (
          <Seal key={sha256} sha256={sha256} size={sealSizePx} look={tone === 'ok' ? 'sweep' : tone === 'bad' ? 'void' : 'plain'} />
        ) : (
          <SealPair pair={pair} />
        )}
        <div className={css['words']}>
          <Badge {...badge} />
          <Heading>{title}</Heading>
          <p>
            <UnbrokenNumbers text={lead} />
          </p>
        </div>
      </header>
      <div className={css['body']}>{children}</div>
      <footer className={css['sum']}>
        {sums.map((sum) => (
          <div key={sum.sha256}>
            <p>{sum.sumLabel}</p>
            <Checksum sha256={sum.sha256} groups={8} />
          </div>
        ))}
      </footer>
    </div>
  );
}

/** Names the checksum of a file that was handed in. */
export const sumOfFile = (name: string): ReactNode => (
  <>
    {t('verify.sumOfFile')}
    <span> · {name}</span>
  </>
);

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

const pairedSealSizePx = 104;

/** Two seals side by side, so that one sees that the files are two. Screen readers read the checksums. */
function SealPair({ pair: { published, other } }: { readonly pair: Pair }) {
  return (
    <div className={pairCss['pair']}>
      <Sealed {...published} look="plain" />
      <b>
        <span aria-hidden="true">≠</span>
        <span className="visually-hidden">{t('verify.seal.differs')}</span>
      </b>
      <Sealed {...other} look="void" />
    </div>
  );
}

function Sealed({ sha256, label, look }: SealedFile & { readonly look: 'plain' | 'void' }) {
  return (
    <div>
      <Seal key={sha256} sha256={sha256} size={pairedSealSizePx} look={look} />
      <span>{label}</span>
      <span className="num">{`${sha256.slice(0, 4)} ${sha256.slice(4, 8)}…`}</span>
    </div>
  );
}
