import { equalBytes, fromBase64, fromDecimal, textOf, toBase64 } from './bytes.ts';
import { type Checkpoint, isSignedBy, parseCheckpoint, type TreeHead } from './checkpoint.ts';
import { MalformedError } from './malformed.ts';
import { emptyRoot, type Hash, verifyConsistency } from './merkle.ts';
import { formatNote, type VerifierKey } from './note.ts';

/** The body of `add-checkpoint` (C2SP tlog-witness): a checkpoint, and that it continues the tree of `oldSize`. */
export interface Submission {
  readonly oldSize: number;
  readonly proof: readonly Hash[];
  readonly checkpoint: Checkpoint;
}

/** In bytes; with 64 signatures of the largest kind there would be more, and no log of ours sends so many. */
export const maxSubmissionLength = 128 * 1024;
const maxProof = 63;

export const formatSubmission = ({ oldSize, proof, checkpoint }: Submission): string =>
  [`old ${oldSize}`, ...proof.map(toBase64), '', formatNote(checkpoint.note)].join('\n');

/** Throws MalformedError. */
export const parseSubmission = (body: Uint8Array): Submission => {
  if (body.length > maxSubmissionLength) throw new MalformedError('a submission is too long');
  const text = textOf(body);
  const end = text.indexOf('\n\n');
  if (end === -1) throw new MalformedError('a submission has no checkpoint');
  const [old = '', ...lines] = text.slice(0, end).split('\n');
  if (!old.startsWith('old ')) throw new MalformedError('a submission does not begin with the old size');
  if (lines.length > maxProof) throw new MalformedError('a proof is too long');
  return {
    oldSize: fromDecimal(old.slice('old '.length), 'the old size'),
    proof: lines.map((line) => fromBase64(line, 'a hash of the proof')),
    checkpoint: parseCheckpoint(text.slice(end + 2)),
  };
};

/** The statuses of C2SP tlog-witness; 422 with a right signature is evidence against the log. */
export type SubmissionVerdict = 200 | 400 | 403 | 409 | 422;

/** `last`: the tree that this witness cosigned last for the origin, undefined before its first. The origin is known, and `keys` are its. */
export const judgeSubmission = (
  { oldSize, proof, checkpoint }: Submission,
  { keys, last }: { readonly keys: readonly VerifierKey[]; readonly last: TreeHead | undefined },
): SubmissionVerdict => {
  const { size, root } = checkpoint;
  if (!keys.some((key) => isSignedBy(checkpoint, key))) return 403;
  if (oldSize > size) return 400;
  if (oldSize !== (last?.size ?? 0)) return 409;
  if (size === 0) return equalBytes(root, emptyRoot) && proof.length === 0 ? 200 : 422;
  if (last === undefined || oldSize === 0) return proof.length === 0 ? 200 : 422;
  return verifyConsistency({ oldSize, oldRoot: last.root, size, root, proof }) ? 200 : 422;
};
