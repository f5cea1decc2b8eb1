import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import { Icon } from '#kit/icons/Icon.tsx';
import type { IconName } from '#kit/icons/icon-names.generated.ts';
import { t } from '#platform/language.ts';
import css from './WaysIn.module.css';

/** By what a document is verified. */
export type Way = 'file' | 'checksum' | 'receipt';

interface WaysInProps {
  readonly way: Way;
  readonly onWay: (way: Way) => void;
  /** The panel of the chosen way. */
  readonly children: ReactNode;
}

const ways: readonly {
  readonly way: Way;
  readonly icon: IconName;
  readonly label: 'verify.file' | 'verify.checksum' | 'verify.receipt';
}[] = [
  { way: 'file', icon: 'file-pdf', label: 'verify.file' },
  { way: 'checksum', icon: 'hash', label: 'verify.checksum' },
  { way: 'receipt', icon: 'certificate', label: 'verify.receipt' },
];

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Tabs: arrows choose at once, as nothing is lost by it. */
export function WaysIn({ way, onWay, children }: WaysInProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const handleKey = (event: KeyboardEvent): void => {
    const at = ways.findIndex((one) => one.way === way);
    const step = steps[event.key];
    const to = event.key === 'Home' ? 0 : event.key === 'End' ? ways.length - 1 : step === undefined ? undefined : at + step;
    const next = to === undefined ? undefined : ways[(to + ways.length) % ways.length];
    if (next === undefined) return;
    event.preventDefault();
    onWay(next.way);
    list.current?.querySelector<HTMLElement>(`[data-way="${next.way}"]`)?.focus();
  };
  return (
    <>
      <div ref={list} role="tablist" aria-label={t('verify.ways')} className={css['tabs']}>
        {ways.map((one) => (
          <button
            key={one.way}
            type="button"
            role="tab"
            id={`${id}-${one.way}`}
            data-way={one.way}
            aria-selected={one.way === way}
            aria-controls={one.way === way ? `${id}-panel` : undefined}
            tabIndex={one.way === way ? 0 : -1}
            onKeyDown={handleKey}
            onClick={() => onWay(one.way)}
          >
            <Icon name={one.icon} />
            {t(one.label)}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${way}`}>
        {children}
      </div>
    </>
  );
}
