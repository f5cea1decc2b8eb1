import { fromBase64, fromDecimal, textOf, toBase64 } from './bytes.ts';
import { type Checkpoint, parseCheckpoint } from './checkpoint.ts';
import { MalformedError } from './malformed.ts';
import type { Hash } from './merkle.ts';
import { formatNote } from './note.ts';

/** C2SP tlog-proof: that an entry is in a log, to be verified without any network. */
export interface Receipt {
  /** The entry's statement with its salt, which opens the commitment; not authenticated by itself. */
  readonly extra: Uint8Array | undefined;
  readonly index: number;
  readonly proof: readonly Hash[];
  readonly checkpoint: Checkpoint;
}

const firstLine = 'c2sp.org/tlog-proof@v1';
const maxReceiptLength = 512 * 1024;
const maxProof = 63;

export const formatReceipt = ({ extra, index, proof, checkpoint }: Receipt): string =>
  [
    firstLine,
    ...(extra === undefined ? [] : [`extra ${toBase64(extra)}`]),
    `index ${index}`,
    ...proof.map(toBase64),
    '',
    formatNote(checkpoint.note),
  ].join('\n');

const parseHash = (line: string): Hash => {
  const hash = fromBase64(line, 'a hash of the proof');
  if (hash.length !== 32) throw new MalformedError('a hash of the proof is no SHA-256');
  return hash;
};

/** Says nothing about whether it holds. Throws MalformedError. */
export const parseReceipt = (receipt: Uint8Array | string): Receipt => {
  if (receipt.length > maxReceiptLength) throw new MalformedError('a receipt is too long');
  const text = typeof receipt === 'string' ? receipt : textOf(receipt);
  const end = text.indexOf('\n\n');
  if (end === -1) throw new MalformedError('a receipt has no checkpoint');
  const [first, ...lines] = text.slice(0, end).split('\n');
  if (first !== firstLine) throw new MalformedError('a receipt does not begin as one');
  const extra =
    lines[0]?.startsWith('extra ') === true ? fromBase64(lines.shift()?.slice('extra '.length) ?? '', 'the extra data') : undefined;
  const index = /^index (.+)$/.exec(lines.shift() ?? '')?.[1];
  if (index === undefined) throw new MalformedError('a receipt has no index');
  if (lines.length > maxProof) throw new MalformedError('a proof is too long');
  return {
    extra,
    index: fromDecimal(index, 'the index of a receipt'),
    proof: lines.map(parseHash),
    checkpoint: parseCheckpoint(text.slice(end + 2)),
  };
};
