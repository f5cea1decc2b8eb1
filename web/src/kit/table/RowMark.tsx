import { Icon } from '#kit/icons/Icon.tsx';
import { Seal } from '#kit/seal/Seal.tsx';
import css from './RowMark.module.css';
import type { RowIdentity } from './table-parts.ts';

interface RowMarkProps {
  readonly identity: RowIdentity;
  /** px. */
  readonly size: 34 | 40;
}

/** The seal of a row or an icon, on its corner what a check gave. For the eyes: the row says the same in words. */
export function RowMark({ identity: { sha256, verdict }, size }: RowMarkProps) {
  return (
    <>
      {sha256 === undefined ? <Icon name="file-text-duotone" size={size === 34 ? 'l' : 'xl'} /> : <Seal sha256={sha256} size={size} />}
      {verdict !== undefined && (
        <span className={css['verdict']} data-verdict={verdict}>
          <Icon name={verdict === 'sound' ? 'check-circle-fill' : 'warning-circle-fill'} size="s" />
        </span>
      )}
    </>
  );
}
