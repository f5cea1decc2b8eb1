import { Seal } from '#kit/seal/Seal.tsx';
import { t } from '#platform/language.ts';
import css from './SealPair.module.css';
import type { Pair, SealedFile } from './verdict.ts';

const sealSizePx = 104;

/** Two seals side by side, so that one sees that the files are two. Screen readers read the checksums. */
export function SealPair({ pair: { published, other } }: { readonly pair: Pair }) {
  return (
    <div className={css['pair']}>
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
      <Seal key={sha256} sha256={sha256} size={sealSizePx} look={look} />
      <span>{label}</span>
      <span className="num">{`${sha256.slice(0, 4)} ${sha256.slice(4, 8)}…`}</span>
    </div>
  );
}
