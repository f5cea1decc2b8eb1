import { useEffect, useRef, useState } from 'react';
import { t } from '#platform/language.ts';
import type { PdfPages } from './pdf-pages.ts';
import css from './PublicPreview.module.css';

interface PdfPageProps {
  readonly pdf: PdfPages;
  readonly page: number;
  readonly widthPx: number;
}

/** A sheet of A4, until the page itself is known. */
const usualRatio = Math.SQRT2;

/** One page, drawn when it comes near to the part that is seen. */
export function PdfPage({ pdf, page, widthPx }: PdfPageProps) {
  const sheet = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const [ratio, setRatio] = useState(usualRatio);
  const [near, setNear] = useState(false);
  useEffect(() => {
    let gone = false;
    void pdf.ratioOf(page).then((own) => !gone && setRatio(own));
    return () => {
      gone = true;
    };
  }, [pdf, page]);
  useEffect(() => {
    const element = sheet.current;
    if (element === null) return undefined;
    const observer = new IntersectionObserver((entries) => setNear(entries.some(({ isIntersecting }) => isIntersecting)), {
      rootMargin: '100% 0px',
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (!near || canvas.current === null || text.current === null || widthPx === 0) return;
    // A page that cannot be drawn stays white; those around it can still be read.
    void pdf.draw(page, { canvas: canvas.current, text: text.current, widthPx }).catch(() => undefined);
  }, [near, pdf, page, widthPx]);
  return (
    <div
      ref={sheet}
      className={css['sheet']}
      role="group"
      aria-label={t('viewer.pageOf', { page, total: pdf.count })}
      style={{ width: widthPx, height: Math.round(widthPx * ratio) }}
    >
      <canvas ref={canvas} aria-hidden="true" />
      <div ref={text} className={css['text']} />
    </div>
  );
}
