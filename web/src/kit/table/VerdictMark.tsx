import { Icon } from '#kit/icons/Icon.tsx';
import type { RowIdentity } from './table-parts.ts';
import css from './VerdictMark.module.css';

/** On the corner of a seal, for the eyes: the row says the same in words. */
export function VerdictMark({ verdict }: { readonly verdict: NonNullable<RowIdentity['verdict']> }) {
  return (
    <span className={css['verdict']} data-verdict={verdict}>
      <Icon name={verdict === 'sound' ? 'check-circle-fill' : 'warning-circle-fill'} size="s" />
    </span>
  );
}
