import type { PageText, TextLine } from '@pergamin/contract';
import { type CSSProperties, Fragment, memo, useMemo } from 'react';
import { languageOf } from './page-texts.ts';
import { boxStyle, fitRuns, fontSizeOf, points } from './text-fit.ts';
import css from './TextLayer.module.css';

/**
 * The words of a page, unseen over its picture: to be selected, copied and read aloud in the document's own order. Lengths are multiples of
 * `--point`, which the sheet sets, so that zooming renders nothing anew.
 */
export const TextLayer = memo(function TextLayer({ text }: { readonly text: PageText }) {
  const language = useMemo(() => languageOf(text), [text]);
  return (
    <div className={css['layer']} lang={language}>
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
  const place: CSSProperties = {
    left: points(line.x),
    top: points(line.y),
    fontSize: points(fontSizeOf(line)),
    lineHeight: points(line.height),
    ...(line.angle === 0 ? {} : { transform: `rotate(${line.angle}deg)` }),
  };
  const heading = line.heading === undefined ? {} : { role: 'heading', 'aria-level': Math.min(6, line.heading + 2) };
  return (
    <div className={css['line']} lang={line.language} dir={line.rightToLeft === true ? 'rtl' : undefined} style={place} {...heading}>
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
