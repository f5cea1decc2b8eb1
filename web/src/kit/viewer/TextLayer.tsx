import type { PageText, TextFigure, TextLine } from '@pergamin/contract';
import { type CSSProperties, Fragment, memo, useMemo } from 'react';
import { languageOf } from './paragraphs.ts';
import css from './TextLayer.module.css';

/** The words of a page, unseen over its picture: to be selected, copied and read aloud in the document's own order. */
export const TextLayer = memo(function TextLayer({ text }: { readonly text: PageText }) {
  return (
    <div className={css['layer']} lang={languageOf(text)}>
      {text.lines.map((line, index) => (
        // Lines of a page never move.
        // oxlint-disable-next-line react/no-array-index-key
        <Fragment key={index}>
          <Figures text={text} before={index} />
          <Line line={line} />
        </Fragment>
      ))}
      <Figures text={text} before={text.lines.length} />
    </div>
  );
});

/** A part of a page in points, turned around its top left corner. */
export const boxStyle = ({ width, height, ...place }: Place & Pick<TextFigure, 'width' | 'height'>): CSSProperties => ({
  ...placeStyle(place),
  width: points(width),
  height: points(height),
});

type Place = Pick<TextFigure, 'x' | 'y'> & { readonly angle?: number };

const placeStyle = ({ x, y, angle = 0 }: Place): CSSProperties => ({
  left: points(x),
  top: points(y),
  ...(angle === 0 ? {} : { transform: `rotate(${angle}deg)` }),
});

/** A length on a page. `--point` is set by its sheet, so that zooming renders nothing anew. */
const points = (value: number): string => `calc(var(--point) * ${value})`;

/** Pictures that the document describes, where they stand and when they are to be read. */
const Figures = ({ text: { figures = [] }, before }: { readonly text: PageText; readonly before: number }) =>
  figures
    .filter((figure) => figure.before === before)
    .map((figure) => (
      <span
        key={`${figure.x} ${figure.y} ${figure.text}`}
        className={css['figure']}
        role="img"
        aria-label={figure.text}
        lang={figure.language}
        style={boxStyle(figure)}
      />
    ));

function Line({ line }: { readonly line: TextLine }) {
  const runs = useMemo(() => fitRuns(line), [line]);
  const style = { ...placeStyle(line), fontSize: points(fontSizeOf(line)), lineHeight: points(line.height) };
  const heading = line.heading === undefined ? {} : { role: 'heading', 'aria-level': Math.min(6, line.heading + 2) };
  return (
    <div className={css['line']} lang={line.language} dir={line.rightToLeft === true ? 'rtl' : undefined} style={style} {...heading}>
      {runs.map(({ text, spacing }, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <span key={index} style={{ letterSpacing: `${spacing.toFixed(4)}em` }}>
          {text}
        </span>
      ))}
      {/* What is copied has its lines. */}
      <br />
    </div>
  );
}

/** Of the height of a line; the rest is what stands out above and below. */
const letterHeight = 0.86;
/** The same as in TextLayer.module.css. */
const family = 'Arial, "Liberation Sans", Helvetica, sans-serif';
const measuredAtPx = 100;

const brush = new OffscreenCanvas(1, 1).getContext('2d');
if (brush !== null) Object.assign(brush, { font: `${measuredAtPx}px ${family}`, fontKerning: 'none' });
const naturalWidth = (text: string): number => (brush?.measureText(text).width ?? 0) / measuredAtPx;

/** Points. */
const fontSizeOf = ({ height }: TextLine): number => Math.max(1, height * letterHeight);

/** The runs of a line and a space for each gap between them, spaced (in em) so that each ends where the picture's does. */
const fitRuns = (line: TextLine) => {
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
