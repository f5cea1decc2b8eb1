import { useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Icon } from './Icon.tsx';
import { IconButton } from './IconButton.tsx';
import type { IconName } from './icon-names.ts';
import type { Toast, ToastQueue, ToastTone } from './toast-queue.ts';
import css from './Toasts.module.css';
import { UnbrokenNumbers } from './UnbrokenNumbers.tsx';

export interface ToastsProps {
  readonly queue: ToastQueue;
  readonly durationMs: number;
  readonly texts: { readonly region: string; readonly close: string };
}

const icons: Record<ToastTone, IconName> = {
  success: 'check-circle-fill',
  error: 'warning-circle-fill',
  info: 'info-fill',
  warning: 'warning-fill',
};

/** Messages at the top centre. Errors interrupt a screen reader, the others wait; both stay while pointed at or focused. */
export function Toasts({ queue, durationMs, texts }: ToastsProps) {
  const toasts = useSyncExternalStore(queue.subscribe, queue.list);
  const shown = (urgent: boolean) =>
    toasts
      .filter((toast) => (toast.tone === 'error') === urgent)
      .map((toast) => <ToastCard key={toast.id} toast={toast} durationMs={durationMs} close={texts.close} onGone={queue.remove} />);
  return (
    <section className={css['region']} aria-label={texts.region} data-react-aria-top-layer="true">
      <div className={css['stack']} role="alert">
        {shown(true)}
      </div>
      <div className={css['stack']} role="status">
        {shown(false)}
      </div>
    </section>
  );
}

interface ToastCardProps {
  readonly toast: Toast;
  readonly durationMs: number;
  readonly close: string;
  readonly onGone: (id: number) => void;
}

function ToastCard({ toast, durationMs, close, onGone }: ToastCardProps) {
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const left = useRef(durationMs);
  const paused = pointed || focused;
  useLayoutEffect(() => {
    if (paused) return undefined;
    const since = performance.now();
    const timer = setTimeout(() => onGone(toast.id), left.current);
    return () => {
      clearTimeout(timer);
      // Never less than a second: what was just read should not vanish the moment the pointer leaves.
      left.current = Math.max(1000, left.current - (performance.now() - since));
    };
  }, [paused, onGone, toast.id]);
  return (
    <div
      className={css['toast']}
      data-tone={toast.tone}
      data-paused={paused || undefined}
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <Icon name={icons[toast.tone]} />
      <div className={css['words']}>
        <p className={toast.detail === undefined ? undefined : css['title']}>{toast.title}</p>
        {toast.detail !== undefined && (
          <p className={css['detail']}>
            <UnbrokenNumbers text={toast.detail} />
          </p>
        )}
      </div>
      <IconButton icon="x" name={`${close}: ${toast.title}`} onClick={() => onGone(toast.id)} />
    </div>
  );
}
