import { windowLimits } from '@pergamin/contract';
import { memo, Suspense, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { PointerEvent, ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { t } from '#platform/language.ts';
import { announce } from '#kit/feedback/Announcer.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { Boundary } from '#kit/feedback/Boundary.tsx';
import { ErrorState } from '#kit/feedback/ErrorState.tsx';
import { Skeleton } from '#kit/feedback/Skeleton.tsx';
import { useDesktop, useWindowContext, WindowContext } from './desktop.context.ts';
import { type Edge, elevation, type Point, resizeBy } from './geometry.ts';
import { trackPointer } from './pointer-track.ts';
import css from './WindowFrame.module.css';
import { WindowTitleBar } from './WindowTitleBar.tsx';
import type { OpenWindow, WindowParams } from './windows.state.ts';

export interface WindowFrameProps {
  readonly window: OpenWindow;
  readonly focused: boolean;
  /** Place in the stack, 0 at the back. */
  readonly fromBack: number;
  /** Another window fills the surface above this one, or the desk is shown. */
  readonly outOfReach: boolean;
  readonly hidden: boolean;
  readonly phone: boolean;
}

const edges: readonly Edge[] = ['n', 's', 'e', 'w', 'nw', 'ne', 'sw', 'se'];

export const WindowFrame = memo(function WindowFrame({ window, focused, fromBack, outOfReach, hidden, phone }: WindowFrameProps) {
  const { focus, geometry } = useDesktop();
  const frame = useRef<HTMLElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const [actions, setActions] = useState<HTMLElement | null>(null);
  const titleId = useId();
  const full = window.maximised || window.locked || phone;
  const startResize = useResize(window.id);
  const value = useMemo(() => ({ id: window.id, actions }), [window.id, actions]);
  useLayoutEffect(() => (frame.current ? geometry.attach(window.id, frame.current) : undefined), [geometry, window.id]);
  // A window that was raised takes the focus on its title, unless it is inside already.
  useLayoutEffect(() => {
    if (focused && frame.current?.contains(document.activeElement) === false) title.current?.focus({ preventScroll: true });
  }, [focused]);
  // And a control that gets the focus raises its window: nothing focused is ever covered.
  const raise = () => focus(window.id);
  const depth = elevation(fromBack);
  return (
    <section
      ref={frame}
      className={css['window']}
      aria-labelledby={titleId}
      tabIndex={-1}
      data-region="window"
      data-window={window.id}
      data-focused={focused || undefined}
      data-full={full || undefined}
      data-hidden={hidden || undefined}
      data-depth={depth >= 16 ? 'near' : depth > windowLimits.elevationStart ? 'middle' : 'far'}
      inert={outOfReach}
      style={{ zIndex: windowLimits.baseZIndex + fromBack }}
      onFocusCapture={raise}
      onPointerDownCapture={raise}
    >
      <WindowTitleBar window={window} phone={phone} titleId={titleId} titleRef={title} actionsRef={setActions} />
      <WindowContext value={value}>
        <WindowBody kind={window.kind} params={window.params} />
      </WindowContext>
      {!full &&
        edges.map((edge) => (
          <div key={edge} className={css['grip']} data-edge={edge} onPointerDown={(event) => startResize(edge, event)} />
        ))}
    </section>
  );
});

function useResize(id: string): (edge: Edge, event: PointerEvent<HTMLElement>) => void {
  const { geometry, hold } = useDesktop();
  return (edge, event) => {
    if (event.button !== 0) return;
    const start: Point = { x: event.clientX, y: event.clientY };
    const before = geometry.findPlace(id);
    const putBack = hold(id);
    const rect = geometry.rectOf(id);
    let last = rect;
    trackPointer(event, {
      onMove: (point) => {
        last = resizeBy({ rect, edge, delta: { x: point.x - start.x, y: point.y - start.y }, surface: geometry.surface() });
        geometry.draw(id, last, { size: true });
      },
      onEnd: (kept) => {
        // Nothing was pulled, or the window was closed meanwhile.
        if (last === rect || !before || geometry.findPlace(id) !== before) return;
        if (kept) return geometry.moveTo(id, last);
        putBack();
        announce(t('windows.cancelled'));
      },
    });
  };
}

/** The content's boundary: focus, stacking, size and title of the window never render what stands in it. */
const WindowBody = memo(function WindowBody({ kind, params }: { readonly kind: string; readonly params: WindowParams }) {
  const { kindOf } = useDesktop();
  const Content = kindOf(kind).render;
  return (
    <div className={css['body']}>
      <Boundary fallback={brokenWindow}>
        <Suspense fallback={<Skeleton rows={8} label={t('windows.loading')} />}>
          <Content params={params} />
        </Suspense>
      </Boundary>
    </div>
  );
});

const brokenWindow = (retry: () => void) => (
  <ErrorState title={t('error.windowFailed')} text={t('error.default')} action={<Button onClick={retry}>{t('error.tryAgain')}</Button>} />
);

/** Buttons of the content in the window's title bar. */
export function WindowTitleActions({ children }: { readonly children: ReactNode }) {
  const { actions } = useWindowContext();
  return actions ? createPortal(children, actions) : null;
}

/** The foot of a window: its state at the left, buttons at the right, the primary one last. */
export function WindowFoot({ status, children }: { readonly status?: ReactNode; readonly children: ReactNode }) {
  return (
    <footer className={css['foot']}>
      <div className={css['status']}>{status}</div>
      {children}
    </footer>
  );
}
