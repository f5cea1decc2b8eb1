import { t } from '#platform/language.ts';
import { MenuButton } from '#kit/overlays/MenuButton.tsx';
import type { MenuEntry } from '#kit/overlays/menu-entry.ts';
import { useDesktop, useWindows } from './desktop.context.ts';
import { snapZones } from './geometry.ts';
import type { SizeActions } from './useMaximise.ts';

export interface WindowMenuProps {
  readonly title: string;
  readonly size: SizeActions;
  readonly onMove: () => void;
  readonly onResize: () => void;
  readonly onClose: () => void;
}

/** Keys that do the same while the title has the focus (F6 brings it there). */
export const windowKeys = { move: 'M', resize: 'S', size: 'X', tidy: 'T', close: 'Delete' } as const;

/** Everything a pointer can do to a window, for the keyboard. */
export function WindowMenu({ title, size, onMove, onResize, onClose }: WindowMenuProps) {
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
    move: onMove,
    resize: onResize,
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
export function PhoneWindowMenu({ id, title, onClose }: { readonly id: string; readonly title: string; readonly onClose: () => void }) {
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
