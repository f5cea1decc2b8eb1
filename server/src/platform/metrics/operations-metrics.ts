import { Gauge, type Registry } from 'prom-client';
import type { ReadSpace } from '#platform/disk/free-space.ts';
import type { JobsStanding } from '#platform/jobs/standing.ts';
import { singleFlight } from './single-flight.ts';

export interface Observed {
  /** A pool of pg. */
  readonly pool: { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number };
  readonly readJobs: () => Promise<JobsStanding>;
  /** Of the disk of DATA_DIR. */
  readonly readSpace: ReadSpace;
}

const observePool = (registry: Registry, pool: Observed['pool']): void => {
  const connections: Gauge = new Gauge({
    name: 'pergamin_database_connections',
    help: 'Connections of this process to the database: busy, idle, and how many callers wait for one',
    labelNames: ['state'],
    registers: [registry],
    collect(): void {
      connections.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      connections.set({ state: 'idle' }, pool.idleCount);
      connections.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
};

const observeJobs = (registry: Registry, read: Observed['readJobs']): void => {
  // While the database is away, the last values stay, and other metrics are answered.
  const readOnce = singleFlight(read);
  const oldest: Gauge = new Gauge({
    name: 'pergamin_jobs_oldest_waiting_seconds',
    help: 'How long the oldest job that is due and not begun has waited',
    registers: [registry],
    async collect(): Promise<void> {
      const standing = await readOnce();
      if (standing !== undefined) oldest.set(standing.oldestSeconds);
    },
  });
  const jobs: Gauge = new Gauge({
    name: 'pergamin_jobs',
    help: 'Jobs of all processes of this database, by state: waiting, running, retried, failed',
    labelNames: ['state'],
    registers: [registry],
    async collect(): Promise<void> {
      const { oldestSeconds: _, ...counts } = (await readOnce()) ?? { oldestSeconds: 0 };
      for (const [state, count] of Object.entries(counts)) jobs.set({ state }, count);
    },
  });
};

const observeDisk = (registry: Registry, readSpace: ReadSpace): void => {
  const disk: Gauge = new Gauge({
    name: 'pergamin_disk_bytes',
    help: 'The disk of DATA_DIR: free for the portal, and total',
    labelNames: ['what'],
    registers: [registry],
    async collect(): Promise<void> {
      const space = await readSpace().catch(() => undefined);
      if (space === undefined) return;
      disk.set({ what: 'free' }, space.freeBytes);
      disk.set({ what: 'total' }, space.totalBytes);
    },
  });
};

/** What an operator watches beside the calls: connections, jobs and the disk. Read when the metrics are. */
export const observeOperations = (registry: Registry, { pool, readJobs, readSpace }: Observed): void => {
  observePool(registry, pool);
  observeJobs(registry, readJobs);
  observeDisk(registry, readSpace);
};
