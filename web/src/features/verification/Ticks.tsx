import { Icon } from '#kit/icons/Icon.tsx';
import { t } from '#platform/language.ts';
import css from './Ticks.module.css';
import type { Tick } from './verdict.ts';

const marks = { ok: 'check-bold', bad: 'x-bold', open: 'minus-bold' } as const;

/** What was compared, one after the other. */
export function Ticks({ ticks }: { readonly ticks: readonly Tick[] }) {
  return (
    <ol className={css['ticks']} aria-label={t('verify.compared')}>
      {ticks.map(({ tone, title, text, value }) => (
        <li key={title} data-tone={tone}>
          <span className={css['mark']}>
            <Icon name={marks[tone]} />
          </span>
          <b>
            <span className="visually-hidden">{t(`verify.tone.${tone}`)}: </span>
            {title}
          </b>
          <p>{text}</p>
          {value !== undefined && <span className={`${css['value']} num`}>{value}</span>}
        </li>
      ))}
    </ol>
  );
}
