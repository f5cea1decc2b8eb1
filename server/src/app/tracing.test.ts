import { createServer } from 'node:http';
import { once } from 'node:events';
import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { exportSpans } from '#platform/tracing/tracing.ts';
import { portOf } from '#testing/raw-http.ts';
import { writePages } from '#testing/simple-pdf.ts';
import { startTestPortal } from '#testing/test-portal.ts';

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
}

interface Sent {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[];
}

/** A collector, as far as a portal can tell: takes OTLP/HTTP in JSON. */
const startCollector = async () => {
  const sent: Sent[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      // What a collector is sent.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      sent.push(body as Sent);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: new URL(`http://127.0.0.1:${portOf(server)}`),
    spans: (): readonly Span[] =>
      sent.flatMap(({ resourceSpans }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))),
    text: (): string => JSON.stringify(sent),
    close: () => server.close(),
  };
};

test('a collector is sent a span of each call with its statements below it, and nothing that names a person or a document', async () => {
  const collector = await startCollector();
  const flush = await exportSpans(collector.url, { role: 'all', version: '0', log: silentLog() });
  try {
    await using portal = await startTestPortal({ environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url.href } });
    const client = await portal.signIn('client-70010001', { cif: 'cif-97001' });
    const { body } = await portal.publish({ uniqueName: 'traced', cif: 'cif-97001', pdf: writePages(['/MediaBox[0 0 200 200]']) });
    await client.call('getDocument', { params: { id: body.id } });
    await client.call('listOwnDocuments', { body: { page: 0, size: 10 } });
    await portal.runJob('notices:sweep');
    await flush();
    const spans = collector.spans();
    const called = (name: string): Span | undefined => spans.find((span) => span.name === name);
    const below = (span: Span | undefined): readonly string[] =>
      spans.filter(({ parentSpanId, traceId }) => parentSpanId === span?.spanId && traceId === span?.traceId).map(({ name }) => name);
    expect(below(called('GET /api/protected/documents/data/:id'))).toContain('SELECT');
    expect(below(called('POST /api/protected/documents/list/data'))).toContain('WITH');
    expect(below(called('POST /api/publisher/documents'))).toContain('INSERT');
    for (const secret of ['client-70010001', 'cif-97001', body.id, 'traced', client.token, portal.publisherKey])
      expect(collector.text()).not.toContain(secret);
  } finally {
    collector.close();
  }
});

test('a collector that is away fails no call', async () => {
  const flush = await exportSpans(new URL('http://127.0.0.1:1'), { role: 'all', version: '0', log: silentLog() });
  await using portal = await startTestPortal();
  expect((await portal.anonymous.call('getHealth', {})).status).toBe(200);
  await flush();
});
