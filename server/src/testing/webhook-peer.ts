import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { webhookEvent, type WebhookEvent } from '@pergamin/contract';
import { portOf } from './raw-http.ts';

export interface PostedWebhook {
  readonly headers: IncomingHttpHeaders;
  /** As it came. */
  readonly body: string;
  readonly event: WebhookEvent;
}

export interface WebhookPeer extends AsyncDisposable {
  readonly url: string;
  /** What RECEIVED_WEBHOOK_URL and its secret are set to. */
  readonly environment: Readonly<Record<string, string>>;
  readonly posted: PostedWebhook[];
  /** From now on. */
  answerWith(answer: (response: ServerResponse, posted: PostedWebhook) => void | Promise<void>): void;
}

export const webhookSecret = 'a secret of thirty-two characters or more';

/** A system of the organisation on a port of its own, which takes every event with 204 unless it is told otherwise. */
export const startWebhookPeer = async (): Promise<WebhookPeer> => {
  const posted: PostedWebhook[] = [];
  let answer: Parameters<WebhookPeer['answerWith']>[0] = (response) => void response.writeHead(204).end();
  const server = createServer((request, response) => {
    const take = async (): Promise<void> => {
      const body = await text(request);
      const webhook = { headers: request.headers, body, event: webhookEvent.parse(JSON.parse(body)) };
      posted.push(webhook);
      await answer(response, webhook);
    };
    take().catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${portOf(server)}/intake`;
  return {
    url,
    environment: { RECEIVED_WEBHOOK_URL: url, RECEIVED_WEBHOOK_SECRET: webhookSecret },
    posted,
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
