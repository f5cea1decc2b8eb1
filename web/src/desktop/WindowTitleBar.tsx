import { useLayoutEffect, useRef, type KeyboardEvent, type MouseEvent, type Ref } from 'react';
import { t } from '#platform/language.ts';
import { announce } from '#kit/feedback/Announcer.tsx';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { Signet } from '#kit/seal/Signet.tsx';
import { UnbrokenNumbers } from '#kit/text/UnbrokenNumbers.tsx';
import { useDesktop } from './desktop.context.ts';
import { useDrag } from './useDrag.ts';
import { useMaximise } from './useMaximise.ts';
import { arrowDirections, useWindowKeys, type WindowKeys } from './useWindowKeys.ts';
import css from './WindowFrame.module.css';
import { PhoneWindowMenu, WindowMenu, windowKeys } from './WindowMenu.tsx';
import type { OpenWindow } from './windows.state.ts';

export interface WindowTitleBarProps {
  readonly window: OpenWindow;
  readonly phone: boolean;
  readonly titleId: string;
  readonly titleRef: Ref<HTMLHeadingElement>;
  readonly actionsRef: Ref<HTMLDivElement>;
}

export function WindowTitleBar({ window, phone, titleId, titleRef, actionsRef }: WindowTitleBarProps) {
  const desktop = useDesktop();
  const title = desktop.titleOf(window);
  const size = useMaximise(window);
  const startDrag = useDrag(window, size);
  const focusTitle = () => document.getElementById(titleId)?.focus({ preventScroll: true });
  const keys = useWindowKeys(window, focusTitle);
  const free = !window.locked && !phone;

  const close = async () => {
    if (await desktop.close(window.id)) announce(t('windows.closed', { title }));
  };
  const handleKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!free || event.ctrlKey || event.altKey || event.metaKey) return;
    const key = event.key.toUpperCase();
    const direction = arrowDirections[event.key];
    if (event.shiftKey && direction) size.step(direction);
    else if (event.shiftKey) return;
    else if (key === windowKeys.move) keys.begin('move');
    else if (key === windowKeys.resize) keys.begin('resize');
    else if (key === windowKeys.size) size.toggle();
    else if (key === windowKeys.tidy) desktop.tidy();
    else if (event.key === windowKeys.close) void close();
    else return;
    event.preventDefault();
  };
  /** The right button of the mouse, the menu key and Shift+F10 open the window's menu. */
  const handleContextMenu = (event: MouseEvent<HTMLElement>) => {
    const button = event.currentTarget.querySelector<HTMLElement>('[data-window-menu] button');
    if (!free || !button || (event.target instanceof Element && event.target.closest('button'))) return;
    event.preventDefault();
    button.click();
  };
  return (
    <header
      className={css['bar']}
      onPointerDown={free ? startDrag : undefined}
      onContextMenu={handleContextMenu}
      onDoubleClick={(event) => free && event.target instanceof Element && !event.target.closest('button') && size.toggle()}
    >
      {phone && !window.locked ? (
        <IconButton icon="arrow-left" name={t('windows.back')} onClick={() => void close()} />
      ) : (
        <Signet className={css['signet']} />
      )}
      {/* Takes keys while F6 or the window menu has put the focus on it; each of them is in the window menu too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <h2
        ref={titleRef}
        id={titleId}
        tabIndex={-1}
        className={css['title']}
        // A document's name is written as it is.
        data-own-words={desktop.kindOf(window.kind).single || undefined}
        data-region-entry=""
        onKeyDown={handleKeyDown}
      >
        {phone ? <UnbrokenNumbers text={title} /> : title}
      </h2>
      <div ref={actionsRef} className={css['actions']} />
      {phone && !window.locked && <PhoneWindowMenu id={window.id} title={title} onClose={() => void close()} />}
      {free && (
        <>
          <span className={css['menu']} data-window-menu="">
            <WindowMenu
              title={title}
              size={size}
              onMove={() => keys.begin('move')}
              onResize={() => keys.begin('resize')}
              onClose={() => void close()}
            />
          </span>
          <IconButton
            icon={window.maximised ? 'arrows-in-simple' : 'arrows-out-simple'}
            name={t(window.maximised ? 'windows.restoreNamed' : 'windows.maximiseNamed', { title })}
            onClick={size.toggle}
          />
          <IconButton icon="x" name={t('windows.closeNamed', { title })} onClick={() => void close()} />
        </>
      )}
      {keys.mode !== undefined && <KeyModeHint keys={keys} />}
    </header>
  );
}

/** Names the keys that move or resize, and takes them: outside an application a screen reader keeps arrows and letters for itself. */
function KeyModeHint({ keys }: { readonly keys: WindowKeys }) {
  const hint = useRef<HTMLParagraphElement>(null);
  const text = keys.mode === 'move' ? t('windows.moveHint') : t('windows.resizeHint');
  useLayoutEffect(() => hint.current?.focus({ preventScroll: true }), []);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- an application takes keys
    <p
      ref={hint}
      role="application"
      aria-label={text}
      tabIndex={-1}
      className={css['hint']}
      onKeyDown={keys.onKeyDown}
      onBlur={keys.onBlur}
    >
      {text}
    </p>
  );
}
