import { createServer, type IncomingMessage, type Server } from 'node:http';
import {
  cosign,
  type Checkpoint,
  formatNote,
  formatSignature,
  judgeSubmission,
  MalformedError,
  maxSubmissionLength,
  parseSubmission,
  type Submission,
  type VerifierKey,
} from '@pergamin/ledger';
import type { WitnessKey } from './witness-key.ts';
import { originHash, type WitnessMemory } from './witness-memory.ts';

interface Parts {
  readonly own: WitnessKey;
  readonly logs: readonly VerifierKey[];
  readonly memory: WitnessMemory;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** One line, for people. */
  readonly tell: (line: string) => void;
}

interface Answer {
  readonly status: number;
  readonly type?: string;
  readonly body: string;
}

const told = (status: number, body: string): Answer => ({ status, body: `${body}\n` });

const readBody = async (request: IncomingMessage): Promise<Uint8Array | undefined> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxSubmissionLength) return undefined;
    chunks.push(chunk);
  }
  return Uint8Array.from(Buffer.concat(chunks));
};

const cosigned = ({ own, now }: Parts, checkpoint: Checkpoint) => cosign(checkpoint, Math.floor(now() / 1_000), own.key, own.sign);

/** In turns, so that reading, comparing and keeping are one step. */
const addCheckpoint = async (parts: Parts, submission: Submission): Promise<Answer> => {
  const { logs, memory, tell } = parts;
  const { checkpoint } = submission;
  const { origin, size, note } = checkpoint;
  const keys = logs.filter(({ name }) => name === origin);
  if (keys.length === 0) return told(404, 'this log is not witnessed here');
  const last = await memory.last(origin);
  const status = judgeSubmission(submission, { keys, last });
  if (status === 409) return { status, type: 'text/x.tlog.size', body: `${last?.size ?? 0}\n` };
  if (status === 422) {
    // Two roots of one size prove a fork by themselves. A larger tree may only have come with a wrong proof.
    const kept = size === last?.size ? `; kept as ${await memory.keepEvidence(checkpoint)}` : '';
    tell(`NOT COSIGNED: nothing proves that the tree of ${size} entries of ${origin} continues that of ${last?.size ?? 0}${kept}`);
    return told(status, 'the proof does not verify');
  }
  if (status !== 200) return told(status, status === 403 ? 'no signature of the log verifies' : 'the old size is larger');
  const signature = cosigned(parts, checkpoint);
  const own = note.signatures.filter(({ name }) => name === origin);
  await memory.keep({ ...checkpoint, note: { text: note.text, signatures: [...own, signature] } });
  tell(`cosigned ${origin}: ${size} entries`);
  return { status, body: formatSignature(signature) };
};

const answer = async (parts: Parts, request: IncomingMessage, inTurn: (submission: Submission) => Promise<Answer>): Promise<Answer> => {
  const { method, url } = request;
  if (method === 'POST' && url === '/add-checkpoint') {
    const body = await readBody(request);
    if (body === undefined) return told(413, 'the request is too long');
    try {
      return await inTurn(parseSubmission(body));
    } catch (error) {
      if (error instanceof MalformedError) return told(400, error.message);
      throw error;
    }
  }
  const log = method === 'GET' ? parts.logs.find(({ name }) => url === `/${originHash(name)}/checkpoint`) : undefined;
  const last = log === undefined ? undefined : await parts.memory.last(log.name);
  return last === undefined ? told(404, 'there is nothing here') : { status: 200, body: formatNote(last.note) };
};

/** C2SP tlog-witness, with one address for submissions and for monitors. A checkpoint is on the disk before its cosignature is given. */
export const createWitnessServer = (parts: Parts): Server => {
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = (submission: Submission): Promise<Answer> => {
    const next = turn.then(() => addCheckpoint(parts, submission));
    turn = next.catch(() => undefined);
    return next;
  };
  return createServer({ requestTimeout: 10_000, headersTimeout: 5_000, maxHeaderSize: 8_192 }, (request, response) => {
    const end = ({ status, type = 'text/plain; charset=utf-8', body }: Answer): void => {
      if (status === 413) response.setHeader('connection', 'close');
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
    };
    answer(parts, request, inTurn).then(end, (error: unknown) => {
      parts.tell(`a request failed: ${error instanceof Error ? error.message : 'unknown error'}`);
      if (!response.headersSent) end(told(500, 'the witness could not answer'));
    });
  });
};
