import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { t } from '#platform/language.ts';
import { announce } from '#kit/feedback/Announcer.tsx';
import { DeskPrint } from '#kit/layout/DeskPrint.tsx';
import { usePhone } from '#kit/layout/usePhone.ts';
import { DesktopContext, useDesktop, useWindows } from './desktop.context.ts';
import css from './Desktop.module.css';
import zonesCss from './DropZones.module.css';
import { type DropZone, snapZones } from './geometry.ts';
import type { Desktop as DesktopStore } from './desktop.store.ts';
import { TabStrip } from './TabStrip.tsx';
import { usePhoneBack } from './usePhoneBack.ts';
import { WindowFrame } from './WindowFrame.tsx';
import { focusedId } from './windows.state.ts';

const dropZones: readonly DropZone[] = ['full', ...snapZones];

export interface DesktopProps {
  readonly desktop: DesktopStore;
  readonly toolbar: ReactNode;
  /** The column at the left edge while windows are open. */
  readonly tiles: ReactNode;
  /** What the desk shows while none is. */
  readonly dashboard: ReactNode;
}

export function Desktop({ desktop, toolbar, tiles, dashboard }: DesktopProps) {
  return (
    <DesktopContext value={desktop}>
      <Desk toolbar={toolbar} tiles={tiles} dashboard={dashboard} />
    </DesktopContext>
  );
}

function Desk({ toolbar, tiles: column, dashboard }: Pick<DesktopProps, 'toolbar' | 'tiles' | 'dashboard'>) {
  const { attachZones } = useDesktop().geometry;
  const state = useWindows();
  const phone = usePhone();
  const surface = useRef<HTMLElement>(null);
  const [tiles, setTiles] = useState<HTMLElement | null>(null);
  useRegionKeys();
  useTidyingAnnouncement();
  usePhoneBack(phone);
  useMeasuredSurface(surface);

  const focused = focusedId(state);
  const locked = state.windows.some((window) => window.locked);
  const front = state.windows.find((window) => window.id === focused);
  const covering = front !== undefined && (front.locked || front.maximised || phone);
  const empty = focused === undefined;
  useScrollCue(tiles);
  return (
    <div className={css['desk']} data-locked={locked || undefined}>
      <DeskPrint place="corner" />
      <div className={css['toolbar']} inert={locked || (phone && covering)}>
        {toolbar}
      </div>
      <main ref={surface} className={css['surface']} data-covering={covering || undefined}>
        {/* Above the windows' second-level titles; the dashboard brings its own. */}
        {!empty && <h1 className="visually-hidden">{t('windows.openWindows')}</h1>}
        <div
          ref={setTiles}
          className={empty ? css['dashboard'] : css['tiles']}
          data-region="tiles"
          inert={covering}
          hidden={phone && !empty}
        >
          {empty ? dashboard : column}
        </div>
        {state.windows.map((window) => (
          <WindowFrame
            key={window.id}
            window={window}
            focused={window.id === focused}
            fromBack={state.order.indexOf(window.id)}
            outOfReach={empty || (covering && window.id !== focused)}
            hidden={empty || (phone && window.id !== focused)}
            phone={phone}
          />
        ))}
        {/* Where a dragged window can be dropped: marks at the edges, and the place itself once it would go there. */}
        {!phone && (
          <div ref={attachZones} className={zonesCss['zones']} aria-hidden="true">
            {['mark', 'place'].flatMap((part) =>
              dropZones.map((zone) => <span key={`${part} ${zone}`} className={zonesCss[part]} data-at={zone} />),
            )}
          </div>
        )}
      </main>
      {!phone && !locked && <TabStrip state={state} />}
    </div>
  );
}

/** Announces the result, whether a key, a menu or the palette asked for it. */
function useTidyingAnnouncement(): void {
  const { onTidied } = useDesktop();
  useEffect(
    () => onTidied(({ done, windows }) => announce(done === 'undone' ? t('windows.tidyUndone') : t('windows.tidied', { count: windows }))),
    [onTidied],
  );
}

/** Tells the geometry how large the desk is, before the first window is seen and on every change. */
function useMeasuredSurface(surface: { readonly current: HTMLElement | null }): void {
  const { geometry } = useDesktop();
  useLayoutEffect(() => {
    const element = surface.current;
    if (!element) return undefined;
    const measure = () =>
      geometry.setSurface({ width: element.clientWidth, height: element.clientHeight }, { width: innerWidth, height: innerHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [geometry, surface]);
}

/** F6 and Shift+F6 go around the regions of the page in their order: toolbar, tiles, windows, tab strip. */
function useRegionKeys(): void {
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'F6' || event.ctrlKey || event.altKey || event.metaKey) return;
      // A dialog, an open menu: the regions behind it cannot take the focus.
      if (document.querySelector(':modal')) return;
      const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(
        (region) => !region.closest('[inert], [aria-hidden="true"]') && region.checkVisibility({ visibilityProperty: true }),
      );
      if (regions.length === 0) return;
      event.preventDefault();
      const at = regions.findIndex((region) => region.contains(document.activeElement));
      const step = event.shiftKey ? -1 : 1;
      const from = at === -1 && event.shiftKey ? 0 : at;
      for (let i = 1; i <= regions.length; i++) {
        const region = regions[(from + step * i + regions.length * i) % regions.length];
        const entry =
          region?.querySelector<HTMLElement>('[data-region-entry]') ??
          region?.querySelector<HTMLElement>('button, a[href], [tabindex="0"]');
        if (!entry) continue;
        entry.focus();
        return;
      }
    };
    addEventListener('keydown', handleKeyDown);
    return () => removeEventListener('keydown', handleKeyDown);
  }, []);
}

/** Notes on an element beyond which of its edges its content goes on (`data-more`), so that the style sheet can show it. */
function useScrollCue(element: HTMLElement | null): void {
  useLayoutEffect(() => {
    if (element === null) return undefined;
    const look = () => {
      const { scrollTop, scrollHeight, clientHeight } = element;
      const above = scrollTop > 0;
      const below = scrollTop + clientHeight < scrollHeight - 1;
      const more = above && below ? 'both' : above ? 'above' : 'below';
      if (above || below) element.dataset['more'] = more;
      else delete element.dataset['more'];
    };
    const sizes = new ResizeObserver(look);
    const watchSizes = () => {
      sizes.disconnect();
      for (const one of [element, ...element.children]) sizes.observe(one);
    };
    const children = new MutationObserver(watchSizes);
    children.observe(element, { childList: true });
    watchSizes();
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      children.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [element]);
}
