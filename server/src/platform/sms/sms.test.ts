import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type SmsPeer, startSmsGateway } from '#testing/sms-gateway.ts';
import { createSmsGateway, SmsError, type SmsSettings } from './sms.ts';

let peer: SmsPeer;
beforeAll(async () => {
  peer = await startSmsGateway();
});
beforeEach(() => {
  peer.received.length = 0;
  peer.answerWith(() => ({ status: 200, body: '{"id":"1"}' }));
});
afterAll(() => peer[Symbol.asyncDispose]());

const hostile = '"},{"to":"+48999999999","text":"&to=+48999999999&x={{reference}}\r\n';
const sms = { to: '+48600100200', text: hostile, reference: 'ref-1' };
const never = new AbortController().signal;

const send = (changes: Partial<SmsSettings> = {}, signal = never) =>
  createSmsGateway({
    url: new URL(peer.url),
    token: undefined,
    header: 'Authorization: Bearer {{token}}',
    body: '{"to":"{{to}}","text":"{{text}}"}',
    messageIdAt: 'id',
    report: undefined,
    ...changes,
  }).send(sms, signal);

const failure = async (work: Promise<unknown>): Promise<SmsError> => {
  const error = await work.then(
    () => undefined,
    (problem: unknown) => problem,
  );
  if (error instanceof SmsError) return error;
  throw new Error('this was taken');
};

describe('the words', () => {
  test('go into JSON of any shape as they are, and nowhere else', async () => {
    await send({ body: '{"messages":[{"destinations":[{"to":"{{number}}"}],"text":"{{text}}","tags":["{{reference}}",1,null,true]}]}' });
    expect(JSON.parse(peer.received[0]?.raw ?? '')).toEqual({
      messages: [{ destinations: [{ to: '48600100200' }], text: hostile, tags: ['ref-1', 1, null, true] }],
    });
  });

  test('go into the fields of a form as they are, and nowhere else', async () => {
    await send({ body: 'to={{number}}&message={{text}}&from=Bank&format=json' });
    expect(peer.received[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect([...new URLSearchParams(peer.received[0]?.raw)]).toEqual([
      ['to', '48600100200'],
      ['message', hostile],
      ['from', 'Bank'],
      ['format', 'json'],
    ]);
  });
});

test.each([
  ['Authorization: Bearer {{token}}', 'authorization', 'Bearer $&secret'],
  ['X-Api-Key:{{token}}', 'x-api-key', '$&secret'],
  ['Authorization: App {{token}}', 'authorization', 'App $&secret'],
])('the token goes as %s', async (header, name, value) => {
  await send({ header, token: '$&secret' });
  expect(peer.received[0]?.headers[name]).toBe(value);
});

test('without a token no such header goes', async () => {
  await send();
  expect(peer.received[0]?.headers['authorization']).toBeUndefined();
});

test.each([
  ['id', '{"id":"abc"}', 'abc'],
  ['id', '{"id":17}', '17'],
  ['list.0.id', '{"list":[{"id":"x"}]}', 'x'],
  ['__proto__.id', '{"id":"x"}', null],
  ['id', '{"id":""}', null],
  ['id', '{"id":"a\\u0000b"}', null],
  ['id', `{"id":"${'a'.repeat(201)}"}`, null],
  ['id', 'OK 17', null],
  ['id', '', null],
])('the id is looked for at %s in %j', async (messageIdAt, body, messageId) => {
  peer.answerWith(() => ({ status: 200, body }));
  expect(await send({ messageIdAt })).toEqual({ messageId });
});

test('an answer without end is not read to its end', async () => {
  peer.answerWith(() => ({ status: 400, body: 'x'.repeat(5_000_000) }));
  expect((await failure(send())).message).toBe(`HTTP 400: ${'x'.repeat(200)}`);
});

test('a gateway that is not there, or that goes away, may be asked again', async () => {
  expect(await failure(send({ url: new URL('http://127.0.0.1:1/') }))).toMatchObject({ isFinal: false });
  peer.answerWith(() => {
    throw new Error('goes away');
  });
  expect(await failure(send())).toMatchObject({ isFinal: false });
});

test('a stop is no failure of the message', async () => {
  const stop = new AbortController();
  const reached = Promise.withResolvers<void>();
  peer.answerWith(() => {
    reached.resolve();
    return new Promise(() => {});
  });
  const sending = send({}, stop.signal);
  await reached.promise;
  stop.abort(new Error('stopping'));
  await expect(sending).rejects.toThrow('stopping');
});
