import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, extname, resolve } from 'node:path';
import type { DocumentType, MetadataValue } from '@pergamin/contract';
import { type BatchOptions, publishInBatch } from '../batch-run.ts';
import type { Connection } from '../connection.ts';
import { RefusedError, UsageError } from '../errors.ts';
import { countLines, type ManifestJob, runManifest, summaryOf } from '../manifest-command.ts';
import { filesBeside, stateOfFiles } from '../files-beside.ts';
import { openManifestFiles } from '../manifest-files.ts';
import { type ManifestLine, readManifest } from '../manifest-lines.ts';
import { watchManifests } from '../manifest-watch.ts';
import { readMetadataTypes } from '../metadata.ts';
import type { TableEncoding } from '#tables/table-encoding.ts';
import { stateOfFile } from '#tables/table-rows.ts';

export interface ManifestOptions {
  readonly isDry: boolean;
  readonly atOnce: number;
  /** A folder or an archive; left out, the folder of the manifest. */
  readonly files: string | undefined;
  readonly reportPath: string | undefined;
  readonly encoding: TableEncoding;
  /** Left out, each document is published by itself. Without a name, the batch gets one that stays the same while nothing else is to be sent. */
  readonly batch?: Omit<BatchOptions, 'name'> & { readonly name: string | undefined };
}

/** Aborted by the first Ctrl-C or by the system's wish to stop; a second one ends the process at once. */
const stopSignal = (): AbortSignal => {
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());
  return stopping.signal;
};

/** `use` is over before the files are closed. */
const withJob = async <T>(
  connection: Connection,
  manifest: string,
  {
    isDry,
    atOnce,
    files: given,
    reportPath,
    encoding,
    signal,
    use,
  }: ManifestOptions & { signal: AbortSignal; use: (job: ManifestJob) => Promise<T> },
): Promise<T> => {
  const types = await readMetadataTypes(connection);
  const begun = await stateOfFile(manifest);
  const isChanged = async (): Promise<boolean> => (await stateOfFile(manifest)) !== begun;
  const lines = await readManifest(manifest, { types, encoding });
  const total = await countLines(manifest);
  await using files = await openManifestFiles(given ?? dirname(manifest));
  return await use({ lines, total, files, connection, isDry, atOnce, reportPath, isChanged, signal });
};

const checksumLength = 12;

const publishJob = async (job: ManifestJob, batch: ManifestOptions['batch'], findName: () => Promise<string> | string): Promise<void> => {
  if (batch !== undefined && !job.isDry) return publishInBatch(job, { ...batch, name: batch.name ?? (await findName()) });
  const counts = await runManifest(job);
  process.stdout.write(`${summaryOf(counts, job)}\n`);
  if (counts.refused > 0) throw new RefusedError(counts.refused === 1 ? '1 line was refused' : `${counts.refused} lines were refused`);
  if (await job.isChanged?.()) throw new RefusedError('the manifest was changed meanwhile: repeat the command when it is complete');
};

/** The same manifest is the same batch; next month's, in a file of this name, is another one. */
const nameOfManifest = async (manifest: string): Promise<string> => {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(manifest) as AsyncIterable<Buffer>) hash.update(chunk);
  return `${basename(manifest).slice(0, 100)} ${hash.digest('hex').slice(0, checksumLength)}`;
};

export const publishManifestFile = (connection: Connection, manifest: string, options: ManifestOptions): Promise<void> =>
  withJob(connection, manifest, {
    ...options,
    signal: stopSignal(),
    use: (job) => publishJob(job, options.batch, () => nameOfManifest(manifest)),
  });

/** Said once of all files of a folder. */
export interface FolderDescription {
  readonly type: DocumentType;
  readonly cif?: string | undefined;
  readonly cif2?: string | undefined;
  readonly groupId?: string | undefined;
  readonly addedBy?: string | undefined;
  readonly metadata: Record<string, MetadataValue>;
}

/** The PDFs of a folder, each under its own name, which is also its unique one. */
export const publishFolder = async (
  connection: Connection,
  folder: string,
  { description, ...options }: ManifestOptions & { description: FolderDescription },
): Promise<void> => {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() && extname(entry.name).toLowerCase() === '.pdf').map(({ name }) => name);
  if (names.length === 0) throw new UsageError(`${folder} has no PDF in it`);
  const records = names
    .toSorted()
    .map((name) => ({ ...description, file: name, fileName: name.normalize(), uniqueName: name.normalize() }));
  const lines = async function* (): AsyncGenerator<ManifestLine> {
    for (const [index, record] of records.entries()) yield { line: index + 1, record };
  };
  const nameOfFolder = (): string => {
    const checksum = createHash('sha256').update(JSON.stringify(records)).digest('hex').slice(0, checksumLength);
    return `${basename(resolve(folder)).slice(0, 100)} ${checksum}`;
  };
  await using files = await openManifestFiles(folder);
  const { isDry, atOnce, reportPath, batch } = options;
  const job = { lines: lines(), total: names.length, files, connection, isDry, atOnce, reportPath, signal: stopSignal() };
  await publishJob(job, batch, nameOfFolder);
};

export interface WatchOptions {
  readonly atOnce: number;
  readonly encoding: TableEncoding;
  readonly quietMs: number;
  readonly onlyReady: boolean;
}

/** Until it is stopped. */
export const watchFolder = async (connection: Connection, folder: string, options: WatchOptions): Promise<void> => {
  const { atOnce, encoding, quietMs, onlyReady } = options;
  const signal = stopSignal();
  const say = (text: string): void => void process.stderr.write(`${text}\n`);
  await readdir(folder).catch((error: unknown) => {
    throw new UsageError(`${folder} is not a readable folder`, { cause: error });
  });
  say(`watching ${folder}`);
  await watchManifests({
    folder,
    say,
    signal,
    quietMs,
    onlyReady,
    stateOfFiles: (manifest) => stateOfFiles(manifest, encoding),
    async publish(manifest, reportPath) {
      const files = await filesBeside(manifest);
      const run = { isDry: false, atOnce, files, reportPath, encoding, signal, use: runManifest };
      const counts = await withJob(connection, manifest, run);
      say(`${basename(manifest)}: ${summaryOf(counts, { isDry: false })}`);
      return counts.refused === 0;
    },
  });
};
