import type { Log } from '#platform/log/log.ts';
import type { Renditions } from '#platform/renditions/renditions.ts';

/** Keeps page images within their limit. */
export const createSweeping = ({ renditions, log }: { renditions: Pick<Renditions, 'sweep' | 'isSweepDue'>; log: Log }) => {
  let sweeping = Promise.resolve();
  const sweep = async (): Promise<void> => {
    const swept = await renditions.sweep();
    if (swept.removedSets > 0) log.info(swept, 'the least recently used page images were removed');
    if (!swept.isWithinLimit) log.warn(swept, 'the page images in use take more than RENDITIONS_MAX_BYTES or DISK_RESERVE_PERCENT allow');
  };
  const sweepIfDue = (): void => {
    if (renditions.isSweepDue()) sweeping = sweep().catch((error: unknown) => log.warn({ err: error }, 'page images could not be swept'));
  };
  return { sweep, sweepIfDue, settled: (): Promise<void> => sweeping };
};
