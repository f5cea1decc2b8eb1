import { viewerLimits } from '@pergamin/contract';

export interface RenderState {
  readonly status: 'rendering' | 'done' | 'failed';
  /** Percent. */
  readonly progress: number;
  /** Pages whose image can be fetched, by page number. */
  readonly urls: ReadonlyMap<number, string>;
  readonly error?: unknown;
}

export const nothingRendered: RenderState = { status: 'rendering', progress: 0, urls: new Map() };

/** F2: a second after the first answer, a second more each time, five at most. */
export const pollDelayMs = (attempt: number): number =>
  Math.min(viewerLimits.pollFirstMs + (attempt - 1) * viewerLimits.pollStepMs, viewerLimits.pollMaxMs);

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Polls until every page image is there, telling each state on the way; stops on the first error and when the signal says so. */
export const pollRendering = async (
  poll: (signal: AbortSignal) => Promise<{
    readonly done: boolean;
    readonly progress: number;
    readonly sources: readonly { readonly page: number; readonly url: string }[];
  }>,
  tell: (state: RenderState) => void,
  signal: AbortSignal,
): Promise<void> => {
  try {
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      const { done, progress, sources } = await poll(signal);
      if (signal.aborted) return;
      const isDone = done && sources.length > 0;
      tell({ status: isDone ? 'done' : 'rendering', progress, urls: new Map(sources.map(({ page, url }) => [page, url])) });
      if (isDone) return;
      await pause(pollDelayMs(attempt), signal);
    }
  } catch (error) {
    if (!signal.aborted) tell({ ...nothingRendered, status: 'failed', error });
  }
};
