import { type CSSProperties, memo, useEffect, useRef, useState } from 'react';
import { t } from '#platform/language.ts';
import type { PdfPages } from './pdf-pages.ts';
import css from './PdfSheets.module.css';

interface PdfSheetProps {
  readonly pdf: PdfPages;
  readonly page: number;
  readonly widthPx: number;
  /** For which it is drawn: follows the width once that has come to rest. */
  readonly drawnWidthPx: number;
  /** It is near to the part that is seen: only then is it drawn, and only so long are its dots kept. */
  readonly isNear: boolean;
  readonly onDrawn: () => void;
}

/** One page. Its box has the page's shape before anything is drawn, and grows with what is drawn already. */
export const PdfSheet = memo(function PdfSheet({ pdf, page, widthPx, drawnWidthPx, isNear, onDrawn }: PdfSheetProps) {
  const picture = useRef<HTMLDivElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState(pdf.usualSize);
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    const [place, words] = [picture.current, text.current];
    if (!isNear || place === null || words === null) return undefined;
    const stop = new AbortController();
    const fail = (): void => setHasFailed(true);
    pdf.sizeOf(page).then((own) => !stop.signal.aborted && setSize(own), fail);
    // A page whose words cannot be read is a picture, as it is to everybody else.
    pdf.write(page, { text: words, signal: stop.signal }).catch(() => undefined);
    return () => {
      stop.abort();
      words.replaceChildren();
      give(place);
    };
  }, [isNear, pdf, page]);
  useEffect(() => {
    const place = picture.current;
    if (!isNear || place === null || drawnWidthPx === 0) return undefined;
    const stop = new AbortController();
    pdf.draw(page, { widthPx: drawnWidthPx, signal: stop.signal }).then(
      (canvas) => {
        if (canvas === undefined) return;
        // What is there stays until the sharper one is.
        give(place);
        place.append(canvas);
        onDrawn();
        setHasFailed(false);
      },
      () => setHasFailed(true),
    );
    return () => stop.abort();
  }, [isNear, pdf, page, drawnWidthPx, onDrawn]);
  const box: CSSProperties & Record<'--total-scale-factor', number> = {
    width: widthPx,
    height: Math.round((widthPx * size.height) / size.width),
    '--total-scale-factor': widthPx / size.width,
  };
  return (
    <div className={css['sheet']} data-pdf-page={page} role="group" aria-label={t('viewer.pageOf', { page, total: pdf.count })} style={box}>
      <div ref={picture} aria-hidden="true" />
      <div ref={text} className={css['text']} lang={pdf.language} />
      {hasFailed && (
        <p className={css['failed']} role="alert">
          {t('viewer.pageFailed', { page })}
        </p>
      )}
    </div>
  );
});

/** Gives the memory of canvases back at once, and not when the browser comes to it. */
const give = (place: HTMLElement): void => {
  for (const canvas of place.querySelectorAll('canvas')) {
    canvas.width = 0;
    canvas.remove();
  }
};
