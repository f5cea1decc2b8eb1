import type { SnapZone } from './geometry.ts';

/** Every sentence of the window manager; it knows no language itself. */
export interface DesktopTexts {
  readonly openWindows: string;
  readonly noWindows: string;
  readonly showDesk: string;
  readonly scrollTabsBack: string;
  readonly scrollTabsOn: string;
  /** Why one of them cannot be pressed. */
  readonly tabsAtStart: string;
  readonly tabsAtEnd: string;
  readonly loading: string;
  readonly back: string;
  readonly close: (title: string) => string;
  readonly maximise: (title: string) => string;
  readonly restore: (title: string) => string;
  readonly windowMenu: (title: string) => string;
  readonly menu: {
    readonly move: string;
    readonly resize: string;
    readonly maximise: string;
    readonly restore: string;
    readonly close: string;
    readonly tidy: string;
    readonly snap: Readonly<Record<SnapZone, string>>;
  };
  /** Shown and said while the arrow keys move or resize. */
  readonly movingHint: string;
  readonly resizingHint: string;
  /** Said when it is done. */
  readonly said: {
    readonly moved: (title: string, x: number, y: number) => string;
    readonly resized: (title: string, width: number, height: number) => string;
    readonly maximised: (title: string) => string;
    readonly restored: (title: string) => string;
    readonly snapped: (title: string, zone: SnapZone) => string;
    readonly closed: (title: string) => string;
    readonly cancelled: string;
    readonly tidied: (count: number) => string;
    readonly tidyUndone: string;
  };
  readonly broken: { readonly title: string; readonly text: string; readonly again: string };
}
