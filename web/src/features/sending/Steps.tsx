import { Icon } from '#kit/icons/Icon.tsx';
import { t } from '#platform/language.ts';
import type { SendingState } from './sending.store.ts';
import css from './Steps.module.css';

const steps = [
  { id: 'files', label: 'sending.filesStep' },
  { id: 'summary', label: 'sending.summary' },
] as const;

/** Where the sending is. */
export function Steps({ current }: { readonly current: SendingState['step'] }) {
  const at = steps.findIndex(({ id }) => id === current);
  return (
    <ol className={css['steps']} aria-label={t('sending.steps')}>
      {steps.map(({ id, label }, i) => (
        <li key={id} aria-current={i === at ? 'step' : undefined} data-done={i < at || undefined}>
          <i aria-hidden="true">{i < at ? <Icon name="check-bold" size="xs" /> : i + 1}</i>
          {t(label)}
          {i < at && <span className="visually-hidden"> {t('sending.stepDone')}</span>}
        </li>
      ))}
    </ol>
  );
}
