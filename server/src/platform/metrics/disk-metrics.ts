import { Gauge, type Registry } from 'prom-client';
import type { DiskStanding } from '#platform/disk/disk-watch.ts';
import { singleFlight } from './single-flight.ts';

/** Each file system that holds a folder of the portal. */
export const observeDisks = (registry: Registry, look: () => Promise<readonly DiskStanding[]>): void => {
  const read = singleFlight(look);
  const add = (name: string, help: string, valueOf: (standing: DiskStanding) => number): void => {
    const gauge: Gauge = new Gauge({
      name: `pergamin_disk_${name}`,
      help: `${help}, of the data folder and of each other folder on a disk of its own`,
      labelNames: ['folder'],
      registers: [registry],
      async collect(): Promise<void> {
        for (const standing of (await read()) ?? []) gauge.set({ folder: standing.folder }, valueOf(standing));
      },
    });
  };
  add('free_bytes', 'Bytes that the portal may still write', ({ freeBytes }) => freeBytes);
  add('free_share', 'Share of the disk that the portal may still write', ({ freeBytes, totalBytes }) =>
    totalBytes === 0 ? 0 : freeBytes / totalBytes,
  );
  add('writable', '1 when a file could be written', ({ isWritable }) => (isWritable ? 1 : 0));
};
