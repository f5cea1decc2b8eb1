import { Seal } from '#kit/seal/Seal.tsx';
import { t } from '#platform/language.ts';
import css from './SealPair.module.css';
import type { Pair } from './verdict.ts';

const sealSizePx = 104;
const readDigits = 8;

/** Two seals side by side, so that one sees that the files are two. Screen readers read the checksums. */
export function SealPair({ pair: { published, other } }: { readonly pair: Pair }) {
  const startOf = (sha256: string): string => `${sha256.slice(0, 4)} ${sha256.slice(4, readDigits)}`;
  return (
    <div className={css['pair']}>
      <div>
        <Seal key={published.sha256} sha256={published.sha256} size={sealSizePx} />
        <span>{published.label}</span>
        <span className="num">{startOf(published.sha256)}…</span>
      </div>
      <b>
        <span aria-hidden="true">≠</span>
        <span className="visually-hidden">{t('verify.seal.differs')}</span>
      </b>
      <div>
        <Seal key={other.sha256} sha256={other.sha256} size={sealSizePx} look="void" />
        <span>{other.label}</span>
        <span className="num">{startOf(other.sha256)}…</span>
      </div>
    </div>
  );
}
