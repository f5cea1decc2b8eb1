import { expect, test } from 'vitest';
import { connectionOptions } from './smtp.ts';

const optionsOf = (url: string) => connectionOptions(new URL(url), 'documents.example.com');

test('a mail server elsewhere is spoken to over TLS, or not at all', () => {
  expect(optionsOf('smtps://mail.example.com')).toMatchObject({ host: 'mail.example.com', port: 465, secure: true });
  expect(optionsOf('smtp://mail.example.com')).toMatchObject({ port: 587, secure: false, requireTLS: true, ignoreTLS: false });
  expect(optionsOf('smtp://mail.example.com:25')).toMatchObject({ port: 25, requireTLS: true });
});

test.each(['localhost', '127.0.0.1', '[::1]'])('a relay on this very machine, %s, needs no certificate', (host) => {
  expect(optionsOf(`smtp://${host}:2525`)).toMatchObject({ port: 2525, requireTLS: false, ignoreTLS: true });
});
