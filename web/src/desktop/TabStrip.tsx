import { windowLimits } from '@pergamin/contract';
import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { announce } from '#kit/Announcer.tsx';
import { Icon } from '#kit/Icon.tsx';
import { IconButton } from '#kit/IconButton.tsx';
import { useDesktop } from './desktop.context.ts';
import css from './TabStrip.module.css';
import type { DesktopTexts } from './texts.ts';
import { focusedId, type OpenWindow, type WindowsState } from './windows.state.ts';

export interface TabStripProps {
  readonly state: WindowsState;
  readonly texts: DesktopTexts;
}

/** The open windows in opening order. Buttons with `aria-current`, not tabs: several windows are visible at once. */
export function TabStrip({ state, texts }: TabStripProps) {
  const desktop = useDesktop();
  const scroller = useRef<HTMLDivElement>(null);
  const scrolls = useOverflow(scroller);
  const focused = focusedId(state);
  const scroll = (step: number) => scroller.current?.scrollBy({ left: step, behavior: 'smooth' });
  return (
    <nav className={css['strip']} aria-label={texts.openWindows} data-region="tabs">
      <IconButton
        icon="squares-four"
        name={texts.showDesk}
        aria-pressed={state.deskShown}
        disabledReason={state.windows.length === 0 ? texts.noWindows : undefined}
        onClick={() => desktop.showDesk(!state.deskShown)}
      />
      <span className={css['rule']} />
      {state.windows.length === 0 && <p className={css['none']}>{texts.noWindows}</p>}
      {scrolls && <IconButton icon="caret-left" name={texts.scrollTabsBack} onClick={() => scroll(-windowLimits.tabScrollStepPx)} />}
      <div ref={scroller} className={css['scroller']}>
        <ul className={css['tabs']}>
          {state.windows.map((window) => (
            <Tab key={window.id} window={window} focused={window.id === focused} texts={texts} />
          ))}
        </ul>
      </div>
      {scrolls && <IconButton icon="caret-right" name={texts.scrollTabsOn} onClick={() => scroll(windowLimits.tabScrollStepPx)} />}
    </nav>
  );
}

function Tab({ window, focused, texts }: { readonly window: OpenWindow; readonly focused: boolean; readonly texts: DesktopTexts }) {
  const desktop = useDesktop();
  const tab = useRef<HTMLLIElement>(null);
  const title = desktop.titleOf(window);
  const { icon, activeIcon = icon, single } = desktop.kindOf(window.kind);
  useEffect(() => {
    if (focused) tab.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [focused]);
  const close = async () => {
    if (await desktop.close(window.id)) announce(texts.said.closed(title));
  };
  return (
    <li ref={tab} className={css['tab']} data-current={focused || undefined} onAuxClick={(event) => event.button === 1 && void close()}>
      <button
        type="button"
        className={css['name']}
        data-own-words={single || undefined}
        aria-current={focused || undefined}
        title={title}
        onClick={() => desktop.focus(window.id)}
      >
        <Icon name={focused ? activeIcon : icon} className={css['icon']} />
        <span>{title}</span>
      </button>
      <IconButton size="s" icon="x" name={texts.close(title)} onClick={() => void close()} />
    </li>
  );
}

/** Whether the tabs are wider than the window less 60 px; measured at most every 100 ms. */
function useOverflow(scroller: RefObject<HTMLElement | null>): boolean {
  const [overflows, setOverflows] = useState(false);
  useEffect(() => {
    const list = scroller.current?.firstElementChild;
    if (!list) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const measure = () => setOverflows(list.scrollWidth > innerWidth - windowLimits.tabScrollReservePx);
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(measure, windowLimits.tabScrollDebounceMs);
    };
    measure();
    const observer = new ResizeObserver(later);
    observer.observe(list);
    observer.observe(document.documentElement);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [scroller]);
  return overflows;
}
