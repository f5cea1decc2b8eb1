import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { t } from '#platform/language.ts';
import type { FocusEvent, KeyboardEvent, RefObject } from 'react';
import { Icon } from '#kit/icons/Icon.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import type { IconName } from '#kit/icons/icon-names.generated.ts';
import type { PortalEvents } from '#platform/events.ts';
import { createStore } from '#platform/store.ts';
import css from './Toasts.module.css';
import { UnbrokenNumbers } from '#kit/text/UnbrokenNumbers.tsx';

type ToastMessage = PortalEvents['alert'];

type Toast = ToastMessage & { readonly id: number };

interface ToastsProps {
  readonly queue: ReturnType<typeof createToastQueue>;
  readonly durationMs: number;
}

const mostAtOnce = 4;

/** The newest four; one with the words of an earlier one takes its place, unless that one has an action. */
export function createToastQueue() {
  const { getState: list, setState, subscribe } = createStore<readonly Toast[]>([]);
  let last = 0;
  return {
    /** Shows a message; an equal one that is still up only starts its time anew. */
    add: (message: ToastMessage) => {
      const { tone, title, detail } = message;
      const others = list().filter(
        (toast) => toast.action !== undefined || toast.tone !== tone || toast.title !== title || toast.detail !== detail,
      );
      setState([...others, { ...message, id: ++last }].slice(-mostAtOnce));
    },
    remove: (id: number) => setState(list().filter((toast) => toast.id !== id)),
    list,
    subscribe,
  };
}

/** How long what was removed can be brought back. */
const undoMs = 6_000;

const icons: Record<Toast['tone'], IconName> = {
  success: 'check-circle-fill',
  error: 'warning-circle-fill',
  info: 'info-fill',
  warning: 'warning-fill',
};

/** Messages, which stay while pointed at, focused, or while the page is hidden; errors interrupt a screen reader, Escape closes the focused. */
export function Toasts({ queue, durationMs }: ToastsProps) {
  const toasts = useSyncExternalStore(queue.subscribe, queue.list, queue.list);
  const away = useSyncExternalStore(
    subscribeVisibility,
    () => document.hidden,
    () => false,
  );
  const region = useRef<HTMLElement>(null);
  const before = useRef<Element | null>(null);
  const low = useClearOfFocus(region, toasts.length);
  const handleFocus = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof Element && !currentTarget.contains(relatedTarget)) before.current = relatedTarget;
  };
  const remove = (id: number) => {
    // A message that had the focus gives it back.
    const takesFocus = region.current?.querySelector(`[data-toast="${id}"]`)?.contains(document.activeElement);
    queue.remove(id);
    if (takesFocus && before.current instanceof HTMLElement && before.current.isConnected) before.current.focus({ preventScroll: true });
  };
  const shown = (urgent: boolean) =>
    toasts
      .filter((toast) => (toast.tone === 'error') === urgent)
      .map((toast) => <ToastCard key={toast.id} toast={toast} durationMs={durationMs} away={away} onGone={remove} />);
  return (
    // It only minds where the focus came from.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={region}
      className={css['region']}
      aria-label={t('alert.region')}
      data-region="messages"
      data-low={low || undefined}
      data-react-aria-top-layer="true"
      onFocus={handleFocus}
    >
      {/* Not atomic: a new message does not have the others read again. */}
      <div className={css['stack']} role="alert" aria-atomic="false">
        {shown(true)}
      </div>
      <div className={css['stack']} role="status" aria-atomic="false">
        {shown(false)}
      </div>
    </section>
  );
}

interface ToastCardProps {
  readonly toast: Toast;
  readonly durationMs: number;
  readonly away: boolean;
  readonly onGone: (id: number) => void;
}

const subscribeVisibility = (listener: () => void) => {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
};

function ToastCard({ toast, durationMs, away, onGone }: ToastCardProps) {
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const left = useRef(toast.action === undefined ? durationMs : Math.max(durationMs, undoMs));
  const paused = pointed || focused || away;
  const handleGone = useEffectEvent(() => onGone(toast.id));
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onGone(toast.id);
  };
  useLayoutEffect(() => {
    if (paused) return undefined;
    const since = performance.now();
    const timer = setTimeout(() => handleGone(), left.current);
    return () => {
      clearTimeout(timer);
      // Never less than a second: what was just read should not vanish the moment the pointer leaves.
      left.current = Math.max(1000, left.current - (performance.now() - since));
    };
  }, [paused]);
  return (
    // Its button has the focus; Escape there closes it as well.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={css['toast']}
      data-toast={toast.id}
      data-tone={toast.tone}
      data-paused={paused || undefined}
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      onKeyDown={handleKeyDown}
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
      {toast.action !== undefined && (
        <Button
          size="s"
          kind="quiet"
          onClick={() => {
            toast.action?.run();
            onGone(toast.id);
          }}
        >
          {toast.action.label}
        </Button>
      )}
      <IconButton icon="x" name={`${t('alert.dismiss')}: ${toast.title}`} onClick={() => onGone(toast.id)} />
    </div>
  );
}

/** Titles and fields to type into: messages lie over them only where they would hide the focus otherwise. */
const keptFree = 'h1, h2, input';

/** Whether they belong at the bottom, as they would hide the focused control (WCAG 2.4.11), a title or a field: by both places, without jumps. */
function useClearOfFocus(region: RefObject<HTMLElement | null>, shown: number): boolean {
  const [low, setLow] = useState(false);
  useEffect(() => {
    if (shown === 0) return undefined;
    const look = () => {
      const [element, focused] = [region.current, document.activeElement];
      if (element === null || focused === null || element.contains(focused)) return;
      const others = [...document.querySelectorAll(keptFree)].filter((one) => one.checkVisibility({ visibilityProperty: true }));
      const [atTop = 0, atBottom = 0] = places(element).map(
        (place) => (isHidden(focused, place) ? 2 : 0) + (others.some((one) => isHidden(one, place)) ? 1 : 0),
      );
      setLow(atBottom < atTop);
    };
    look();
    document.addEventListener('focusin', look);
    return () => document.removeEventListener('focusin', look);
  }, [region, shown]);
  return low && shown > 0;
}

/** Where the messages are at the top of the page, and where at its bottom. */
const places = (element: HTMLElement): DOMRect[] => {
  const isLow = element.hasAttribute('data-low');
  const found = [false, true].map((low) => {
    element.toggleAttribute('data-low', low);
    const { top, height } = element.getBoundingClientRect();
    const { left, width } = (element.firstElementChild ?? element).getBoundingClientRect();
    return new DOMRect(left, top, width, height);
  });
  element.toggleAttribute('data-low', isLow);
  return found;
};

/** What is larger than the messages can never be hidden by them. */
const isHidden = (one: Element, place: DOMRect): boolean => {
  const at = one.getBoundingClientRect();
  return at.top < place.bottom && at.bottom > place.top && at.left < place.right && at.right > place.left && at.height <= place.bottom;
};
