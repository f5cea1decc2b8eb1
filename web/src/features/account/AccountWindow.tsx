import type { AccountInfo, ChannelId } from '@pergamin/contract';
import { useState } from 'react';
import { useWindow } from '#desktop/desktop.context.ts';
import { useKeptFocus } from '#desktop/useKeptFocus.ts';
import { WindowFoot } from '#desktop/WindowFrame.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { ChoiceCards } from '#kit/forms/ChoiceCards.tsx';
import { ErrorState } from '#kit/feedback/ErrorState.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { ProgressLabel } from '#kit/feedback/Spinner.tsx';
import { momentText } from '#platform/dates.ts';
import { sentenceOf } from '#platform/errors.ts';
import { emit } from '#platform/events.ts';
import { t } from '#platform/language.ts';
import css from './AccountWindow.module.css';
import { useAccount, useSaveChannel } from './account.queries.ts';

/** Who the person is to the portal, when they were here before, and where news go (J1, J2). */
export function AccountWindow() {
  const account = useAccount();
  useKeptFocus(!account.isPending);
  if (account.data !== undefined) return <Account account={account.data} />;
  return (
    <div className={css['content']}>
      {account.isPending ? (
        <div className={css['waiting']}>
          <ProgressLabel text={t('account.loading')} />
        </div>
      ) : (
        <ErrorState
          title={t('account.failed')}
          text={sentenceOf(account.error)}
          action={<Button onClick={() => void account.refetch()}>{t('error.tryAgain')}</Button>}
        />
      )}
    </div>
  );
}

const channels = [
  { id: 'EMAIL', icon: 'envelope-simple', address: 'email', missing: 'account.noEmail' },
  { id: 'SMS', icon: 'chat-text', address: 'phone', missing: 'account.noPhone' },
] as const;

function Account({ account }: { readonly account: AccountInfo }) {
  const { close } = useWindow();
  const saved = account.preferredChannelId;
  const [chosen, setChosen] = useState<ChannelId | null>(null);
  const channel = chosen ?? saved;
  const saving = useSaveChannel(() => {
    emit('alert', { tone: 'success', title: t(saved === null ? 'account.saved' : 'account.updated') });
    void close();
  });
  const changed = channel !== null && channel !== saved;
  const handleCancel = () => {
    saving.reset();
    setChosen(null);
    // With nothing to take back, the window itself is what is cancelled.
    if (!changed) void close();
  };
  return (
    <>
      <div className={css['content']}>
        <dl className={css['facts']}>
          <Fact label={t('account.personalId')} value={account.personalId} mono />
          <Fact label={t('account.firstName')} value={account.firstName} half />
          <Fact label={t('account.lastName')} value={account.lastName} half />
          <Fact label={t('account.email')} value={account.email} />
          <Fact label={t('account.phone')} value={account.phone} mono />
          <Fact label={t('account.previousLogin')} value={momentOf(account.previousSuccessfulLoginDate)} mono />
          <Fact label={t('account.lastFailedLogin')} value={momentOf(account.lastFailureLoginDate)} mono />
        </dl>
        <ChoiceCards
          label={t('account.channel')}
          value={channel}
          onChange={(id) => {
            saving.reset();
            setChosen(id);
          }}
          options={channels.map(({ id, icon, address, missing }) => ({
            id,
            icon,
            label: t(`account.${id}`),
            disabledReason: account[address] === null ? t(missing) : undefined,
          }))}
        />
        {saving.error !== null && (
          <p className={css['error']} role="alert">
            <Icon name="warning-circle-fill" size="s" />
            {sentenceOf(saving.error)}
          </p>
        )}
      </div>
      <WindowFoot>
        <Button onClick={handleCancel}>{t('account.cancel')}</Button>
        <Button
          kind="primary"
          busy={saving.isPending}
          disabledReason={changed ? undefined : t('account.nothingChanged')}
          onClick={() => channel !== null && saving.mutate(channel)}
        >
          {t('account.save')}
        </Button>
      </WindowFoot>
    </>
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
