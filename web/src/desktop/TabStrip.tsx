import { windowLimits } from '@pergamin/contract';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent, MouseEvent, RefObject } from 'react';
import { t } from '#platform/language.ts';
import { announce } from '#kit/feedback/Announcer.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { useDesktop } from './desktop.context.ts';
import { closeInList, focusDesk } from './focus-return.ts';
import { isStill } from './motion.ts';
import css from './TabStrip.module.css';
import { focusedId, type OpenWindow, type WindowsState } from './windows.state.ts';

/** The open windows in opening order. Buttons with `aria-current`, not tabs: several windows are visible at once. */
export function TabStrip({ state }: { readonly state: WindowsState }) {
  const desktop = useDesktop();
  const scroller = useRef<HTMLDivElement>(null);
  const { overflows, atStart, atEnd } = useTabScroll(scroller);
  const focused = focusedId(state);
  return (
    <nav className={css['strip']} aria-label={t('windows.openWindows')} data-region="tabs">
      <IconButton
        icon="squares-four"
        name={t('windows.showDesktop')}
        aria-pressed={state.deskShown}
        disabledReason={state.windows.length === 0 ? t('windows.noneOpen') : undefined}
        onClick={() => desktop.showDesk(!state.deskShown)}
      />
      <span className={css['rule']} />
      {state.windows.length === 0 && <p className={css['none']}>{t('windows.noneOpen')}</p>}
      {overflows && (
        <IconButton
          icon="caret-left"
          name={t('windows.scrollTabsLeft')}
          disabledReason={atStart ? t('windows.tabsAtStart') : undefined}
          onClick={() => scrollTabs(scroller.current, -1)}
        />
      )}
      <div ref={scroller} className={css['scroller']} data-more-before={!atStart || undefined} data-more-after={!atEnd || undefined}>
        {/* Tab goes through all of it; these keys are a shorter way. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <ul className={css['tabs']} onKeyDown={goAlong}>
          {state.windows.map((window) => (
            <Tab key={window.id} window={window} focused={window.id === focused} />
          ))}
        </ul>
      </div>
      {overflows && (
        <IconButton
          icon="caret-right"
          name={t('windows.scrollTabsRight')}
          disabledReason={atEnd ? t('windows.tabsAtEnd') : undefined}
          onClick={() => scrollTabs(scroller.current, 1)}
        />
      )}
    </nav>
  );
}

function Tab({ window, focused }: { readonly window: OpenWindow; readonly focused: boolean }) {
  const desktop = useDesktop();
  const tab = useRef<HTMLLIElement>(null);
  const title = desktop.titleOf(window);
  const { icon, activeIcon = icon, single } = desktop.kindOf(window.kind);
  useLayoutEffect(() => {
    if (focused) tab.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [focused]);
  const close = async (byKeyboard: boolean) => {
    const closed = byKeyboard
      ? await closeInList(tab.current, () => desktop.close(window.id, { focus: 'stays' }), focusDesk)
      : await desktop.close(window.id);
    if (closed) announce(t('windows.closed', { title }));
  };
  const handleMiddle = (event: MouseEvent) => {
    if (event.button !== 1) return;
    if (event.type === 'auxclick') void close(false);
    // Pressed, it would begin to scroll.
    else event.preventDefault();
  };
  return (
    // The middle button is a short way to the button that closes.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li ref={tab} className={css['tab']} data-current={focused || undefined} onMouseDown={handleMiddle} onAuxClick={handleMiddle}>
      <button
        type="button"
        className={css['name']}
        data-own-words={single || undefined}
        data-tab=""
        data-region-entry={focused ? '' : undefined}
        aria-current={focused || undefined}
        title={title}
        onClick={() => desktop.focus(window.id)}
        onKeyDown={(event) => event.key === 'Delete' && void close(true)}
      >
        <Icon name={focused ? activeIcon : icon} className={css['icon']} />
        <span>{title}</span>
      </button>
      <IconButton
        size="s"
        icon="x"
        name={t('windows.closeNamed', { title })}
        data-closes=""
        // `detail` counts the presses of a pointer: none, so it was a key.
        onClick={(event) => void close(event.detail === 0)}
      />
    </li>
  );
}

function goAlong(event: KeyboardEvent<HTMLElement>): void {
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-tab]')];
  const at = tabs.findIndex((tab) => tab.closest('li')?.contains(document.activeElement));
  const steps: Record<string, number> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 };
  const to = tabs[steps[event.key] ?? -1];
  if (!to) return;
  event.preventDefault();
  to.focus();
}

/** How far the tabs are scrolled, measured 100 ms after the last change. */
function useTabScroll(scroller: RefObject<HTMLElement | null>) {
  const [scroll, setScroll] = useState({ overflows: false, atStart: true, atEnd: true });
  useEffect(() => {
    const element = scroller.current;
    const list = element?.firstElementChild;
    if (!element || !list) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let width = element.clientWidth;
    const measure = () => {
      // The scroll buttons came or the browser became narrower: the tab in front stays in view.
      if (element.clientWidth !== width)
        element.querySelector('li:has([aria-current])')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      width = element.clientWidth;
      const next = {
        overflows: list.scrollWidth > innerWidth - windowLimits.tabScrollReservePx,
        // Half a pixel: a scroll position need not be a whole number.
        atStart: element.scrollLeft < 1,
        atEnd: element.scrollLeft > element.scrollWidth - element.clientWidth - 1,
      };
      setScroll((now) => (now.overflows === next.overflows && now.atStart === next.atStart && now.atEnd === next.atEnd ? now : next));
    };
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(measure, windowLimits.tabScrollDebounceMs);
    };
    measure();
    const observer = new ResizeObserver(later);
    for (const watched of [list, element, document.documentElement]) observer.observe(watched);
    element.addEventListener('scroll', later, { passive: true });
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      element.removeEventListener('scroll', later);
    };
  }, [scroller]);
  return scroll;
}

function scrollTabs(scroller: HTMLElement | null, steps: 1 | -1): void {
  scroller?.scrollBy({ left: steps * windowLimits.tabScrollStepPx, behavior: isStill() ? 'auto' : 'smooth' });
}
