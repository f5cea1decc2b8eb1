import { useOfWidth } from './useWidth.ts';

/** Whether an element has less room than `belowPx`, counted at the usual text size: larger text needs more of it. */
export function useNarrow(element: HTMLElement | null, belowPx: number): boolean {
  return useShortOf(element, [belowPx]) > 0;
}

/** How many of these widths are more than an element has, counted as for `useNarrow`; none until it was measured. */
export function useShortOf(element: HTMLElement | null, widthsPx: readonly number[]): number {
  return useOfWidth(element, ({ px, atUsualTextPx }) => (px === 0 ? 0 : widthsPx.filter((widthPx) => atUsualTextPx < widthPx).length));
}
