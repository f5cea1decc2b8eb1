import { announce } from '#kit/Announcer.tsx';
import { useDesktop, useDesktopTexts } from './desktop.context.ts';
import type { SnapZone } from './geometry.ts';
import type { OpenWindow } from './windows.state.ts';

export interface SizeActions {
  readonly toggle: () => void;
  readonly snap: (zone: SnapZone) => void;
}

/** Full size and back, halves and quarters; every result is said. */
export function useMaximise(window: OpenWindow): SizeActions {
  const desktop = useDesktop();
  const { said } = useDesktopTexts();
  const title = desktop.titleOf(window);
  return {
    toggle: () => {
      if (window.maximised) desktop.restore(window.id);
      else desktop.maximise(window.id);
      announce(window.maximised ? said.restored(title) : said.maximised(title));
    },
    snap: (zone) => {
      desktop.snap(window.id, zone);
      announce(said.snapped(title, zone));
    },
  };
}
