import { useState } from 'react';
import { Announcer } from '#kit/feedback/Announcer.tsx';
import { show } from '#kit/render.fixture.tsx';
import { Desktop } from './Desktop.tsx';
import { useWindowClosing, useWindowTitle } from './desktop.context.ts';
import { createDesktop, type Desktop as DesktopStore, type WindowContentProps, type WindowKind } from './desktop.store.ts';
import { Toolbar } from './Toolbar.tsx';
import { Tiles, type TileItem } from './Tiles.tsx';

/** How often the content of each window was rendered. */
export const rendered = new Map<string, number>();
/** What the closing handler of the window `asks` answers. */
export const answer: { mayClose: boolean | Promise<boolean> } = { mayClose: true };

function Plain({ params }: WindowContentProps) {
  const id = params['id'] ?? 'received';
  rendered.set(id, (rendered.get(id) ?? 0) + 1);
  return <button type="button">{`Inside ${id}`}</button>;
}
function Asks() {
  const [title, setTitle] = useState<string>();
  useWindowTitle(title);
  useWindowClosing(() => answer.mayClose);
  return (
    <button type="button" onClick={() => setTitle('Named by its content')}>
      Name it
    </button>
  );
}
function Breaks(): never {
  throw new Error('broken on purpose');
}

export const catalogue: readonly WindowKind[] = [
  { kind: 'received', title: () => 'Received', icon: 'tray-arrow-down', single: true, render: Plain },
  { kind: 'document', title: (params) => `Document ${params['id']}`, icon: 'file-text', single: false, render: Plain },
  { kind: 'statute', title: () => 'Statute', icon: 'file-text', single: true, chrome: 'none', render: Plain },
  { kind: 'asks', title: () => 'Asks', icon: 'file-text', single: true, render: Asks, size: { width: 400, height: 300 } },
  { kind: 'breaks', title: () => 'Breaks', icon: 'file-text', single: true, render: Breaks },
];

export interface Shown {
  readonly desktop: DesktopStore;
  readonly host: HTMLElement;
  readonly window: (id: string) => HTMLElement;
  readonly titleOf: (id: string) => HTMLElement;
}

export function showDesktop(storage: Storage = sessionStorage): Shown {
  const desktop = createDesktop({
    catalogue,
    keep: { storage, user: 'client' },
  });
  const tiles: readonly TileItem[] = [
    { id: 'received', label: 'Received', icon: 'tray-arrow-down-duotone', badge: { count: 120, label: '120 new' } },
    { id: 'asks', label: 'Asks', icon: 'receipt-duotone', badge: { count: 0, label: 'nothing new' } },
  ];
  const open = (id: string) => void desktop.open(id);
  const toolbar = (
    <Toolbar
      menu={[{ id: 'received', label: 'Received', icon: 'tray-arrow-down' }]}
      account={{ name: 'Anna', entries: [{ id: 'logout', label: 'Log out' }] }}
      onAction={open}
    />
  );
  const host = show(
    <>
      <Desktop
        desktop={desktop}

        toolbar={toolbar}
        tiles={<Tiles label="Tiles" items={tiles} look="column" onOpen={open} />}
        dashboard={<Tiles label="Tiles" items={tiles} look="cards" onOpen={open} />}
      />
      <Announcer />
    </>,
  );
  const element = (selector: string) => {
    const found = host.querySelector<HTMLElement>(selector);
    if (!found) throw new Error(`Nothing matches ${selector}`);
    return found;
  };
  return { desktop, host, window: (id) => element(`[data-window="${id}"]`), titleOf: (id) => element(`[data-window="${id}"] h2`) };
}
