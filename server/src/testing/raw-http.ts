import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';

/** Of a server that listens on any free port. */
export const portOf = (server: { address(): AddressInfo | string | null }): number => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port');
  return address.port;
};

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Writes the very bytes to a loopback port and reads until the other side closes: for requests that no HTTP client would make. */
export const exchangeBytes = async (port: number, request: string): Promise<RawAnswer> => {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  // A refused request may be answered before its last byte is written.
  socket.on('error', () => {});
  socket.write(request);
  await once(socket, 'close');
  const [head = '', ...rest] = Buffer.concat(chunks).toString('latin1').split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: new Map(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()])),
    body: rest.join('\r\n\r\n'),
  };
};
