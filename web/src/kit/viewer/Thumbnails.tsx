import { memo, useEffect, useRef, useSyncExternalStore } from 'react';
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
          <Thumbnail
            key={page}
            page={page}
            size={sizeOf(sizes, page)}
            isCurrent={page === current}
            isReached={reached.has(page)}
            images={images}
            texts={texts}
            onGo={onGo}
          />
        ))}
      </ol>
    </nav>
  );
}

interface ThumbnailProps extends Pick<ThumbnailsProps, 'images' | 'texts' | 'onGo'> {
  readonly page: number;
  readonly size: PageSize;
  readonly isCurrent: boolean;
  readonly isReached: boolean;
}

/** Rendered anew only when it becomes current or reached, or its picture comes or goes: there may be thousands. */
const Thumbnail = memo(function Thumbnail({ page, size, isCurrent, isReached, images, texts, onGo }: ThumbnailProps) {
  const image = useSyncExternalStore(images.subscribe, () => images.imageOf(page));
  const height = Math.round((sheetWidthPx * size.height) / size.width);
  return (
    <li>
      <button
        type="button"
        className={css['thumbnail']}
        aria-current={isCurrent ? 'page' : undefined}
        aria-label={isReached ? `${texts.pageOf(page)}, ${texts.reached}` : texts.pageOf(page)}
        onClick={() => onGo(page)}
      >
        <span className={css['sheet']} style={{ width: sheetWidthPx, height }}>
          {image.state === 'shown' && <img src={image.url} alt="" draggable={false} width={sheetWidthPx} height={height} />}
        </span>
        <span className={css['number']}>
          {page}
          {isReached && <Icon name="check-bold" size="xs" />}
        </span>
      </button>
    </li>
  );
});
