import { createStore } from '#platform/store.ts';
import { createFind } from './find.store.ts';
import { createPageImages, createPageTexts, type PageImages } from './page-loader.ts';
import { createPageMarks, type PageMarks } from './page-marks.ts';
import { createRendering } from './rendering.ts';
import {
  derive,
  initialState,
  pagesAround,
  type ShownState,
  type ViewerOptions,
  type ViewerParts,
  type ViewerState,
} from './viewer.state.ts';
import { createViewport } from './viewport.ts';
import { rotatedRight, type Zoom } from './zoom.ts';

/** A window in the background paints nothing: the rest is asked for without it. */
const opensAtLatestMs = 1_000;

/** Everything that is known of a document while it is read. */
export const createViewer = (options: ViewerOptions) => {
  const { getState, setState, subscribe } = createStore(derive(initialState(options), undefined, options));
  const update = (part: Partial<ViewerState>): void => {
    const before = getState();
    setState(derive({ ...before, ...part }, before, options));
    for (const { follow } of [loading, rendering, reading]) follow(getState(), before);
  };
  const parts: ViewerParts = { ...options, getState, update };
  const loading = createLoading(options);
  const { images, words } = loading;
  const marks = createPageMarks(options.mark);
  const reading = createReading({ ...parts, images, marks });
  const rendering = createRendering(parts);
  const viewport = createViewport(parts);
  viewport.goTo(options.startPage);
  const showPicture = (page: number): void => {
    update({ textPage: undefined });
    viewport.goTo(page);
  };
  const find = createFind({ ...parts, words, showPicture, reveal: viewport.reveal });
  const endOpening = (): void => {
    if (getState().isOpening) update({ isOpening: false });
  };
  return {
    ...options,
    ...viewport,
    getState,
    subscribe,
    images,
    words,
    find,
    showPicture,
    settle: marks.settle,
    reach: reading.reach,
    retryPage: reading.retryPage,
    retry: rendering.retry,
    /** Asks for the pages until the function that it answers is called, which gives up everything that was loaded. */
    open: () => {
      rendering.start();
      find.open();
      const timer = setTimeout(endOpening, opensAtLatestMs);
      return () => {
        clearTimeout(timer);
        for (const { close } of [rendering, find, loading]) close();
      };
    },
    setZoom: (zoom: Zoom) => update({ zoom }),
    rotate: () => update({ rotation: rotatedRight(getState().rotation) }),
    showText: (textPage: number) => update({ textPage }),
    /** The image of a page is on the screen: only then can the page have been read. */
    drawn: (page: number, picture: HTMLImageElement) => {
      reading.drawn(page, picture.src);
      if (getState().isOpening) void untilPainted(picture).then(endOpening);
    },
    /** Besides those around the reader: pages whose images are to be there. */
    showThumbnails: (thumbnails: readonly number[]) => update({ thumbnails }),
  };
};

/** The images and texts of the pages around the one that is read. */
const createLoading = ({ source, count }: ViewerOptions) => {
  const images = createPageImages(source.load, source.embedded);
  const words = createPageTexts(source.text);
  let held: readonly unknown[] = [];
  let isClosed = false;
  const follow = ({ visible: { current }, urls, thumbnails, layout, isOpening }: ShownState): void => {
    // Parts of the window that go after the viewer still tell it.
    if (isClosed) return;
    const hasWords = layout !== undefined && !isOpening;
    const now = [current, urls, thumbnails, hasWords];
    if (now.every((part, index) => part === held[index])) return;
    held = now;
    const around = pagesAround(current, count);
    images.hold([...new Set([...around, ...thumbnails])], urls);
    if (hasWords) words.hold(around);
  };
  const close = (): void => {
    isClosed = true;
    images.close();
    words.close();
  };
  return { images, words, follow, close };
};

/** Which pages were reached: those that lie in view with their image drawn, or say there that they cannot be shown. */
const createReading = ({ getState, update, images, marks }: ViewerParts & { readonly images: PageImages; readonly marks: PageMarks }) => {
  const drawnUrls = new Map<number, string>();
  const notShown = new Set<number>();
  const reach = (page: number, isShown = true): void => {
    const { reached } = getState();
    if (reached.has(page) && !(isShown && notShown.has(page))) return;
    if (isShown) notShown.delete(page);
    else notShown.add(page);
    marks.reach(page, isShown);
    if (!reached.has(page)) update({ reached: new Set([...reached, page]) });
  };
  const follow = ({ visible: { seen }, rendering: { failed } }: ShownState): void => {
    for (const page of seen) {
      const image = images.pageOf(page);
      // An image that was given up and is being fetched anew has another address.
      if (image.state === 'shown' && drawnUrls.get(page) === image.value) reach(page);
      else if (image.state !== 'shown' && failed.has(page)) reach(page, false);
    }
  };
  /** A page that could not be shown is shown after all. */
  const recover = (page: number): void => {
    const { rendering } = getState();
    const url = rendering.failed.get(page)?.url;
    if (url === undefined) return;
    const failed = new Map([...rendering.failed].filter(([other]) => other !== page));
    update({ rendering: { ...rendering, failed, urls: new Map([...rendering.urls, [page, url]]) } });
  };
  const retryPage = (page: number): void => {
    const { rendering, retriedUrls } = getState();
    const url = rendering.failed.get(page)?.url;
    if (url === undefined) return;
    if (retriedUrls.has(page)) images.retry(page);
    else update({ retriedUrls: new Map([...retriedUrls, [page, url]]) });
  };
  return {
    reach,
    follow,
    retryPage,
    drawn: (page: number, url: string) => {
      drawnUrls.set(page, url);
      recover(page);
      follow(getState());
    },
  };
};

/** The rest of the page is not to come between an image and the screen. */
const untilPainted = async (picture: HTMLImageElement): Promise<void> => {
  await picture.decode().catch(() => undefined);
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
};
