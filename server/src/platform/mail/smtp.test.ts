import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { connectionOptions, deliver } from './smtp.ts';

const optionsOf = (url: string) => connectionOptions(new URL(url), 'documents.example.com');

test('a mail server elsewhere is spoken to over TLS, or not at all', () => {
  expect(optionsOf('smtps://mail.example.com')).toMatchObject({ host: 'mail.example.com', port: 465, secure: true });
  expect(optionsOf('smtp://mail.example.com')).toMatchObject({ port: 587, secure: false, requireTLS: true, ignoreTLS: false });
  expect(optionsOf('smtp://mail.example.com:25')).toMatchObject({ port: 25, requireTLS: true });
});

test.each(['localhost', '127.0.0.1', '[::1]'])('a relay on this very machine, %s, needs no certificate', (host) => {
  expect(optionsOf(`smtp://${host}:2525`)).toMatchObject({ port: 2525, requireTLS: false, ignoreTLS: true });
});

/** A server that takes everything, with what it was told: libraries of servers read addresses before they hand them on. */
const listen = async (): Promise<{ url: URL; told: string[] }> => {
  const told: string[] = [];
  const server = createServer((socket) => {
    let isText = false;
    socket.write('220 ready\r\n');
    createInterface({ input: socket }).on('line', (line) => {
      if (isText && line !== '.') return;
      isText = line === 'DATA';
      told.push(line);
      socket.write(isText ? '354 go on\r\n' : line === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  return { url: new URL(`smtp://127.0.0.1:${address.port}`), told };
};

const send = (url: URL, to: string): Promise<void> =>
  deliver(
    url,
    { from: 'no-reply@żółć.example', to, bytes: Buffer.from('Subject: a\r\n\r\nb\r\n'), beforeLast: async () => {} },
    { name: 'documents.example.com', signal: new AbortController().signal },
  );

test('domains in letters of other scripts stand in the envelope in A-labels', async () => {
  const { url, told } = await listen();
  await send(url, 'jan@żółć.example');
  expect(told.filter((line) => /^(?:MAIL|RCPT)/.test(line))).toEqual([
    'MAIL FROM:<no-reply@xn--kda4b0koi.example>',
    'RCPT TO:<jan@xn--kda4b0koi.example>',
  ]);
});

test.each(['jan@b.pl/ż.pl', 'jan@EXAMPLE.com', 'żółć@example.com'])(
  'the address %s has no other form, and stands there as it is',
  async (to) => {
    const { url, told } = await listen();
    await send(url, to);
    expect(told).toContain(`RCPT TO:<${to}>`);
  },
);
