import { expect, test } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { createHttpServer } from './http-server.ts';

const policyAt = async (publicUrl: string): Promise<Record<string, string>> => {
  const url = new URL(publicUrl);
  const server = await createHttpServer({ publicUrl: url, log: silentLog(), trustedProxies: [] });
  const { headers } = await server.inject({ url: '/nothing', headers: { host: url.host } });
  await server.close();
  const directives = String(headers['content-security-policy']).split(';');
  return Object.fromEntries(directives.map((directive) => directive.split(/ (.*)/, 2)).map(([name = '', sources = '']) => [name, sources]));
};

const everywhere = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' blob: data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'worker-src': "'self'",
  'manifest-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
  'require-trusted-types-for': "'script'",
  'trusted-types': 'pdf-worker hash-worker',
  'report-to': 'csp',
};

test('the content security policy allows what the pages need, directive by directive, and nothing else', async () => {
  expect(await policyAt('http://localhost:8080')).toEqual(everywhere);
});

test('the content security policy of an address with https asks for https besides', async () => {
  expect(await policyAt('https://bank.example')).toEqual({ ...everywhere, 'upgrade-insecure-requests': '' });
});
