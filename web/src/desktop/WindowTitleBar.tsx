import type { KeyboardEvent, PointerEvent, Ref } from 'react';
import { announce } from '#kit/Announcer.tsx';
import { IconButton } from '#kit/IconButton.tsx';
import { Signet } from '#kit/Signet.tsx';
import { UnbrokenNumbers } from '#kit/UnbrokenNumbers.tsx';
import { useDesktop, useDesktopTexts } from './desktop.context.ts';
import { useMaximise } from './useMaximise.ts';
import { useWindowKeys } from './useWindowKeys.ts';
import css from './WindowFrame.module.css';
import { WindowMenu, windowKeys } from './WindowMenu.tsx';
import type { OpenWindow } from './windows.state.ts';

export interface WindowTitleBarProps {
  readonly window: OpenWindow;
  readonly phone: boolean;
  readonly titleId: string;
  readonly titleRef: Ref<HTMLHeadingElement>;
  readonly actionsRef: Ref<HTMLDivElement>;
  readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
}

export function WindowTitleBar({ window, phone, titleId, titleRef, actionsRef, onPointerDown }: WindowTitleBarProps) {
  const desktop = useDesktop();
  const texts = useDesktopTexts();
  const title = desktop.titleOf(window);
  const size = useMaximise(window);
  const keys = useWindowKeys(window);
  const free = !window.locked && !phone;

  const close = async () => {
    if (await desktop.close(window.id)) announce(texts.said.closed(title));
  };
  // The mode's keys belong to the title: it takes the focus first.
  const begin = (mode: 'move' | 'resize') => {
    document.getElementById(titleId)?.focus({ preventScroll: true });
    keys.begin(mode);
  };
  const handleKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    keys.onKeyDown(event);
    if (event.defaultPrevented || !free || event.ctrlKey || event.altKey || event.metaKey) return;
    const key = event.key.toUpperCase();
    if (key === windowKeys.move) begin('move');
    else if (key === windowKeys.resize) begin('resize');
    else if (key === windowKeys.size) size.toggle();
    else if (key === windowKeys.tidy) desktop.tidy();
    else if (event.key === windowKeys.close) void close();
    else return;
    event.preventDefault();
  };
  return (
    <header
      className={css['bar']}
      onPointerDown={onPointerDown}
      onDoubleClick={(event) => free && event.target instanceof Element && !event.target.closest('button') && size.toggle()}
    >
      {phone && !window.locked ? (
        <IconButton icon="arrow-left" name={texts.back} onClick={() => void close()} />
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
        onBlur={keys.onBlur}
      >
        {phone ? <UnbrokenNumbers text={title} /> : title}
      </h2>
      <div ref={actionsRef} className={css['actions']} />
      {free && (
        <>
          <WindowMenu
            title={title}
            maximised={window.maximised}
            onMove={() => begin('move')}
            onResize={() => begin('resize')}
            onToggleSize={size.toggle}
            onSnap={size.snap}
            onTidy={desktop.tidy}
            onClose={() => void close()}
          />
          <IconButton
            icon={window.maximised ? 'arrows-in-simple' : 'arrows-out-simple'}
            name={(window.maximised ? texts.restore : texts.maximise)(title)}
            onClick={size.toggle}
          />
          <IconButton icon="x" name={texts.close(title)} onClick={() => void close()} />
        </>
      )}
      {keys.mode !== undefined && <p className={css['hint']}>{keys.mode === 'move' ? texts.movingHint : texts.resizingHint}</p>}
    </header>
  );
}
