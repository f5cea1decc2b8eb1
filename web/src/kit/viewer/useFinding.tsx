import { type ReactNode, type RefObject, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { announce } from '#kit/feedback/Announcer.tsx';
import { boxesOf, type Hit, type MarkBox } from './find-text.ts';
import { FoundMarks } from './FoundMarks.tsx';
import { sizeOf } from './page-source.ts';
import { type Find, useFind } from './useFind.ts';
import type { Scrolling } from './usePagesInView.ts';
import type { Viewer } from './useViewer.ts';
import { partOf, type Rotation } from './zoom.ts';

interface FindingOptions {
  readonly viewer: Pick<Viewer, 'words' | 'count' | 'sizes'>;
  readonly texts: { readonly findNothing: string; readonly findTold: (at: number, total: number, page: number) => string };
  readonly current: number;
  readonly rotation: Rotation;
  readonly scrolling: Scrolling;
  readonly isLaidOut: boolean;
  readonly wordsSearched: string | undefined;
  readonly startPage: number;
  readonly onOpen: () => void;
}

export interface Finding extends Find {
  readonly field: RefObject<HTMLInputElement | null>;
  /** Opens the bar, or takes the focus back to it, and marks what is written there. */
  readonly start: () => void;
  readonly toggle: () => void;
  readonly marksOf: (page: number) => ReactNode;
}

interface Pending {
  readonly page: number;
  readonly box: MarkBox;
}

/** Finding in the document as it is seen, heard and reached: marks on the pages, the place in view, the focus in the bar and back. */
export function useFinding(options: FindingOptions): Finding {
  const { viewer, texts, current, rotation, scrolling, isLaidOut, wordsSearched, startPage, onOpen } = options;
  const { words, count, sizes } = viewer;
  const field = useRef<HTMLInputElement>(null);
  const before = useRef<HTMLElement>(undefined);
  const [pending, setPending] = useState<Pending>();

  const handleShow = useCallback(
    (hit: Hit): void => {
      const show = async (): Promise<void> => {
        const [box] = boxesOf(hit, await words.read(hit.page, new AbortController().signal));
        if (box !== undefined) setPending({ page: hit.page, box });
      };
      // The page was read a moment ago; when it cannot be now, its place is not shown, and the next one may be.
      show().catch(() => undefined);
    },
    [words],
  );
  const handleTell = (at: number, hits: readonly Hit[]): void => {
    const hit = hits[at];
    announce(hit === undefined ? texts.findNothing : texts.findTold(at + 1, hits.length, hit.page));
  };
  const find = useFind({ words, count, current, wordsSearched, startPage, onShow: handleShow, onTell: handleTell });

  const reveal = useEffectEvent(({ page, box }: Pending) => {
    scrolling.reveal(page, partOf(box, sizeOf(sizes, page), rotation));
  });
  const revealed = useRef<Pending>(undefined);
  useEffect(() => {
    if (pending === undefined || !isLaidOut || revealed.current === pending) return;
    revealed.current = pending;
    reveal(pending);
  }, [pending, isLaidOut]);

  useEffect(() => {
    if (!find.isOpen || before.current === undefined) return;
    field.current?.focus();
    field.current?.select();
  }, [find.isOpen]);
  const start = (): void => {
    if (!find.isOpen && document.activeElement instanceof HTMLElement) before.current = document.activeElement;
    onOpen();
    find.open();
    field.current?.focus();
    field.current?.select();
  };
  const close = (): void => {
    const isWithin = field.current?.closest('[role="search"]')?.contains(document.activeElement) ?? false;
    find.close();
    if (isWithin && before.current?.isConnected) before.current.focus();
    else if (isWithin) document.querySelector<HTMLElement>('[data-focused] [data-surface]')?.focus();
    before.current = undefined;
  };
  const byPage = useMemo(() => Map.groupBy(find.hits, ({ page }) => page), [find.hits]);
  const chosen = find.hits[find.at];
  const marksOf = (page: number): ReactNode => {
    const hits = find.isOpen ? byPage.get(page) : undefined;
    return hits && <FoundMarks page={page} hits={hits} current={chosen?.page === page ? chosen : undefined} words={words} />;
  };
  return { ...find, field, start, close, toggle: find.isOpen ? close : start, marksOf };
}
