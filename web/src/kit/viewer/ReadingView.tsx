import { memo, useEffect, useEffectEvent, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { t } from '#platform/language.ts';
import { Button } from '#kit/buttons/Button.tsx';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { Spinner } from '#kit/feedback/Spinner.tsx';
import { languageOf, type Paragraph, paragraphsOf } from './paragraphs.ts';
import css from './ReadingView.module.css';
import { useViewerState, type Viewer } from './useViewer.ts';

const sizes = [100, 125, 150, 200, 250, 300];
/** A page counts as reached when its beginning has come this far into the view. */
const reachedMargin = '0px 0px -20% 0px';
const nearMargin = '150% 0px';

/** The document as flowing text in letters as large as one likes: for small screens, tired eyes and screen readers. */
export function ReadingView({ viewer, startPage }: { readonly viewer: Viewer; readonly startPage: number }) {
  const { count, words } = viewer;
  const [size, setSize] = useState(125);
  const down = sizes.findLast((step) => step < size);
  const up = sizes.find((step) => step > size);
  const text = t('viewer.textSize', { percent: size });
  const article = useRef<HTMLElement>(null);
  const begin = useEffectEvent(() => {
    viewer.goTo(startPage);
    words.hold([startPage]);
  });
  useEffect(() => begin(), []);
  useEffect(() => {
    const near = new Set<number>();
    const handleNear = (entries: readonly IntersectionObserverEntry[]): void => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) near.add(pageOf(target));
        else near.delete(pageOf(target));
      }
      words.hold([...near].toSorted((a, b) => a - b));
    };
    const observer = new IntersectionObserver(handleNear, { root: article.current?.parentElement ?? null, rootMargin: nearMargin });
    for (const section of article.current?.querySelectorAll('[data-text-page]') ?? []) observer.observe(section);
    return () => observer.disconnect();
  }, [words]);
  return (
    <article ref={article} className={css['view']} style={{ fontSize: `${size}%` }}>
      <div className={css['sizes']}>
        <IconButton
          icon="minus"
          name={t('viewer.smallerText')}
          disabledReason={down ? undefined : text}
          onClick={() => setSize(down ?? size)}
        />
        <span role="status">{text}</span>
        <IconButton icon="plus" name={t('viewer.largerText')} disabledReason={up ? undefined : text} onClick={() => setSize(up ?? size)} />
      </div>
      {Array.from({ length: count }, (_, index) => index + 1).map((page) => (
        <PageAsText key={page} page={page} viewer={viewer} />
      ))}
    </article>
  );
}

const pageOf = (element: Element): number => Number(element.getAttribute('data-text-page'));

const PageAsText = memo(function PageAsText({ page, viewer }: { readonly page: number; readonly viewer: Viewer }) {
  const { count, words } = viewer;
  const said = useSyncExternalStore(words.subscribe, () => words.pageOf(page));
  const section = useRef<HTMLElement>(null);
  const paragraphs = useMemo(() => (said.state === 'shown' ? paragraphsOf(said.value) : []), [said]);
  const isReadable = paragraphs.length > 0;
  const [isInView, setIsInView] = useState(false);
  useEffect(() => {
    if (section.current === null) return undefined;
    const handleView = (entries: readonly IntersectionObserverEntry[]): void => {
      const isNow = entries.some(({ isIntersecting }) => isIntersecting);
      setIsInView(isNow);
      if (isNow) viewer.showText(page);
    };
    const observer = new IntersectionObserver(handleView, { root: section.current.closest('[data-surface]'), rootMargin: reachedMargin });
    observer.observe(section.current);
    return () => observer.disconnect();
  }, [viewer, page]);
  const hasFailed = useViewerState(viewer, ({ rendering }) => rendering.failed.has(page)) && said.state !== 'waiting' && !isReadable;
  useEffect(() => {
    // A page that is a picture has not been read here.
    if (isInView && (isReadable || hasFailed)) viewer.reach(page, !hasFailed);
  }, [isInView, isReadable, hasFailed, viewer, page]);
  return (
    <section ref={section} className={css['page']} data-text-page={page}>
      <h3>{t('viewer.pageOf', { page, total: count })}</h3>
      {said.state === 'waiting' && (
        <p className={css['waiting']}>
          <Spinner />
          <span>{t('viewer.loadingPage', { page })}</span>
        </p>
      )}
      {said.state !== 'waiting' && !isReadable && (
        <div className={css['none']}>
          <p>{hasFailed ? t('viewer.pageNotShown', { page }) : t(said.state === 'failed' ? 'viewer.textFailed' : 'viewer.noText')}</p>
          <Button size="s" onClick={() => viewer.showPicture(page)}>
            {t('viewer.showPage', { page })}
          </Button>
        </div>
      )}
      <div lang={said.state === 'shown' ? languageOf(said.value) : undefined}>
        {paragraphs.map((paragraph, index) => (
          // Paragraphs of a page never move.
          // oxlint-disable-next-line react/no-array-index-key
          <ParagraphOfPage key={index} {...paragraph} />
        ))}
      </div>
    </section>
  );
});

function ParagraphOfPage({ text, heading, language, isPicture }: Paragraph) {
  if (isPicture)
    return (
      <p className={css['picture']}>
        <span lang={document.documentElement.lang}>{t('viewer.picture')}</span>
        <span lang={language}>{text}</span>
      </p>
    );
  const level = heading === undefined ? {} : { role: 'heading', 'aria-level': Math.min(6, heading + 3), 'data-heading': heading };
  return (
    <p lang={language} {...level}>
      {text}
    </p>
  );
}
