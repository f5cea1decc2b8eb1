import { useEffect, useRef, useSyncExternalStore } from 'react';
import { Icon } from '../Icon.tsx';
import type { PageImages } from './page-images.ts';
import { type PageSize, sizeOf } from './page-source.ts';
import css from './Thumbnails.module.css';

interface ThumbnailsProps {
  readonly label: string;
  readonly count: number;
  readonly sizes: readonly PageSize[];
  readonly current: number;
  readonly reached: ReadonlySet<number>;
  readonly images: PageImages;
  readonly texts: { readonly pageOf: (page: number) => string; readonly reached: string };
  readonly onGo: (page: number) => void;
}

const sheetWidthPx = 92;

/** The pages at a glance, each with a tick once it was reached. Pictures of far pages are blank sheets: only pages near the reader are held. */
export function Thumbnails({ label, count, sizes, current, reached, images, texts, onGo }: ThumbnailsProps) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    list.current?.children[current - 1]?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <nav className={css['panel']} aria-label={label}>
      <ol ref={list}>
        {Array.from({ length: count }, (_, index) => index + 1).map((page) => (
          <li key={page}>
            <button
              type="button"
              className={css['thumbnail']}
              aria-current={page === current ? 'page' : undefined}
              aria-label={reached.has(page) ? `${texts.pageOf(page)}, ${texts.reached}` : texts.pageOf(page)}
              onClick={() => onGo(page)}
            >
              <ThumbnailSheet page={page} size={sizeOf(sizes, page)} images={images} />
              <span className={css['number']}>
                {page}
                {reached.has(page) && <Icon name="check-bold" size="xs" />}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function ThumbnailSheet({ page, size, images }: { readonly page: number; readonly size: PageSize; readonly images: PageImages }) {
  const image = useSyncExternalStore(images.subscribe, () => images.imageOf(page));
  const height = Math.round((sheetWidthPx * size.height) / size.width);
  return (
    <span className={css['sheet']} style={{ width: sheetWidthPx, height }}>
      {image.state === 'shown' && <img src={image.url} alt="" draggable={false} width={sheetWidthPx} height={height} />}
    </span>
  );
}
