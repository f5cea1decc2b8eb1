import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { portOf } from './raw-http.ts';

export interface ClamdServer extends AsyncDisposable {
  /** As the setting CLAMD_URL has it. */
  readonly url: string;
  /** What was sent to be scanned, whole. */
  readonly scanned: readonly Buffer[];
  /** From now on: as clamd judges, or out of order in one of these ways. */
  behave(how: 'judge' | 'error' | 'silence' | 'close'): void;
}

/** The agreed test file of virus scanners, put together here so that no scanner takes this very source for it. */
export const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

/** Speaks clamd's protocol (zINSTREAM) and knows one virus. */
export const startClamdServer = async (): Promise<ClamdServer> => {
  const scanned: Buffer[] = [];
  const open = new Set<Socket>();
  let behaviour: Parameters<ClamdServer['behave']>[0] = 'judge';

  const answer = (socket: Socket, file: Buffer): void => {
    scanned.push(file);
    if (behaviour === 'silence') return;
    if (behaviour === 'error') socket.end('INSTREAM size limit exceeded. ERROR\0');
    else socket.end(file.includes(eicar) ? 'stream: Eicar-Test-Signature FOUND\0' : 'stream: OK\0');
  };

  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => {});
    if (behaviour === 'close') return void socket.destroy();
    const command = Buffer.from('zINSTREAM\0');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      // An empty chunk, whose length is zero, ends the file.
      if (chunk.at(-1) !== 0) return;
      const received = Buffer.concat(chunks);
      const file = wholeFile(received.subarray(command.length));
      if (received.subarray(0, command.length).equals(command) && file !== undefined) answer(socket, file);
    });
    return undefined;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `tcp://127.0.0.1:${portOf(server)}`,
    scanned,
    behave(how) {
      behaviour = how;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};

/** Chunks with their lengths before them, the last one empty; undefined while some are still to come. */
const wholeFile = (stream: Buffer): Buffer | undefined => {
  const chunks: Buffer[] = [];
  for (let at = 0; at + 4 <= stream.length;) {
    const length = stream.readUInt32BE(at);
    if (length === 0) return Buffer.concat(chunks);
    if (at + 4 + length > stream.length) return undefined;
    chunks.push(stream.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return undefined;
};
