import { MenuButton } from '#kit/MenuButton.tsx';
import type { MenuEntry } from '#kit/menu-entry.ts';
import { useDesktopTexts } from './desktop.context.ts';
import { snapZones, type SnapZone } from './geometry.ts';

export interface WindowMenuProps {
  readonly title: string;
  readonly maximised: boolean;
  readonly onMove: () => void;
  readonly onResize: () => void;
  readonly onToggleSize: () => void;
  readonly onSnap: (zone: SnapZone) => void;
  readonly onTidy: () => void;
  readonly onClose: () => void;
}

/** Keys that do the same while the title has the focus (F6 brings it there). */
export const windowKeys = { move: 'M', resize: 'S', size: 'X', tidy: 'T', close: 'Delete' } as const;

/** Everything a pointer can do to a window, for the keyboard. */
export function WindowMenu({ title, maximised, onMove, onResize, onToggleSize, onSnap, onTidy, onClose }: WindowMenuProps) {
  const { menu, windowMenu } = useDesktopTexts();
  const entries: MenuEntry[] = [
    { id: 'move', label: menu.move, icon: 'arrows-out-cardinal', keys: windowKeys.move },
    { id: 'resize', label: menu.resize, icon: 'frame-corners', keys: windowKeys.resize },
    {
      id: 'size',
      label: maximised ? menu.restore : menu.maximise,
      icon: maximised ? 'arrows-in-simple' : 'arrows-out-simple',
      keys: windowKeys.size,
    },
    { separator: 'snap' },
    ...snapZones.map((zone): MenuEntry => ({ id: zone, label: menu.snap[zone] })),
    { separator: 'tidy' },
    { id: 'tidy', label: menu.tidy, icon: 'squares-four', keys: windowKeys.tidy },
    { separator: 'close' },
    { id: 'close', label: menu.close, icon: 'x', keys: 'Del' },
  ];
  const actions: Record<string, () => void> = { move: onMove, resize: onResize, size: onToggleSize, tidy: onTidy, close: onClose };
  const handleAction = (id: string) => {
    const zone = snapZones.find((other) => other === id);
    if (zone) onSnap(zone);
    else actions[id]?.();
  };
  return <MenuButton icon="dots-three" name={windowMenu(title)} placement="bottom end" entries={entries} onAction={handleAction} />;
}
