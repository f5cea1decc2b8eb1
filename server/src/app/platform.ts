import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createBranding } from '#features/branding/branding.door.ts';
import { noticePlaceholders, noticeSentences } from '#features/notices/notices.door.ts';
import type { Clock } from '#platform/clock/clock.ts';
import type { OnStatement, OpenDatabase } from '#platform/database/database.ts';
import { watchDisks } from '#platform/disk/disk-watch.ts';
import { createReadSpace } from '#platform/disk/free-space.ts';
import { createReadPool } from '#platform/database/read-pool.ts';
import { openEncryption } from '#platform/encryption/open-encryption.ts';
import { createJobs } from '#platform/jobs/jobs.ts';
import { readJobsStanding } from '#platform/jobs/standing.ts';
import type { Log } from '#platform/log/log.ts';
import { outagesOf } from '#platform/log/outages.ts';
import { createMail } from '#platform/mail/create-mail.ts';
import { readMailStanding } from '#platform/mail/mail-queue.store.ts';
import type { Metrics } from '#platform/metrics/metrics.ts';
import { countShort } from '#platform/objects/object-locks.store.ts';
import { watchedObjects } from '#platform/objects/watched-objects.ts';
import { openRecognisedStore } from '#platform/objects/recognised-store.ts';
import { createPdfPool, type PdfPool } from '#platform/pdf/pdf-pool.ts';
import { createRenditions } from '#platform/renditions/renditions.ts';
import { type Settings, SettingsError } from '#platform/settings/settings.ts';
import { product } from './product.ts';

interface Parts {
  readonly settings: Settings;
  readonly log: Log;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly database: OpenDatabase;
  /** Of DATABASE_READ_URL. */
  readonly replica: OpenDatabase | undefined;
  readonly onStatement: OnStatement | undefined;
  readonly branding: Awaited<ReturnType<typeof openBranding>>;
  /** Left out: made by the settings. */
  readonly pdf?: PdfPool | undefined;
}

export const openBranding = (settings: Settings): ReturnType<typeof createBranding> =>
  createBranding({
    product,
    folder: settings.brandingDir,
    organisationName: settings.organisationName,
    timeZone: settings.timeZone,
    freeSentences: new Map(noticeSentences.map((key) => [key, noticePlaceholders])),
  });

/** Throws SettingsError. */
export const checkFonts = async ({ fontDir }: Settings): Promise<void> => {
  if (fontDir === undefined) return;
  const files = await readdir(fontDir).catch(() => undefined);
  if (files === undefined) throw new SettingsError(`FONT_DIR: the folder ${fontDir} cannot be read`);
};

export type Platform = Awaited<ReturnType<typeof openPlatform>>;

/** What the rooms are built on: stores, threads, jobs and mail. */
export const openPlatform = async (parts: Parts) => {
  const { settings, log, clock, metrics, database, branding } = parts;
  const { db, pool } = database;
  const readPool = createReadPool({ primary: pool, replica: parts.replica?.pool, onStatement: parts.onStatement, log });
  const { objects: opened, lock } = await openRecognisedStore({ db, settings });
  const store = settings.bucket === undefined ? opened : watchedObjects(opened, outagesOf(log).of('objects'));
  log.info({ objects: settings.bucket === undefined ? 'files' : 's3', lock }, 'the store of objects is that of the database');
  const { objects, sealing } = await openEncryption({ db, store, settings, log });
  const disk = { percent: settings.diskReservePercent, readSpace: createReadSpace(settings.dataDir) };
  const renditions = createRenditions({
    dir: join(settings.dataDir, 'renditions'),
    maxBytes: settings.renditionsMaxBytes,
    reserve: disk,
    sealing,
  });
  // On a full disk the start goes on; the first page tries again.
  await renditions.prepare().catch((error: unknown) => log.warn({ err: error }, 'the folder of page images could not be prepared'));
  const disks = watchDisks({
    folders: {
      data: settings.dataDir,
      objects: join(settings.dataDir, settings.bucket === undefined ? 'objects' : 'storing'),
      ledger: settings.ledgerDir,
      renditions: join(settings.dataDir, 'renditions'),
    },
    reservePercent: settings.diskReservePercent,
    log,
  });
  metrics.observeDisks(() => disks.look());
  metrics.observeRenditions(renditions);
  // Before all that asks the database in a scrape: what these wait for is no sign of a pool that is too small.
  metrics.observeOperations({ pool, readJobs: () => readJobsStanding(db), readSpace: disk.readSpace });
  metrics.observeLocks({ level: lock, countShort: () => countShort(db) });
  const pdf =
    parts.pdf ??
    createPdfPool({
      log,
      fontDir: settings.fontDir,
      onDone: (kind, ms) => metrics.timePdfTask(kind, ms),
      ...(settings.renderWorkers === undefined ? {} : { workers: settings.renderWorkers }),
    });
  const jobs = createJobs(db);
  const sentences: typeof branding.sentences = (language) => branding.sentences(language);
  const mail = createMail({ db, jobs, settings, sentences, clock, log });
  metrics.observeMail({ readMail: () => readMailStanding(db, clock.now()), contact: mail.contact });
  metrics.observeOutages(() => outagesOf(log).standing());
  return { ...parts, db, pool, readPool, objects, lock, disk, disks, renditions, pdf, jobs, sentences, mail };
};
