import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { Icon } from '#kit/icons/Icon.tsx';
import { t } from '#platform/language.ts';
import css from './WaysIn.module.css';

/** By what a document is verified. */
export type Way = (typeof ways)[number];

interface WaysInProps {
  readonly way: Way;
  readonly onWay: (way: Way) => void;
  /** The panel of the chosen way. */
  readonly children: ReactNode;
}

const ways = ['file', 'checksum', 'receipt'] as const;
const icons = { file: 'file-pdf', checksum: 'hash', receipt: 'certificate' } as const;

/** Tabs: arrows choose at once, as nothing is lost by it. */
export function WaysIn({ way, onWay, children }: WaysInProps) {
  const id = useId();
  const handleKey = (event: KeyboardEvent): void => {
    const at = ways.indexOf(way);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = ways.at(to % ways.length) ?? way;
    onWay(next);
    document.getElementById(`${id}-${next}`)?.focus();
  };
  return (
    <>
      <div role="tablist" aria-label={t('verify.ways')} className={css['tabs']}>
        {ways.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            id={`${id}-${one}`}
            aria-selected={one === way}
            aria-controls={one === way ? `${id}-panel` : undefined}
            tabIndex={one === way ? 0 : -1}
            onKeyDown={handleKey}
            onClick={() => onWay(one)}
          >
            <Icon name={icons[one]} />
            {t(`verify.${one}`)}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${way}`}>
        {children}
      </div>
    </>
  );
}
