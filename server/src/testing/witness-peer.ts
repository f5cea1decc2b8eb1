import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import {
  type Checkpoint,
  cosign,
  formatNote,
  formatSignature,
  formatVerifierKey,
  judgeSubmission,
  parseSubmission,
  type Sign,
  signatureTypes,
  type Submission,
  verifierKey,
  type VerifierKey,
  type Witness,
} from '@pergamin/ledger';
import { portOf } from './raw-http.ts';

export interface OwnKey {
  readonly key: VerifierKey;
  readonly sign: Sign;
}

export const newKey = (name: string, type: number): OwnKey => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const bytes = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  return {
    key: verifierKey(name, type, Uint8Array.from(bytes)),
    sign: (message) => Uint8Array.from(sign(null, message, privateKey)),
  };
};

export interface WitnessPeer extends AsyncDisposable {
  readonly own: OwnKey;
  readonly witness: Witness & { readonly url: string };
  /** Its line in a policy. */
  readonly line: string;
  /** What it cosigned last of each log, by the name of the log. */
  readonly last: Map<string, Checkpoint>;
  /** From now on it watches the log of this key. */
  watch(log: VerifierKey): void;
  /** From now on, instead of judging; undefined: it judges again. */
  answerWith(answer: ((response: ServerResponse, submission: Submission) => void) | undefined): void;
  /** How often it was asked for a cosignature. */
  readonly asked: () => number;
}

/** A witness that keeps to C2SP tlog-witness, unless it is told to lie. */
export const startWitnessPeer = async (name: string): Promise<WitnessPeer> => {
  const own = newKey(name, signatureTypes.cosignature);
  const last = new Map<string, Checkpoint>();
  const logs: VerifierKey[] = [];
  let answer: ((response: ServerResponse, submission: Submission) => void) | undefined;
  let asked = 0;
  const judge = (response: ServerResponse, submission: Submission): void => {
    const { checkpoint } = submission;
    const before = last.get(checkpoint.origin);
    const status = judgeSubmission(submission, { keys: logs.filter((log) => log.name === checkpoint.origin), last: before });
    if (status === 409) return void response.writeHead(409, { 'content-type': 'text/x.tlog.size' }).end(`${before?.size ?? 0}\n`);
    if (status !== 200) return void response.writeHead(status).end('no\n');
    last.set(checkpoint.origin, checkpoint);
    response.end(formatSignature(cosign(checkpoint, Math.floor(Date.now() / 1_000), own.key, own.sign)));
  };
  const server = createServer((request, response) => {
    const seen = [...last.values()].find(
      ({ origin }) => request.url === `/${createHash('sha256').update(origin).digest('hex')}/checkpoint`,
    );
    if (request.method === 'GET') {
      response.writeHead(seen === undefined ? 404 : 200).end(seen === undefined ? undefined : formatNote(seen.note));
      return;
    }
    asked += 1;
    buffer(request).then(
      (body) => (answer ?? judge)(response, parseSubmission(Uint8Array.from(body))),
      () => response.destroy(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${portOf(server)}`;
  return {
    own,
    witness: { name, key: own.key, url },
    line: `witness ${name} ${formatVerifierKey(own.key)} ${url}`,
    last,
    watch: (log) => void logs.push(log),
    answerWith(next) {
      answer = next;
    },
    asked: () => asked,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
