import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { portOf } from './raw-http.ts';

export interface ReceivedSms {
  readonly headers: IncomingHttpHeaders;
  /** As it came. */
  readonly raw: string;
}

interface Answer {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

export interface SmsPeer extends AsyncDisposable {
  readonly url: string;
  /** Everything that was posted, also what was refused. */
  readonly received: ReceivedSms[];
  /** From now on. */
  answerWith(answer: (sms: ReceivedSms) => Answer | Promise<Answer>): void;
}

/** A gateway over HTTP on a port of its own, which takes everything and numbers it unless it is told otherwise. */
export const startSmsGateway = async (): Promise<SmsPeer> => {
  const received: ReceivedSms[] = [];
  let answer: (sms: ReceivedSms) => Answer | Promise<Answer> = () => ({
    status: 201,
    body: JSON.stringify({ id: `sms-${received.length}` }),
  });
  const server = createServer((request, response) => {
    const take = async (): Promise<void> => {
      const sms = { headers: request.headers, raw: await text(request) };
      received.push(sms);
      const { status, body = '', headers = {} } = await answer(sms);
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    };
    take().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server)}/messages`,
    received,
    answerWith(next) {
      answer = next;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
