import { type RenderResult, viewerLimits } from '@pergamin/contract';

export interface FailedPage {
  /** Of its image, where another attempt may succeed. */
  readonly url?: string | undefined;
}

export interface RenderState {
  readonly status: 'rendering' | 'done' | 'failed';
  /** Percent. */
  readonly progress: number;
  /** Pages whose image can be fetched, by page number. */
  readonly urls: ReadonlyMap<number, string>;
  readonly failed: ReadonlyMap<number, FailedPage>;
  readonly error?: unknown;
}

export const nothingRendered: RenderState = { status: 'rendering', progress: 0, urls: new Map(), failed: new Map() };

/** F2: a second after the first answer, a second more each time, five at most. */
export const pollDelayMs = (attempt: number): number =>
  Math.min(viewerLimits.pollFirstMs + (attempt - 1) * viewerLimits.pollStepMs, viewerLimits.pollMaxMs);

/** The wait between two polls, which can be cut short when there is something else to ask for. */
export const createPollDelay = () => {
  let isSkipped = false;
  let wake: (() => void) | undefined;
  return {
    skip: (): void => {
      isSkipped = true;
      wake?.();
    },
    /** Answers whether the wait was cut short. */
    wait: async (ms: number, signal: AbortSignal): Promise<boolean> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      const timer = setTimeout(resolve, isSkipped ? 0 : ms);
      signal.addEventListener('abort', () => resolve(), { once: true });
      await promise;
      clearTimeout(timer);
      const was = isSkipped;
      isSkipped = false;
      return was;
    },
  };
};

interface Polling {
  readonly poll: (signal: AbortSignal) => Promise<RenderResult>;
  readonly tell: (state: RenderState) => void;
  readonly signal: AbortSignal;
  readonly delay?: ReturnType<typeof createPollDelay>;
}

/** Polls until every page image is there or has failed, telling each state on the way; stops on the first error and when the signal says so. */
export const pollRendering = async ({ poll, tell, signal, delay = createPollDelay() }: Polling): Promise<void> => {
  try {
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      const { done, progress, sources, failed = [] } = await poll(signal);
      if (signal.aborted) return;
      const isDone = done && sources.length + failed.length > 0;
      tell({
        status: isDone ? 'done' : 'rendering',
        progress,
        urls: new Map(sources.map(({ page, url }) => [page, url])),
        failed: new Map(failed.map(({ page, ...rest }) => [page, rest])),
      });
      if (isDone) return;
      if (await delay.wait(pollDelayMs(attempt), signal)) attempt = 0;
    }
  } catch (error) {
    if (!signal.aborted) tell({ ...nothingRendered, status: 'failed', error });
  }
};
