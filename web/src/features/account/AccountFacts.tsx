import type { AccountInfo } from '@pergamin/contract';
import { momentText } from '#platform/dates.ts';
import { t } from '#platform/language.ts';
import css from './AccountFacts.module.css';

/** What is known of the person, each fact as a label over its value. */
export function AccountFacts({ account }: { readonly account: AccountInfo }) {
  return (
    <dl className={css['facts']}>
      <Fact label={t('account.personalId')} value={account.personalId} mono />
      <Fact label={t('account.firstName')} value={account.firstName} half />
      <Fact label={t('account.lastName')} value={account.lastName} half />
      <Fact label={t('account.email')} value={account.email} />
      <Fact label={t('account.phone')} value={account.phone} mono />
      <Fact label={t('account.previousLogin')} value={momentOf(account.previousSuccessfulLoginDate)} mono />
      <Fact label={t('account.lastFailedLogin')} value={momentOf(account.lastFailureLoginDate)} mono />
    </dl>
  );
}

const momentOf = (epochMs: number | null): string | null => (epochMs === null ? null : momentText(epochMs));

interface FactProps {
  readonly label: string;
  /** Null where there is nothing. */
  readonly value: string | null;
  readonly mono?: boolean;
  /** Beside its neighbour. */
  readonly half?: boolean;
}

function Fact({ label, value, mono = false, half = false }: FactProps) {
  return (
    <div data-half={half || undefined}>
      <dt>{label}</dt>
      <dd className={mono && value !== null ? 'num' : undefined}>{value ?? t('date.none')}</dd>
    </div>
  );
}
