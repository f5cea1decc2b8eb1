import { useLayoutEffect, useRef, type KeyboardEvent, type MouseEvent, type Ref } from 'react';
import { t } from '#platform/language.ts';
import { announce } from '#kit/feedback/Announcer.tsx';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { MenuButton } from '#kit/overlays/MenuButton.tsx';
import type { MenuEntry } from '#kit/overlays/menu-entry.ts';
import { Signet } from '#kit/seal/Signet.tsx';
import { UnbrokenNumbers } from '#kit/text/UnbrokenNumbers.tsx';
import { useDesktop, useWindows } from './desktop.context.ts';
import { snapZones } from './geometry.ts';
import { useDrag } from './useDrag.ts';
import { type SizeActions, useMaximise } from './useMaximise.ts';
import { arrowDirections, useWindowKeys, type WindowKeys } from './useWindowKeys.ts';
import css from './WindowFrame.module.css';
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
            <WindowMenu title={title} size={size} begin={keys.begin} onClose={() => void close()} />
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

/** Keys that do the same while the title has the focus (F6 brings it there). */
const windowKeys = { move: 'M', resize: 'S', size: 'X', tidy: 'T', close: 'Delete' } as const;

interface WindowMenuProps extends Pick<WindowKeys, 'begin'> {
  readonly title: string;
  readonly size: SizeActions;
  readonly onClose: () => void;
}

/** Everything a pointer can do to a window, for the keyboard. */
function WindowMenu({ title, size, begin, onClose }: WindowMenuProps) {
  const { tidy } = useDesktop();
  const full = size.spot === 'full';
  const entries: MenuEntry[] = [
    { id: 'move', label: t('windows.move'), icon: 'arrows-out-cardinal', keys: windowKeys.move },
    { id: 'resize', label: t('windows.resize'), icon: 'frame-corners', keys: windowKeys.resize },
    ...(full ? [] : [{ id: 'maximise', label: t('windows.maximise'), icon: 'arrows-out-simple', keys: windowKeys.size } as const]),
    ...(size.spot === 'free'
      ? []
      : [{ id: 'loosen', label: t('windows.restore'), icon: 'arrows-in-simple', keys: full ? windowKeys.size : '⇧ ↓' } as const]),
    { separator: 'snap' },
    ...snapZones.map((zone): MenuEntry => ({ id: zone, label: t(`windows.snap.${zone}`), current: zone === size.spot })),
    { separator: 'tidy' },
    { id: 'tidy', label: t('windows.tidy'), icon: 'squares-four', keys: windowKeys.tidy },
    { separator: 'close' },
    { id: 'close', label: t('windows.close'), icon: 'x', keys: 'Del' },
  ];
  const actions: Record<string, () => void> = {
    move: () => begin('move'),
    resize: () => begin('resize'),
    maximise: size.toggle,
    loosen: size.loosen,
    tidy,
    close: onClose,
  };
  const handleAction = (id: string) => {
    const zone = snapZones.find((other) => other === id);
    if (zone) size.snap(zone);
    else actions[id]?.();
  };
  return (
    <MenuButton icon="dots-three" name={t('windows.menuOf', { title })} placement="bottom end" entries={entries} onAction={handleAction} />
  );
}

/** On a phone a window has one place only: its menu leads to the desk and to the other windows, which all stay open. */
function PhoneWindowMenu({ id, title, onClose }: { readonly id: string; readonly title: string; readonly onClose: () => void }) {
  const desktop = useDesktop();
  const others = useWindows().windows.filter((window) => window.id !== id);
  const entries: MenuEntry[] = [
    { id: 'desk', label: t('windows.showDesktop'), icon: 'squares-four' },
    ...(others.length > 0 ? [{ separator: 'windows' }] : []),
    ...others.map((window) => ({ id: `window ${window.id}`, label: desktop.titleOf(window), icon: desktop.kindOf(window.kind).icon })),
    { separator: 'close' },
    { id: 'close', label: t('windows.close'), icon: 'x' },
  ];
  const handleAction = (chosen: string) => {
    if (chosen === 'desk') desktop.showDesk(true);
    else if (chosen === 'close') onClose();
    else desktop.focus(chosen.slice('window '.length));
  };
  return (
    <MenuButton
      icon="dots-three-vertical"
      name={t('windows.menuOf', { title })}
      placement="bottom end"
      entries={entries}
      onAction={handleAction}
    />
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
