import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { calls, type DocumentType, documentType } from '@pergamin/contract';
import { safeParse } from 'zod/mini';
import { openPdf, readArguments, readMoment } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { RefusedError, UsageError } from '../errors.ts';
import { flagSentences } from '../flag-sentences.ts';
import { isTakenBack } from '../manifest-run.ts';
import { readMetadata } from '../metadata.ts';
import { tableEndings } from '../record-lines.ts';
import { readEncoding } from '#tables/table-encoding.ts';
import { type ManifestOptions, publishFolder, publishManifestFile, watchFolder, type WatchOptions } from './publish-manifest.ts';

const options = {
  type: { type: 'string' },
  cif: { type: 'string' },
  cif2: { type: 'string' },
  group: { type: 'string' },
  name: { type: 'string' },
  'unique-name': { type: 'string' },
  replaces: { type: 'string' },
  sha256: { type: 'string' },
  'added-by': { type: 'string' },
  meta: { type: 'string', multiple: true },
  files: { type: 'string' },
  report: { type: 'string' },
  'at-once': { type: 'string' },
  'dry-run': { type: 'boolean' },
  watch: { type: 'string' },
  'quiet-seconds': { type: 'string' },
  'only-ready': { type: 'boolean' },
  encoding: { type: 'string' },
  batch: { type: 'string' },
  at: { type: 'string' },
  'no-commit': { type: 'boolean' },
} as const;

const describing = ['type', 'cif', 'cif2', 'group', 'name', 'unique-name', 'replaces', 'sha256', 'added-by', 'meta'] as const;
const ofBatches = ['batch', 'at', 'no-commit'] as const;
const ofWatches = ['quiet-seconds', 'only-ready'] as const;
const ofRuns = ['files', 'report', 'at-once', 'dry-run', 'watch', 'encoding', ...ofWatches, ...ofBatches] as const;
const oneEach = ['name', 'unique-name', 'replaces', 'sha256'] as const;

type Values = ReturnType<typeof readArguments<typeof options>>['values'];

const refuseFlags = (values: Values, flags: readonly (keyof Values)[], where: string): void => {
  const given = flags.filter((flag) => values[flag] !== undefined).map((flag) => `--${flag}`);
  if (given.length > 0)
    throw new UsageError(`${given.join(', ')} ${given.length === 1 ? 'does' : 'do'} not go with ${where}\n\n${publish.usage}`);
};

const readType = (values: Values): DocumentType => {
  const type = safeParse(documentType, values.type);
  if (!type.success) throw new UsageError(`--type must be PRIVATE, GROUP or PUBLIC\n\n${publish.usage}`);
  return type.data;
};

const maxAtOnce = 32;

const readAtOnce = (text = '4'): number => {
  if (!/^[1-9]\d?$/.test(text) || Number(text) > maxAtOnce) throw new UsageError(`--at-once must be a number from 1 to ${maxAtOnce}`);
  return Number(text);
};

const maxQuietSeconds = 86_400;

const readWatch = (values: Values): WatchOptions => {
  const { 'quiet-seconds': quiet = '30', 'only-ready': onlyReady = false } = values;
  if (!/^\d{1,5}$/.test(quiet) || Number(quiet) > maxQuietSeconds)
    throw new UsageError(`--quiet-seconds must be a number from 0 to ${maxQuietSeconds}`);
  return { atOnce: readAtOnce(values['at-once']), encoding: readEncoding(values.encoding), quietMs: Number(quiet) * 1_000, onlyReady };
};

const readBatch = (values: Values): Pick<ManifestOptions, 'batch'> => {
  const { batch: name, at, 'no-commit': stays = false } = values;
  if (name === undefined) {
    refuseFlags(values, ofBatches, 'documents that are published one by one: add --batch');
    return {};
  }
  if (at !== undefined && stays) throw new UsageError(`--at does not go with --no-commit: the commit says when\n\n${publish.usage}`);
  const publishAt = at === undefined ? undefined : readMoment('--at', at);
  return { batch: { name: name === '' ? undefined : name, publishAt, commits: !stays } };
};

/** The name of a batch may be left out, which the parser of words does not know. */
const withOptionalName = (args: readonly string[]): string[] => args.map((word) => (word === '--batch' ? '--batch=' : word));

export const publish = {
  usage: `pergamin publish FILE.pdf --type PRIVATE --cif CIF [--cif2 CIF] [FLAGS]
pergamin publish FILE.pdf --type GROUP --group GROUP_ID [FLAGS]
pergamin publish FILE.pdf --type PUBLIC [FLAGS]
    Publishes one document, and says what customers may not see as you meant it, a line each.
    --type TYPE         PRIVATE (a customer's), GROUP (of a group of customers) or PUBLIC (everybody's)
    --cif CIF           the customer number of its recipient; with PRIVATE only
    --cif2 CIF          the customer number of a second recipient; with PRIVATE only
    --group GROUP_ID    the group of its recipients; with GROUP only
    --name NAME         the name that clients see; left out, that of the file
    --unique-name NAME  your own id of the document: the command can then be repeated and publishes once
    --replaces ID       publishes a new version of the document ID, which had the same recipients and is OBSOLETE from then on; also in the
                        place of a version that was cancelled or deleted
    --meta KEY=VALUE    a value of the metadata, as --meta REG_DATE=2026-11-18; may be given several times
    --sha256 HEX        the checksum that the file must have
    --added-by WHO      who added it; kept for the organisation

pergamin publish FOLDER --type TYPE [--cif CIF] [--group GROUP_ID] [--meta KEY=VALUE] [--dry-run] [--at-once N] [--report FILE]
    Publishes every PDF of a folder to the same recipients, each under its own name, which is also its unique one.

pergamin publish MANIFEST.csv|MANIFEST.xlsx|MANIFEST.jsonl [--files FOLDER|ARCHIVE.zip] [--dry-run] [--at-once N] [--report FILE]
    Publishes many documents; can be repeated, and goes on where it was interrupted. CSV and the first sheet of XLSX have the fields as their first
    line (file, type, uniqueName; optionally fileName, cif, cif2, groupId, sha256, replaces, addedBy, and metadata as meta.KEY). JSONL has
    one description per line, with file and metadata. Lines that are refused are named on standard error with code and reason, the
    others are published; then the exit code is 1.
    --files FOLDER      where the PDFs are, or a ZIP archive that holds them; left out, the folder of the manifest
    --dry-run           judges every line and publishes nothing
    --at-once N         files that are sent concurrently (4)
    --report FILE       writes a CSV table with what became of each line
    --encoding NAME     of CSV and JSONL: utf-8 (left out), windows-1250 or utf-16

pergamin publish MANIFEST|FOLDER … --batch[=NAME] [--at MOMENT] [--no-commit]
    Sends the documents into a batch, which is published when all of them are there and none was refused; until then customers see nothing of
    it. Waits until it is published. Interrupted anywhere, the command is repeated and goes on. When lines are refused, nothing is published.
    --batch[=NAME|ID]   the name of the batch, or the id of one that there is; left out, that of the manifest and its checksum
    --at MOMENT         publishes it from then on, written like 2026-12-01T06:00:00+01:00, and does not wait
    --no-commit         sends the documents only: see pergamin batches commit

pergamin publish --watch FOLDER [--quiet-seconds N] [--only-ready] [--encoding NAME] [--at-once N]
    Publishes each manifest that is put into the folder, with the PDFs beside it or in a ZIP archive of its name, and moves it with its report to
    FOLDER/done, or to FOLDER/failed when a line was refused. It is begun when MANIFEST.csv.ready is beside it, or when it and its files have not
    changed for a while: write it under another name and rename it. Runs until it is stopped.
    --quiet-seconds N   for how long nothing of it may have changed (30)
    --only-ready        begins no manifest without its .ready file`,

  async run(connection: Connection, args: string[]): Promise<void> {
    const { values, positionals } = readArguments(withOptionalName(args), { options, usage: publish.usage });
    const [path, ...more] = positionals;
    if (values.watch !== undefined) {
      refuseFlags(values, [...describing, 'files', 'report', 'dry-run', ...ofBatches], '--watch');
      if (path !== undefined) throw new UsageError(`--watch takes its folder alone\n\n${publish.usage}`);
      return watchFolder(connection, values.watch, readWatch(values));
    }
    refuseFlags(values, ofWatches, 'what is published once: they are those of --watch');
    if (path === undefined || more.length > 0) throw new UsageError(`publish takes one file, folder or manifest\n\n${publish.usage}`);
    const run: ManifestOptions = {
      isDry: values['dry-run'] === true,
      atOnce: readAtOnce(values['at-once']),
      files: values.files,
      reportPath: values.report,
      encoding: readEncoding(values.encoding),
    };
    if (tableEndings.includes(extname(path).toLowerCase())) {
      refuseFlags(values, describing, 'a manifest');
      return publishManifestFile(connection, path, { ...run, ...readBatch(values) });
    }
    const isFolder = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isFolder) {
      refuseFlags(values, ofRuns, 'one file');
      return publishOne(connection, path, values);
    }
    refuseFlags(values, [...oneEach, 'files', 'encoding'], 'a folder');
    const { cif, cif2, group, 'added-by': addedBy } = values;
    const type = readType(values);
    const metadata = await readMetadata(connection, values.meta ?? []);
    const description = {
      type,
      metadata,
      ...(cif === undefined ? {} : { cif }),
      ...(cif2 === undefined ? {} : { cif2 }),
      ...(group === undefined ? {} : { groupId: group }),
      ...(addedBy === undefined ? {} : { addedBy }),
    };
    return publishFolder(connection, path, { ...run, ...readBatch(values), description });
  },
};

const publishOne = async (connection: Connection, path: string, values: Values): Promise<void> => {
  const type = readType(values);
  const file = await openPdf(path);
  const description = {
    type,
    fileName: values.name ?? basename(path),
    uniqueName: values['unique-name'],
    replaces: values.replaces,
    cif: values.cif,
    cif2: values.cif2,
    groupId: values.group,
    sha256: values.sha256,
    addedBy: values['added-by'],
    metadata: await readMetadata(connection, values.meta ?? []),
  };
  const form = new FormData();
  form.set('description', JSON.stringify(description));
  form.set('file', file, basename(path));
  const document = await connection.call(calls.publishDocument, { form });
  if (document.repeated && isTakenBack(document.state))
    throw new RefusedError(`published before as ${document.id}, which is ${document.state} and does not come back`);
  process.stdout.write(
    `${document.repeated ? 'already published' : 'published'} ${document.id}\n  SHA-256 ${document.sha256}\n  ${document.pageCount} pages, ${document.size} bytes\n`,
  );
  if (document.state !== 'ACTIVE') process.stdout.write(`  its state is ${document.state}\n`);
  for (const flag of document.flags) process.stdout.write(`  ${flag}: ${flagSentences[flag]}\n`);
};
