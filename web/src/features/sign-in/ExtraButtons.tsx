import type { SignInOption } from '@pergamin/contract';
import { useState } from 'react';
import { Spinner } from '#kit/feedback/Spinner.tsx';
import { t } from '#platform/language.ts';
import css from './ExtraButtons.module.css';
import { serviceAddress } from './sign-in-state.ts';

interface ExtraButtonsProps {
  readonly options: readonly SignInOption[];
  readonly leaveFor: (url: string) => void;
}

/** The further ways to sign in, each in its own colours (A8). */
export function ExtraButtons({ options, leaveFor }: ExtraButtonsProps) {
  const [chosen, setChosen] = useState<string>();
  const choose = (serviceId: string) => {
    if (chosen !== undefined) return;
    setChosen(serviceId);
    void serviceAddress(serviceId).then((url) => {
      leaveFor(url);
      // Coming back by the browser's own button shows the page as it was left.
      addEventListener('pageshow', () => setChosen(undefined), { once: true });
    });
  };
  return (
    <div className={css['extra']}>
      <p className={css['or']}>{t('signIn.or')}</p>
      <div className={css['buttons']} role="group" aria-label={t('signIn.otherWays')} data-many={options.length > 2 || undefined}>
        {options.map(({ id, name, logo, icon, color }) => {
          const [backgroundColor, text] = color.split(' ');
          return (
            <button
              key={id}
              type="button"
              style={{ backgroundColor, color: text }}
              aria-busy={chosen === id || undefined}
              onClick={() => choose(id)}
            >
              {chosen === id ? <Spinner /> : [logo, icon].map((image) => image !== null && <img key={image} src={image} alt="" />)}
              {name}
            </button>
          );
        })}
      </div>
    </div>
  );
}
