import type { DesktopTexts } from '#desktop/texts.ts';
import { t } from '#platform/language.ts';

/** The sentences of the window manager in the language of the page. */
export const desktopTexts = (): DesktopTexts => ({
  openWindows: t('windows.openWindows'),
  noWindows: t('windows.noneOpen'),
  showDesk: t('windows.showDesktop'),
  scrollTabsBack: t('windows.scrollTabsLeft'),
  scrollTabsOn: t('windows.scrollTabsRight'),
  tabsAtStart: t('windows.tabsAtStart'),
  tabsAtEnd: t('windows.tabsAtEnd'),
  loading: t('windows.loading'),
  back: t('windows.back'),
  close: (title) => t('windows.closeNamed', { title }),
  maximise: (title) => t('windows.maximiseNamed', { title }),
  restore: (title) => t('windows.restoreNamed', { title }),
  windowMenu: (title) => t('windows.menuOf', { title }),
  menu: {
    move: t('windows.move'),
    resize: t('windows.resize'),
    maximise: t('windows.maximise'),
    restore: t('windows.restore'),
    close: t('windows.close'),
    tidy: t('windows.tidy'),
    snap: {
      left: t('windows.snapLeft'),
      right: t('windows.snapRight'),
      'top-left': t('windows.snapTopLeft'),
      'top-right': t('windows.snapTopRight'),
      'bottom-left': t('windows.snapBottomLeft'),
      'bottom-right': t('windows.snapBottomRight'),
    },
  },
  movingHint: t('windows.moveHint'),
  resizingHint: t('windows.resizeHint'),
  said: {
    moved: (title, x, y) => t('windows.moved', { title, x, y }),
    resized: (title, width, height) => t('windows.resized', { title, width, height }),
    maximised: (title) => t('windows.maximised', { title }),
    restored: (title) => t('windows.restored', { title }),
    snapped: (title, zone) => t('windows.snappedTo', { title, place: t(places[zone]) }),
    closed: (title) => t('windows.closed', { title }),
    cancelled: t('windows.cancelled'),
    tidied: (count) => t('windows.tidied', { count }),
    tidyUndone: t('windows.tidyUndone'),
  },
  broken: { title: t('error.windowFailed'), text: t('error.default'), again: t('error.tryAgain') },
});

const places = {
  left: 'windows.placeLeft',
  right: 'windows.placeRight',
  'top-left': 'windows.placeTopLeft',
  'top-right': 'windows.placeTopRight',
  'bottom-left': 'windows.placeBottomLeft',
  'bottom-right': 'windows.placeBottomRight',
} as const;
