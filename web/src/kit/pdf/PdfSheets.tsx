import { viewerLimits } from '@pergamin/contract';
import { type ReactNode, useEffect, useState } from 'react';
import { t } from '#platform/language.ts';
import { ProgressLabel } from '#kit/feedback/Spinner.tsx';
import { useWidth } from '#kit/layout/useWidth.ts';
import type { PdfPages } from './pdf-pages.ts';
import { PdfSheet } from './PdfSheet.tsx';
import css from './PdfSheets.module.css';
import { useReachedPages } from './useReachedPages.ts';

interface PdfSheetsProps {
  /** Undefined while it is being fetched and opened. */
  readonly pdf: PdfPages | undefined;
  /** Names the scrolling area, where a viewer of page images may be beside it. */
  readonly label?: string;
  /** Shown in place of the pages: an error, a refusal. */
  readonly instead?: ReactNode;
  /** Told of drawn pages whose end lies in view, some of them again. */
  readonly onReach?: (page: number) => void;
}

const widestPx = 900;
const gapPx = 32;
const nearMargin = '100% 0px';
const noPages: ReadonlySet<number> = new Set();

/** A PDF drawn here from its bytes, as wide as there is room (A13, F6). */
export function PdfSheets({ pdf, label = t('viewer.pages'), instead, onReach }: PdfSheetsProps) {
  const [surface, setSurface] = useState<HTMLElement | null>(null);
  const room = useWidth(surface);
  const widthPx = Math.max(0, Math.min(widestPx, room - gapPx));
  const drawnWidthPx = useRested(widthPx);
  const near = useNearPages(surface, pdf);
  const { look } = useReachedPages(surface, onReach);
  return (
    <div
      ref={setSurface}
      className={css['pages']}
      role="region"
      aria-label={label}
      aria-busy={pdf === undefined && instead === undefined}
      // Scrolled by the keys, too.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
    >
      {instead}
      {instead === undefined && pdf === undefined && (
        <div className={css['waiting']}>
          <ProgressLabel text={t('viewer.opening')} />
        </div>
      )}
      {instead === undefined &&
        pdf !== undefined &&
        Array.from({ length: pdf.count }, (_, index) => index + 1).map((page) => (
          <PdfSheet key={page} {...{ pdf, page, widthPx, drawnWidthPx }} isNear={near.has(page)} onDrawn={look} />
        ))}
    </div>
  );
}

/** The width that lasted; the first one counts at once. */
function useRested(widthPx: number): number {
  const [rested, setRested] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setRested(widthPx), viewerLimits.resizeDebounceMs);
    return () => clearTimeout(timer);
  }, [widthPx]);
  return rested === 0 ? widthPx : rested;
}

function useNearPages(surface: HTMLElement | null, pdf: PdfPages | undefined): ReadonlySet<number> {
  const [near, setNear] = useState(noPages);
  useEffect(() => {
    if (surface === null || pdf === undefined) return undefined;
    const observer = new IntersectionObserver(
      (entries) =>
        setNear((before) => {
          const pages = new Set(before);
          for (const { target, isIntersecting } of entries) {
            const page = Number(target.getAttribute('data-pdf-page'));
            if (isIntersecting) pages.add(page);
            else pages.delete(page);
          }
          return pages;
        }),
      { root: surface, rootMargin: nearMargin },
    );
    for (const sheet of surface.querySelectorAll('[data-pdf-page]')) observer.observe(sheet);
    return () => {
      observer.disconnect();
      setNear(noPages);
    };
  }, [surface, pdf]);
  return near;
}
