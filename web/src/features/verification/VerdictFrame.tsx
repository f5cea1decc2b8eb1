import type { ReactNode } from 'react';
import { Badge } from '#kit/feedback/Badge.tsx';
import { Checksum } from '#kit/seal/Checksum.tsx';
import { Seal } from '#kit/seal/Seal.tsx';
import { UnbrokenNumbers } from '#kit/text/UnbrokenNumbers.tsx';
import { t } from '#platform/language.ts';
import { SealPair } from './SealPair.tsx';
import css from './VerdictCard.module.css';
import type { Pair, Verdict } from './verdict.ts';

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
