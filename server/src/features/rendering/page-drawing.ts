import type { Log } from '#platform/log/log.ts';
import { PdfPoolClosed } from '#platform/pdf/pdf.errors.ts';
import type { PdfPool, TaskOptions } from '#platform/pdf/pdf-pool.ts';
import type { RenditionKey, Renditions } from '#platform/renditions/renditions.ts';
import { createPageFailures } from './page-failures.ts';
import { idOf, type RenderableObject, type WithCopy } from './source-copies.ts';

interface Parts {
  readonly withCopy: WithCopy;
  readonly pdf: Pick<PdfPool, 'drawPage' | 'raise'>;
  readonly renditions: Pick<Renditions, 'has' | 'put'>;
  readonly onDrawn: () => void;
  readonly log: Log;
}

export type PageDrawing = ReturnType<typeof createPageDrawing>;

/** Draws pages into the store. Single flight: one drawing per content, width and page. */
export const createPageDrawing = ({ withCopy, pdf, renditions, onDrawn, log }: Parts) => {
  const failures = createPageFailures();
  const drawing = new Map<string, { readonly task: TaskOptions; readonly done: Promise<void> }>();

  const drawNow = async (object: RenderableObject, key: RenditionKey, task: TaskOptions): Promise<void> => {
    try {
      // Another process may have drawn it meanwhile.
      if (await renditions.has(key)) return;
      await withCopy(object, async (path) => {
        const image = await pdf.drawPage({ path, page: key.page, width: key.width, task });
        await renditions.put(key, image);
      });
      failures.forget(key);
      onDrawn();
    } catch (error) {
      if (!(error instanceof PdfPoolClosed)) {
        failures.add(key, error);
        log.warn({ err: error, ...key }, 'a page could not be drawn');
      }
      throw error;
    }
  };

  /** Single flight: a second request for a page that is being rendered shares the rendering, at the more urgent priority of both. */
  const draw = (object: RenderableObject, { width, page }: { width: number; page: number }, task: TaskOptions): Promise<void> => {
    const key = { sha256: object.sha256, width, page };
    const present = drawing.get(idOf(key));
    if (present !== undefined) {
      pdf.raise(present.task, task);
      return present.done;
    }
    const done = drawNow(object, key, task).finally(() => drawing.delete(idOf(key)));
    drawing.set(idOf(key), { task, done });
    return done;
  };

  return {
    draw,
    failures: failures as Omit<typeof failures, 'add' | 'forget'>,
    settled: async (): Promise<void> => void (await Promise.allSettled([...drawing.values()].map(({ done }) => done))),
  };
};
