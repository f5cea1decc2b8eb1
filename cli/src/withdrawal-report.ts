import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Sighting, Withdrawal } from '@pergamin/contract';
import { RefusedError } from './errors.ts';
import { quoted } from './manifest-report.ts';
import { onOneLine } from './one-line.ts';

const moment = (epochMs: number | null): string => (epochMs === null ? '' : new Date(epochMs).toISOString());

const columns = [
  'uniqueName',
  'id',
  'state',
  'inLists',
  'type',
  'cif',
  'cif2',
  'groupId',
  'fileName',
  'personalId',
  'opened',
  'pages',
  'read',
  'downloaded',
];

const nobody: Sighting = { personalId: '', openedOn: null, pages: [], readOn: null, downloadedOn: null };

/** A row for each person who has seen a document, and one for a document that nobody has. */
const rowsOf = ({ seenBy, ...document }: Withdrawal): string[] =>
  (seenBy.length === 0 ? [nobody] : seenBy).map((seen) =>
    [
      document.uniqueName ?? '',
      document.id,
      document.state,
      document.withdrawn ? 'no' : 'yes',
      document.type,
      document.cif ?? '',
      document.cif2 ?? '',
      document.groupId ?? '',
      document.fileName,
      seen.personalId,
      moment(seen.openedOn),
      seen.pages.join(' '),
      moment(seen.readOn),
      moment(seen.downloadedOn),
    ]
      .map(quoted)
      .join(','),
  );

/** What this person has seen of a document, for a person to read. */
const seenText = ({ personalId, openedOn, pages, readOn, downloadedOn }: Sighting): string =>
  [
    personalId,
    ...(openedOn === null ? [] : [`opened ${moment(openedOn)}`]),
    ...(pages.length === 0 ? [] : [`pages ${pages.join(' ')}`]),
    ...(readOn === null ? [] : [`read ${moment(readOn)}`]),
    ...(downloadedOn === null ? [] : [`downloaded ${moment(downloadedOn)}`]),
  ].join('  ');

export interface WithdrawalCounts {
  /** Left the lists. */
  gone: number;
  /** Stay in the lists, cancelled. */
  told: number;
  /** Neither: by now they are OBSOLETE, deleted or forgotten. */
  others: number;
}

/** Says who has seen what, a line for each person and document, and writes a table of all of them when it is given a path. Throws RefusedError. */
export const writeWithdrawals = async (documents: AsyncIterable<Withdrawal>, path: string | undefined): Promise<WithdrawalCounts> => {
  const counts: WithdrawalCounts = { gone: 0, told: 0, others: 0 };
  async function* rows(): AsyncGenerator<string> {
    yield `${columns.join(',')}\n`;
    for await (const document of documents) {
      if (document.withdrawn) counts.gone += 1;
      else if (document.state === 'CANCELLED') counts.told += 1;
      else counts.others += 1;
      for (const seen of document.seenBy)
        process.stdout.write(
          `${onOneLine(document.uniqueName ?? document.fileName)}  ${document.id}  ${document.state}  ${seenText(seen)}\n`,
        );
      yield `${rowsOf(document).join('\n')}\n`;
    }
  }
  if (path === undefined) {
    for await (const row of rows()) void row;
    return counts;
  }
  try {
    // It names customers: only its owner may read it.
    await pipeline(Readable.from(rows()), createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    if (error instanceof RefusedError) throw error;
    throw new RefusedError(`the report could not be written to ${path}${error instanceof Error ? `: ${error.message}` : ''}`, {
      cause: error,
    });
  }
  return counts;
};

export const withdrawalSentence = ({ gone, told, others }: WithdrawalCounts): string =>
  [
    `nobody had opened ${gone}: they left the lists`,
    `${told} are cancelled and stay in the lists, and their recipients are told`,
    ...(others === 0 ? [] : [`${others} were replaced or deleted before and stay so`]),
  ].join('; ');
