import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { Issued } from './certificates.ts';
import { portOf } from './raw-http.ts';

const run = promisify(execFile);

export const isOpensslThere = ((): boolean => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

export const timestampPolicy = '1.3.6.1.4.1.55555.1';

export interface TimestampAuthority extends AsyncDisposable {
  readonly url: URL;
  /** What openssl answers to this request. */
  reply(query: Uint8Array): Promise<Buffer>;
  /** From now on. */
  answerWith(answer: (response: ServerResponse, query: Uint8Array) => void | Promise<void>): void;
}

/** A time-stamping authority on a port of its own: `openssl ts` behind HTTP. */
export const startTimestampAuthority = async (
  signer: Issued,
  { essDigest = 'sha256' }: { readonly essDigest?: 'sha1' | 'sha256' } = {},
): Promise<TimestampAuthority> => {
  const folder = await mkdtemp(join(tmpdir(), 'pergamin-tsa-'));
  const at = (name: string): string => join(folder, name);
  const options = {
    serial: at('serial'),
    signer_cert: at('signer.pem'),
    signer_key: at('signer.key'),
    signer_digest: 'sha256',
    default_policy: timestampPolicy,
    other_policies: `${timestampPolicy}.2`,
    digests: 'sha256',
    ess_cert_id_alg: essDigest,
    accuracy: 'secs:1',
  };
  const lines = Object.entries(options).map(([name, value]) => `${name} = ${value}`);
  await writeFile(at('signer.pem'), signer.pem);
  await writeFile(at('signer.key'), signer.keyPem);
  await writeFile(at('serial'), '01');
  await writeFile(at('ts.cnf'), ['[tsa]', 'default_tsa = authority', '[authority]', ...lines, ''].join('\n'));

  let replies = 0;
  const reply = async (query: Uint8Array): Promise<Buffer> => {
    replies += 1;
    const [asked, answered] = [at(`${replies}.tsq`), at(`${replies}.tsr`)];
    await writeFile(asked, query);
    await run('openssl', ['ts', '-reply', '-config', at('ts.cnf'), '-queryfile', asked, '-out', answered]);
    return readFile(answered);
  };
  let answer: Parameters<TimestampAuthority['answerWith']>[0] = async (response, query) => {
    response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(await reply(query));
  };
  const server = createServer((request, response) => {
    const take = async (): Promise<void> => answer(response, await buffer(request));
    take().catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: new URL(`http://127.0.0.1:${portOf(server)}/tsa`),
    reply,
    answerWith: (next) => void (answer = next),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
