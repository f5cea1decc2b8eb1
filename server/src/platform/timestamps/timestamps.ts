import { hash, randomBytes } from 'node:crypto';
import { fromBER, Integer, OctetString, Sequence } from 'asn1js';
import { AlgorithmIdentifier, MessageImprint, TimeStampReq, TimeStampResp, TSTInfo } from 'pkijs';
import { isOnlyFor, nameOf, readAnchors, requireTrusted } from '#platform/cms/certificates.ts';
import { CmsError } from '#platform/cms/cms-error.ts';
import { readSigned, verifySigner } from '#platform/cms/signed-data.ts';

/** The authority gave no time-stamp that can be used, or a token does not verify. The message is one sentence. */
export class TimestampError extends Error {
  override readonly name = 'TimestampError';
}

export interface TimestampRequest {
  readonly url: URL;
  /** PEM, one certificate or several: the authority's own, or those that it leads to. */
  readonly anchors: string;
  /** 32 bytes. */
  readonly sha256: Uint8Array;
  /** The policy that the authority is asked for, and has to name in its answer. Left out: its own. */
  readonly policy?: string | undefined;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

interface Verified {
  readonly time: Date;
  /** As its certificate names it. */
  readonly authority: string;
}

const oids = { sha256: '2.16.840.1.101.3.4.2.1', tstInfo: '1.2.840.113549.1.9.16.1.4', timeStamping: '1.3.6.1.5.5.7.3.8' } as const;
const nonceBytes = 16;
const maxAnswerBytes = 256 * 1024;
const berLimits = { maxDepth: 40, maxNodes: 50_000, maxContentLength: maxAnswerBytes };
const granted = new Set([0, 1]);

/** Asks an authority (RFC 3161 over HTTP) and verifies what it answers. `token` is the DER of the token alone. Throws TimestampError, or the signal's reason. */
export const requestTimestamp = async (request: TimestampRequest): Promise<{ token: Uint8Array; time: Date }> => {
  const { sha256, anchors, policy } = request;
  const nonce = randomBytes(nonceBytes);
  // A positive number of a fixed length, whose DER is these bytes.
  nonce[0] = 0x40 | ((nonce[0] ?? 0) & 0x3f);
  const token = tokenIn(await post(request, bodyOf({ sha256, policy, nonce })));
  const { time, info } = await verify({ token, sha256, anchors });
  const said = info.nonce?.valueBlock.valueHexView;
  if (said === undefined || Buffer.compare(said, nonce) !== 0) throw new TimestampError('The time-stamp answers another request');
  if (policy !== undefined && info.policy !== policy)
    throw new TimestampError(`The time-stamp was made under another policy (${info.policy})`);
  return { token, time };
};

/** Verifies a token over these 32 bytes, at the time that it names. Throws TimestampError. */
export const verifyTimestamp = async (given: { token: Uint8Array; sha256: Uint8Array; anchors: string }): Promise<Verified> => {
  const { time, authority } = await verify(given);
  return { time, authority };
};

const verify = async ({
  token,
  sha256,
  anchors,
}: {
  token: Uint8Array;
  sha256: Uint8Array;
  anchors: string;
}): Promise<Verified & { info: TSTInfo }> => {
  try {
    const signed = readSigned(token);
    const { content } = signed;
    if (signed.contentType !== oids.tstInfo || content === undefined) throw new TimestampError('This is no time-stamp');
    const info = readInfo(content);
    if (!isImprintOf(info, sha256)) throw new TimestampError('The time-stamp is of other data');
    const signer = await verifySigner(signed, (algorithm) => hash(algorithm, content, 'buffer'));
    if (!isOnlyFor(signer, oids.timeStamping)) throw new TimestampError('The certificate of the signer is not one for time-stamps alone');
    await requireTrusted({ signer, others: signed.certificates, anchors: readAnchors(anchors), at: info.genTime });
    return { time: info.genTime, authority: nameOf(signer), info };
  } catch (error) {
    if (error instanceof CmsError) throw new TimestampError(error.message, { cause: error });
    throw error;
  }
};

const readInfo = (content: Uint8Array): TSTInfo => {
  try {
    const { offset, result } = fromBER(content, berLimits);
    if (offset !== content.length) throw new Error('data behind its end');
    const info = new TSTInfo({ schema: result });
    if (info.version !== 1 || Number.isNaN(info.genTime.getTime())) throw new Error('not of version 1, or without a time');
    return info;
  } catch (error) {
    throw new TimestampError('The time-stamp cannot be read', { cause: error });
  }
};

const isImprintOf = ({ messageImprint: { hashAlgorithm, hashedMessage } }: TSTInfo, sha256: Uint8Array): boolean =>
  hashAlgorithm.algorithmId === oids.sha256 && Buffer.compare(hashedMessage.valueBlock.valueHexView, sha256) === 0;

const bodyOf = ({
  sha256,
  policy,
  nonce,
}: {
  sha256: Uint8Array;
  policy: string | undefined;
  nonce: Uint8Array;
}): Uint8Array<ArrayBuffer> => {
  const imprint = new MessageImprint({
    hashAlgorithm: new AlgorithmIdentifier({ algorithmId: oids.sha256 }),
    hashedMessage: new OctetString({ valueHex: sha256.slice() }),
  });
  const request = new TimeStampReq({
    version: 1,
    messageImprint: imprint,
    ...(policy === undefined ? {} : { reqPolicy: policy }),
    nonce: new Integer({ valueHex: nonce.slice() }),
    certReq: true,
  });
  return new Uint8Array(request.toSchema().toBER());
};

const post = async ({ url, signal, timeoutMs = 10_000 }: TimestampRequest, body: Uint8Array<ArrayBuffer>): Promise<Uint8Array> => {
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply', 'user-agent': 'Pergamin' },
      body,
      redirect: 'error',
      signal: signal === undefined ? late : AbortSignal.any([signal, late]),
    });
    if (!response.ok) throw new TimestampError(`The time-stamping authority answered HTTP ${response.status}`);
    return await bytesOf(response);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof TimestampError) throw error;
    const words = late.aborted ? `gave no answer within ${timeoutMs / 1_000} seconds` : 'cannot be reached';
    throw new TimestampError(`The time-stamping authority ${words}`, { cause: error });
  }
};

const bytesOf = async (response: Response): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  if (response.body === null) return new Uint8Array();
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the rest.
    if (bytes > maxAnswerBytes) throw new TimestampError('The answer of the time-stamping authority is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const tokenIn = (answer: Uint8Array): Uint8Array => {
  try {
    const { offset, result } = fromBER(answer, berLimits);
    if (offset !== answer.length) throw new Error('data behind its end');
    // The very bytes, before parsing changes the blocks.
    const token = result instanceof Sequence ? result.valueBlock.value[1]?.valueBeforeDecodeView.slice() : undefined;
    const { status } = new TimeStampResp({ schema: result });
    if (!granted.has(status.status)) throw new TimestampError(`The time-stamping authority refused (status ${status.status})`);
    if (token === undefined) throw new Error('no token');
    return token;
  } catch (error) {
    if (error instanceof TimestampError) throw error;
    throw new TimestampError('The answer of the time-stamping authority cannot be read', { cause: error });
  }
};
