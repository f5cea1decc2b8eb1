import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '#platform/log/log.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';
import { readPolicyReports } from './policy-reports.ts';

const origin = 'http://localhost:8080';
const canary = 'kN4ry3f9a';

const latest = (body: object): string => JSON.stringify([{ type: 'csp-violation', url: `${origin}/sso/${canary}`, body }]);
const former = (report: object): string => JSON.stringify({ 'csp-report': report });

test('a report says what was stopped, and where', () => {
  const report = {
    effectiveDirective: 'style-src-elem',
    blockedURL: 'inline',
    sourceFile: `${origin}/assets/viewer-B1x.js`,
    lineNumber: 7,
    documentURL: `${origin}/login-ex?error=auth`,
  };
  const expected = { directive: 'style-src-elem', blocked: 'inline', source: '/assets/viewer-B1x.js', line: 7, page: '/login-ex' };
  expect(readPolicyReports(latest(report), origin)).toEqual([expected]);
  expect(
    readPolicyReports(
      former({
        'violated-directive': 'style-src-elem',
        'blocked-uri': 'inline',
        'source-file': report.sourceFile,
        'line-number': 7,
        'document-uri': report.documentURL,
      }),
      origin,
    ),
  ).toEqual([expected]);
});

test.each([
  ['a sign-in code', latest({ documentURL: `${origin}/oauth/${canary}` })],
  ['an assertion', former({ 'document-uri': `${origin}/sso/${canary}`, referrer: `${origin}/?state=${canary}` })],
  ['a query or fragment', latest({ documentURL: `${origin}/?code=${canary}#${canary}`, blockedURL: `https://other.example/${canary}` })],
  ['a user and password', latest({ blockedURL: `https://${canary}:${canary}@other.example/` })],
  ['an unknown page', latest({ documentURL: `${origin}/${canary}`, sourceFile: `data:text/javascript,${canary}` })],
  ['a piece of script', former({ 'script-sample': canary, 'original-policy': canary })],
  ['what is no address', latest({ blockedURL: `${canary} ${canary}`, effectiveDirective: 'img-src' })],
])('%s is not in it', (_, json) => {
  const read = readPolicyReports(json, origin);
  expect(read).toHaveLength(1);
  expect(JSON.stringify(read)).not.toContain(canary);
});

test.each(['', 'x', '[]', '{}', 'null', '[{"body":1}]', '{"csp-report":7}'])('%j is no report', (json) => {
  expect(readPolicyReports(json, origin)).toEqual([]);
});

const lines: string[] = [];
let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({
    log: createLog('warn', { write: (line) => void (line.includes('content security policy report') && lines.push(line)) }),
  });
});
afterAll(() => portal[Symbol.asyncDispose]());

test('a flood of reports is answered, and does not fill the log', async () => {
  const send = (payload: string) =>
    portal.server.inject({
      method: 'POST',
      url: '/api/open/csp-report',
      headers: { host: portal.settings.publicUrl.host, 'content-type': 'application/reports+json' },
      payload,
    });
  const one = { body: { effectiveDirective: 'img-src' } };
  const answers = await Promise.all(Array.from({ length: 40 }, () => send(JSON.stringify(Array.from({ length: 100 }, () => one)))));
  expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([204]));
  // The flood may go on into a second minute.
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.length).toBeLessThanOrEqual(40);
  portal.clock.advance(60_000);
  const before = lines.length;
  await send(JSON.stringify([one]));
  expect(lines.length).toBe(before + 1);
});
