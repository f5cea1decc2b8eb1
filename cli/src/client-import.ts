import { type AnswerOf, type ClientRecord, calls } from '@pergamin/contract';
import type { ClientLine } from './client-lines.ts';
import type { Connection } from './connection.ts';
import { RefusedError } from './errors.ts';

export interface ImportCounts {
  read: number;
  created: number;
  changed: number;
  unchanged: number;
  refused: number;
  /** Of the changed ones: no link that sets a password is mailed to the new address yet. */
  quiet: number;
  /** Written, and unable to sign in. */
  misdirected: number;
}

export type ActivationCodes = NonNullable<AnswerOf<typeof calls.upsertClients>['activationCodes']>;

interface Import {
  readonly lines: AsyncIterable<ClientLine>;
  /** Undefined: lines are judged and nothing is sent. */
  readonly connection: Connection | undefined;
  /** People without a password are invited again. */
  readonly reinvite: boolean;
  /** Said once: what is not kept when this resolves is lost. */
  readonly onCodes: (codes: ActivationCodes) => Promise<void>;
  readonly onRefused: (line: number, reason: string) => void;
  /** The line is written all the same. */
  readonly onWarning: (line: number, warning: string) => void;
  readonly onProgress: (counts: Readonly<ImportCounts>) => void;
}

interface Numbered {
  readonly line: number;
  readonly record: ClientRecord;
}

const maxPerCall = 500;
/** The portal reads bodies of up to 256 KiB. */
const maxBytesPerCall = 200 * 1024;

type Misdirected = NonNullable<AnswerOf<typeof calls.upsertClients>['misdirected']>[number];

const misdirectionOf = ({ personalId, managed, service }: Misdirected): string =>
  `${personalId} has managed ${managed}, and this id leads to the service ${service}, which signs in only clients with managed ${!managed}: this client cannot sign in`;

/** The portal refuses these records; every other refusal is about the whole import. */
const isAboutRecords = (error: unknown): error is RefusedError =>
  error instanceof RefusedError && error.status !== undefined && [400, 409, 413, 422].includes(error.status);

/**
 * Sends clients in batches, in the order of their lines; a later line about the same person wins. When a batch is refused it is halved until the
 * wrong line is alone, so its neighbours are written. Holds one batch in memory. When the portal does not answer, the import ends with
 * RefusedError; what was sent before stays, and sending it again changes nothing.
 */
export const importClients = async ({
  lines,
  connection,
  reinvite,
  onCodes,
  onRefused,
  onWarning,
  onProgress,
}: Import): Promise<ImportCounts> => {
  const counts: ImportCounts = { read: 0, created: 0, changed: 0, unchanged: 0, refused: 0, quiet: 0, misdirected: 0 };
  const refuse = (line: number, reason: string): void => {
    counts.refused += 1;
    onRefused(line, reason);
  };

  const send = async (batch: readonly Numbered[]): Promise<void> => {
    const [first] = batch;
    if (first === undefined || connection === undefined) return;
    let written: AnswerOf<typeof calls.upsertClients>;
    try {
      written = await connection.call(calls.upsertClients, {
        body: { items: batch.map(({ record }) => record), ...(reinvite ? { reinvite } : {}) },
      });
    } catch (error) {
      if (!isAboutRecords(error)) throw error;
      if (batch.length === 1)
        return refuse(
          first.line,
          error.message
            .split('\n')
            .map((said) => said.trim())
            .join(' '),
        );
      const middle = Math.ceil(batch.length / 2);
      await send(batch.slice(0, middle));
      await send(batch.slice(middle));
      return;
    }
    counts.created += written.created;
    counts.changed += written.changed;
    counts.unchanged += written.unchanged;
    counts.quiet += written.quiet ?? 0;
    for (const one of written.misdirected ?? []) {
      counts.misdirected += 1;
      onWarning(batch.find(({ record }) => record.personalId === one.personalId)?.line ?? 0, misdirectionOf(one));
    }
    if (written.activationCodes !== undefined) await onCodes(written.activationCodes);
  };

  let batch: Numbered[] = [];
  let bytes = 0;
  let people = new Set<string>();
  const flush = async (): Promise<void> => {
    await send(batch);
    batch = [];
    bytes = 0;
    people = new Set();
    onProgress(counts);
  };

  for await (const found of lines) {
    counts.read += 1;
    if ('problem' in found) {
      refuse(found.line, found.problem);
      continue;
    }
    const size = Buffer.byteLength(JSON.stringify(found.record)) + 1;
    if (batch.length >= maxPerCall || bytes + size > maxBytesPerCall || people.has(found.record.personalId)) await flush();
    batch.push(found);
    bytes += size;
    people.add(found.record.personalId);
  }
  await flush();
  return counts;
};
