import type { TextFigure, TextLine } from '@pergamin/contract';
import type { CSSProperties } from 'react';

/** A length on a page. `--point` is set by its sheet, so that zooming renders nothing anew. */
export const points = (value: number): string => `calc(var(--point) * ${value})`;

/** A part of a page in points, turned around its top left corner. */
export const boxStyle = ({
  x,
  y,
  width,
  height,
  angle = 0,
}: Pick<TextFigure, 'x' | 'y' | 'width' | 'height'> & { readonly angle?: number }): CSSProperties => ({
  left: points(x),
  top: points(y),
  width: points(width),
  height: points(height),
  ...(angle === 0 ? {} : { transform: `rotate(${angle}deg)` }),
});

/** Of the height of a line; the rest is what stands out above and below. */
const letterHeight = 0.86;
/** The same as in TextLayer.module.css. */
const family = 'Arial, "Liberation Sans", Helvetica, sans-serif';
const measuredAtPx = 100;

const brush = new OffscreenCanvas(1, 1).getContext('2d');
if (brush !== null) Object.assign(brush, { font: `${measuredAtPx}px ${family}`, fontKerning: 'none' });
const naturalWidth = (text: string): number => (brush?.measureText(text).width ?? 0) / measuredAtPx;

/** Points. */
export const fontSizeOf = ({ height }: TextLine): number => Math.max(1, height * letterHeight);

/**
 * The runs of a line and the gaps between them, which are spaces of their own, with letters as wide as those of the picture: the browser's own
 * font, spaced (in em) so that each run ends where the picture's does.
 */
export const fitRuns = (line: TextLine) => {
  const size = fontSizeOf(line);
  const fitted: { text: string; spacing: number }[] = [];
  let end = 0;
  const fit = (text: string, points: number): void => {
    const letters = Array.from(text).length;
    fitted.push({ text, spacing: letters === 0 ? 0 : (points / size - naturalWidth(text)) / letters });
  };
  for (const { at, text, ends } of line.runs) {
    if (fitted.length > 0) fit(' ', at - end);
    end = ends.at(-1) ?? at;
    fit(text, end - at);
  }
  return fitted;
};
