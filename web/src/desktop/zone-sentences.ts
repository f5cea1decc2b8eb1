import type { TranslationKey } from '#platform/language.ts';
import type { SnapZone } from './geometry.ts';

/** What brings a window to a half or a quarter of the screen. */
export const zoneActions: Readonly<Record<SnapZone, TranslationKey>> = {
  left: 'windows.snapLeft',
  right: 'windows.snapRight',
  'top-left': 'windows.snapTopLeft',
  'top-right': 'windows.snapTopRight',
  'bottom-left': 'windows.snapBottomLeft',
  'bottom-right': 'windows.snapBottomRight',
};

/** Where the window is then. */
export const zonePlaces: Readonly<Record<SnapZone, TranslationKey>> = {
  left: 'windows.placeLeft',
  right: 'windows.placeRight',
  'top-left': 'windows.placeTopLeft',
  'top-right': 'windows.placeTopRight',
  'bottom-left': 'windows.placeBottomLeft',
  'bottom-right': 'windows.placeBottomRight',
};
