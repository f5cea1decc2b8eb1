import { type IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** What is still read of a request that was answered already; the other side is told to stop, and most of this is on its way by then. */
const lingeringBytes = 64 * 1024;
/** How long the other side has to read the answer. Closed at once with bytes unread, the connection would be reset, and the answer lost. */
const lingeringMs = 2_000;

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Its reader has given up; the rest of the body is read and dropped. */
const readOn = (request: IncomingMessage, onPiece: (bytes: number) => void): void => {
  request.unpipe();
  request.removeAllListeners('readable');
  request.on('data', (piece: Buffer) => onPiece(piece.length));
  request.resume();
};

const destroyWhenSent = (socket: Socket): void => {
  if (socket.writableFinished) socket.destroy();
  else socket.once('finish', () => socket.destroy());
};

/** Bytes that had come when the connection began to end. */
const lingering = new WeakMap<Socket, number>();

/**
 * Sends what was written and the end of it, and closes when the other side has ended too, or had time to read. Asked again of a connection that
 * has more to say, it closes when that becomes too much.
 */
export const closeLingering = (socket: Socket): void => {
  const bytesBefore = lingering.get(socket);
  if (bytesBefore !== undefined) {
    if (socket.readableEnded || socket.bytesRead - bytesBefore > lingeringBytes) destroyWhenSent(socket);
    return;
  }
  lingering.set(socket, socket.bytesRead);
  if (socket.readableEnded) destroyWhenSent(socket);
  else socket.once('end', () => destroyWhenSent(socket));
  socket.end(() => {
    const timer = setTimeout(() => socket.destroy(), lingeringMs);
    socket.once('close', () => clearTimeout(timer));
  });
};

const closeAfter = (request: IncomingMessage, socket: Socket): void => {
  let left = lingeringBytes;
  request.once('end', () => destroyWhenSent(socket));
  closeLingering(socket);
  readOn(request, (bytes) => {
    left -= bytes;
    if (left <= 0) request.pause();
  });
};

/**
 * Node's answer, except one that comes before its request was read to the end. The rest of the body would be parsed as the start of the next
 * request on the connection, which behind a proxy is another client's: so the connection ends with the answer, or the rest is read when it is
 * here already.
 */
export class EarlyAnswer<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  // Node hands over more than its types say.
  constructor(...parts: [request: Request]) {
    super(...parts);
    const [request] = parts;
    if (hasBody(request)) endWithRequest(this, request);
  }
}

const endWithRequest = (answer: ServerResponse, request: IncomingMessage): void => {
  const { socket } = request;
  let isKept = answer.shouldKeepAlive;
  // Node reads it when it writes the head of the answer, and sets the Connection header by it.
  Object.defineProperty(answer, 'shouldKeepAlive', {
    get: () => isKept && request.complete,
    set(isWanted: boolean) {
      isKept = isWanted;
    },
  });
  // Node's own end of a connection that is not kept closes as soon as the answer is written.
  socket.destroySoon = () => (request.complete ? Socket.prototype.destroySoon.call(socket) : closeAfter(request, socket));
  answer.once('finish', () => {
    // @NOTE Node drains an unread body without a limit once the answer has finished; its own listener comes after this one, which reads first.
    if (!request.complete) request.read();
    else if (!request.readableEnded) readOn(request, () => {});
  });
};
