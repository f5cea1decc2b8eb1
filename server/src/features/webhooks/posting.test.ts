import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '#platform/clock/clock.ts';
import { readSettings } from '#platform/settings/settings.ts';
import { freePort } from '#testing/free-port.ts';
import { startMailServer } from '#testing/mail-server.ts';
import { startWebhookPeer, type WebhookPeer, webhookSecret } from '#testing/webhook-peer.ts';
import { createPost } from './posting.ts';

const event = {
  id: '0b7e0000-0000-4000-8000-000000000001',
  type: 'batch.finished',
  createdOn: 1_793_180_399_000,
  batch: { id: 'b', name: 'November', documents: 2, publishedAt: 1_793_180_399_000 },
} as const;

let peer: WebhookPeer;
/** Where a redirect would lead. */
let elsewhere: WebhookPeer;

beforeAll(async () => {
  peer = await startWebhookPeer();
  elsewhere = await startWebhookPeer();
});
beforeEach(() => {
  peer.posted.length = 0;
});
afterAll(async () => {
  await peer[Symbol.asyncDispose]();
  await elsewhere[Symbol.asyncDispose]();
});

const postTo = (url: string, { timeoutMs = 10_000, signal = new AbortController().signal } = {}) => {
  const webhook = readSettings({ RECEIVED_WEBHOOK_URL: url, RECEIVED_WEBHOOK_SECRET: webhookSecret }).receivedWebhook;
  if (webhook === undefined) throw new Error('there is no webhook');
  return createPost(webhook, { clock: systemClock, timeoutMs })(event, signal);
};

describe('an answer to an event', () => {
  test.each([200, 201, 202, 204, 299])('of the status %i takes it', async (status) => {
    peer.answerWith((response) => void response.writeHead(status).end());
    expect(await postTo(peer.url)).toEqual({ status, error: null });
  });

  test.each([301, 302, 303, 307, 308])('of the status %i leads nowhere', async (status) => {
    peer.answerWith((response) => void response.writeHead(status, { location: elsewhere.url }).end());
    expect(await postTo(peer.url)).toEqual({ status, error: `answered ${status}` });
    expect(elsewhere.posted).toEqual([]);
  });

  test.each([300, 304, 400, 401, 404, 410, 413, 429, 500, 503])('of the status %i does not take it', async (status) => {
    peer.answerWith((response) => void response.writeHead(status).end());
    expect(await postTo(peer.url)).toEqual({ status, error: `answered ${status}` });
    expect(peer.posted).toHaveLength(1);
  });

  test('is not read: one without an end takes the event as soon as its status is there', async () => {
    const closed = Promise.withResolvers<void>();
    peer.answerWith((response) => {
      const write = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', write).on('close', closed.resolve).writeHead(200);
      write();
    });
    expect(await postTo(peer.url)).toEqual({ status: 200, error: null });
    await closed.promise;
  });
});

describe('without an answer the event is not taken', () => {
  test.each<[string, (response: ServerResponse) => void, RegExp]>([
    ['nothing comes in time', () => undefined, /timeout/],
    ['the connection breaks', (response) => void response.destroy(), /^fetch failed/],
    ['what comes is no HTTP', (response) => void response.socket?.end('220 ready\r\n'), /^fetch failed/],
    ['the headers are endless', (response) => void response.writeHead(200, { 'x-long': 'x'.repeat(100_000) }).end(), /^fetch failed/],
  ])('when %s', async (_, answer, error) => {
    peer.answerWith(answer);
    expect(await postTo(peer.url, { timeoutMs: 1_000 })).toEqual({ status: null, error: expect.stringMatching(error) });
  });

  test('when nothing listens there', async () => {
    const answer = await postTo(`http://127.0.0.1:${await freePort()}/`);
    expect(answer).toEqual({ status: null, error: expect.stringContaining('ECONNREFUSED') });
  });

  test('when its certificate is signed by itself', async () => {
    await using server = await startMailServer({ secure: true });
    const { port } = new URL(server.url);
    const answer = await postTo(`https://127.0.0.1:${port}/`);
    expect(answer).toEqual({ status: null, error: expect.stringMatching(/certificate/) });
  });
});

test('a stop of the portal is no attempt', async () => {
  const stopping = new AbortController();
  peer.answerWith(() => stopping.abort());
  expect(await postTo(peer.url, { signal: stopping.signal })).toBeUndefined();
});
