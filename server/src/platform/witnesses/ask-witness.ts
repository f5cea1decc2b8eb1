import { createHash } from 'node:crypto';
import {
  type Checkpoint,
  cosignedAt,
  formatSubmission,
  type Hash,
  isSignedBy,
  MalformedError,
  type NoteSignature,
  parseCheckpoint,
  parseSignatures,
  signaturesBy,
  type VerifierKey,
  type Witness,
} from '@pergamin/ledger';

/** What a witness made of a checkpoint (C2SP tlog-witness). */
export type WitnessAnswer =
  | { readonly kind: 'cosigned'; readonly signature: NoteSignature; /** Epoch milliseconds. */ readonly at: number }
  /** It has another size in mind than we said; `size` is only its word. */
  | { readonly kind: 'behind' | 'ahead'; readonly size: number }
  /** It shows a checkpoint with the log's own signature that the log does not know: there are two histories. */
  | { readonly kind: 'fork'; readonly evidence: Checkpoint }
  | { readonly kind: 'failed'; readonly reason: string };

interface Question {
  readonly checkpoint: Checkpoint;
  /** The tree that this witness cosigned last, as far as the log knows; 0 before the first. */
  readonly oldSize: number;
  readonly proof: readonly Hash[];
  readonly logKey: VerifierKey;
  readonly signal: AbortSignal;
}

const longestAnswer = 16 * 1024;
const failed = (reason: string): WitnessAnswer => ({ kind: 'failed', reason });

/** Throws when the answer is longer than any right one. */
const readText = async (response: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop cancels the body.
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > longestAnswer) throw new Error('its answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

const addressOf = (witness: Witness, path: string): string => `${(witness.url ?? '').replace(/\/$/, '')}/${path}`;

/** What it cosigned last: signed by the log itself, or it is no evidence. */
const findEvidence = async (witness: Witness, { checkpoint, logKey, signal }: Question): Promise<Checkpoint | undefined> => {
  const path = `${createHash('sha256').update(checkpoint.origin).digest('hex')}/checkpoint`;
  const response = await fetch(addressOf(witness, path), { redirect: 'manual', signal });
  const text = await readText(response);
  if (!response.ok) return undefined;
  const seen = parseCheckpoint(text);
  const isOther = seen.size > checkpoint.size || (seen.size === checkpoint.size && !Buffer.from(seen.root).equals(checkpoint.root));
  return isOther && isSignedBy(seen, logKey) ? seen : undefined;
};

const judgeRefusal = async (witness: Witness, question: Question, otherwise: WitnessAnswer): Promise<WitnessAnswer> => {
  const evidence = await findEvidence(witness, question);
  return evidence === undefined ? otherwise : { kind: 'fork', evidence };
};

const judgeSignature = ({ key }: Witness, checkpoint: Checkpoint, text: string): WitnessAnswer => {
  const answered = { text: checkpoint.note.text, signatures: parseSignatures(text) };
  const [own] = signaturesBy(answered, key);
  const seconds = cosignedAt({ ...checkpoint, note: answered }, key);
  return own === undefined || seconds === undefined
    ? failed('its cosignature does not verify')
    : { kind: 'cosigned', signature: own, at: seconds * 1_000 };
};

const post = async (witness: Witness, question: Question): Promise<WitnessAnswer> => {
  const { checkpoint, oldSize, proof, signal } = question;
  const response = await fetch(addressOf(witness, 'add-checkpoint'), {
    method: 'POST',
    headers: { 'content-type': 'text/plain; charset=utf-8', 'user-agent': 'Pergamin' },
    body: formatSubmission({ oldSize, proof, checkpoint }),
    // The address is what the operator wrote, and nothing that it points to.
    redirect: 'manual',
    signal,
  });
  const text = await readText(response);
  if (response.status === 200) return judgeSignature(witness, checkpoint, text);
  if (response.status === 409 && /^\d{1,15}\n$/.test(text)) {
    const size = Number(text);
    const kind = size > checkpoint.size ? 'ahead' : 'behind';
    return kind === 'ahead' ? judgeRefusal(witness, question, { kind, size }) : { kind, size };
  }
  const refusal = failed(`it answered ${response.status}`);
  return response.status === 422 ? judgeRefusal(witness, question, refusal) : refusal;
};

/** Asks one witness for its cosignature. Never rejects. A witness that lies cannot prove a fork: that takes the log's own signature. */
export const askWitness = async (witness: Witness, question: Question): Promise<WitnessAnswer> => {
  try {
    return await post(witness, question);
  } catch (error) {
    if (error instanceof MalformedError) return failed('its answer cannot be read');
    return failed(
      error instanceof Error ? `${error.message}${error.cause instanceof Error ? `: ${error.cause.message}` : ''}` : 'no answer',
    );
  }
};
