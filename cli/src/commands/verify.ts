import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { isProved, MalformedError, parsePolicy, type Policy, type ReceiptVerdict, verifyReceipt } from '@pergamin/ledger';
import { readArguments } from '../arguments.ts';
import type { Connection } from '../connection.ts';
import { RefusedError, UsageError } from '../errors.ts';

const unreadable = (path: string, error: unknown): UsageError => new UsageError(`${path} cannot be read`, { cause: error });

const checksumOf = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  return hash.digest('hex');
};

const readWhole = async (path: string): Promise<Buffer> =>
  readFile(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });

const readPolicy = async (path: string): Promise<Policy> => {
  const text = (await readWhole(path)).toString('utf8');
  try {
    return parsePolicy(text);
  } catch (error) {
    if (error instanceof MalformedError) throw new UsageError(`${path}: ${error.message}`, { cause: error });
    throw error;
  }
};

const moment = (milliseconds: number): string => new Date(milliseconds).toISOString();

const mark = (isRight: boolean): string => (isRight ? 'yes' : 'NO ');

const linesOf = (verdict: ReceiptVerdict): readonly string[] => {
  const { isSameFile, opensStatement, isIncluded, isSigned, statement, place, witnesses } = verdict;
  if (place === undefined) return ['NO   this is not a receipt, or it was changed: it cannot be read'];
  const seen = witnesses.map(({ name, at }) => `     seen by ${name}, ${moment(at * 1_000)}`);
  const told =
    statement === undefined
      ? []
      : [`     document ${statement.documentId}, ${statement.event}, ${moment(statement.time)}, ${statement.size} bytes`];
  return [
    `${mark(isSameFile)}  the file has the very bytes that the receipt names`,
    `${mark(opensStatement)}  the receipt says what was delivered, when and to whom`,
    ...told,
    `${mark(isIncluded)}  the log holds this statement, as entry ${place.index} of ${place.size} (${place.origin})`,
    `${mark(isSigned)}  the log, and as many witnesses as the policy asks for, have signed it`,
    ...seen,
  ];
};

export const verify = {
  usage: `pergamin verify FILE.pdf RECEIPT.tlog-proof --policy POLICY [--json]
    Says whether the receipt proves that this very file was delivered. Needs no portal and no network: all that is trusted are the keys in POLICY
    (C2SP tlog-policy), which should come from elsewhere than the receipt. Exit code 0: proved, 1: not proved, 2: a file could not be read.
    --policy POLICY     which logs and witnesses are trusted
    --json              the verdict as one line of JSON`,

  async run(_connection: Connection, args: string[]): Promise<void> {
    const { values, positionals } = readArguments(args, {
      options: { policy: { type: 'string' }, json: { type: 'boolean' } },
      usage: verify.usage,
    });
    const [file, receipt, ...more] = positionals;
    if (file === undefined || receipt === undefined || values.policy === undefined || more.length > 0) throw new UsageError(verify.usage);
    const policy = await readPolicy(values.policy);
    const sha256 = await checksumOf(file);
    const verdict = verifyReceipt(await readWhole(receipt), { sha256, policy });
    const lines = values.json === true ? [JSON.stringify({ proved: isProved(verdict), sha256, ...verdict })] : linesOf(verdict);
    process.stdout.write(`${lines.join('\n')}\n`);
    if (!isProved(verdict)) throw new RefusedError('not proved');
  },
};
