import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { publishingLimits } from '@pergamin/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { foreign } from '#testing/hostile-pdfs.ts';
import { aBrokenPdf, aPdf, aPdfOfTooManyPages, aPdfWithoutPages, aProtectedPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal({ environment: { PUBLISH_MAX_BYTES: '300000' } });
  await portal.addClient('1001', { cif: '7001' });
});

afterAll(() => portal[Symbol.asyncDispose]());

/** What a refusal must not leave behind. */
const countEverything = async () => {
  const count = async (table: 'document' | 'delivery' | 'publication'): Promise<number> => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(portal.db);
    return rows[0]?.n ?? -1;
  };
  const files = await readdir(join(portal.settings.dataDir, 'objects'), { recursive: true, withFileTypes: true });
  const uploads = await readdir(join(portal.settings.dataDir, 'uploads')).catch(() => []);
  return {
    documents: await count('document'),
    deliveries: await count('delivery'),
    publications: await count('publication'),
    objects: files.filter((file) => file.isFile()).length,
    uploads: uploads.length,
  };
};

const good = { type: 'PRIVATE', fileName: 'Umowa.pdf', cif: '7001' } as const;

interface Case {
  readonly because: string;
  readonly pdf?: () => Uint8Array | Promise<Uint8Array>;
  readonly description?: Record<string, unknown>;
  readonly status: number;
  readonly code: string;
  readonly field?: string;
  readonly message?: RegExp;
}

const cases: Case[] = [
  { because: 'the file is empty', pdf: () => new Uint8Array(), status: 400, code: 'INVALID_DOC_TYPE' },
  { because: 'the file is a web page', pdf: () => Buffer.from('<html></html>'), status: 400, code: 'INVALID_DOC_TYPE' },
  {
    because: 'the PDF does not begin at its first byte',
    pdf: () => Buffer.concat([Buffer.from('MZ'), aPdf()]),
    status: 400,
    code: 'INVALID_DOC_TYPE',
  },
  {
    because: 'an archive is behind the end of the PDF',
    pdf: () => Buffer.concat([aPdf(), foreign.zip()]),
    status: 400,
    code: 'INVALID_DOC_TYPE',
    field: 'file',
  },
  {
    because: 'a web page is between two ends of the PDF',
    pdf: () => Buffer.concat([aPdf(), foreign.html, Buffer.from('\n%%EOF\n')]),
    status: 400,
    code: 'INVALID_DOC_TYPE',
    field: 'file',
  },
  {
    because: 'a web page is in the first line of the PDF',
    pdf: () => Buffer.from(Buffer.from(aPdf()).toString().replace('-1.7', '-1.7<html>')),
    status: 400,
    code: 'INVALID_DOC_TYPE',
    field: 'file',
  },
  {
    because: 'the PDF needs a password',
    pdf: () => aProtectedPdf('open'),
    status: 400,
    code: 'DOCUMENT_UPLOAD_ERROR',
    message: /password/i,
  },
  { because: 'the PDF is broken', pdf: aBrokenPdf, status: 400, code: 'DOCUMENT_UPLOAD_ERROR', message: /broken/i },
  { because: 'the PDF has no pages', pdf: aPdfWithoutPages, status: 400, code: 'DOCUMENT_UPLOAD_ERROR' },
  {
    because: 'the PDF has more pages than a publication may have',
    pdf: () => aPdfOfTooManyPages(publishingLimits.maxPages + 1),
    status: 400,
    code: 'DOCUMENT_UPLOAD_ERROR',
    message: /too many/i,
  },
  {
    because: 'the file is larger than the setting allows',
    pdf: () => Buffer.concat([aPdf(), Buffer.alloc(300_001)]),
    status: 413,
    code: 'DOCUMENT_MAX_SIZE_ERROR',
  },
  {
    because: 'no client has the customer number',
    description: { ...good, cif: '9999' },
    status: 400,
    code: 'VALIDATION_ERROR',
    field: 'CIF',
  },
  {
    because: 'no client has the second customer number',
    description: { ...good, cif2: '9999' },
    status: 400,
    code: 'VALIDATION_ERROR',
    field: 'CIF2',
  },
  { because: 'both owners are one', description: { ...good, cif2: '7001' }, status: 400, code: 'VALIDATION_ERROR', field: 'CIF2' },
  {
    because: 'a private document has no owner',
    description: { type: 'PRIVATE', fileName: 'a.pdf' },
    status: 400,
    code: 'VALIDATION_ERROR',
    field: 'CIF',
  },
  {
    because: 'a public document has an owner',
    description: { ...good, type: 'PUBLIC' },
    status: 400,
    code: 'VALIDATION_ERROR',
    field: 'CIF',
  },
  {
    because: 'a group’s document has no group',
    description: { type: 'GROUP', fileName: 'a.pdf' },
    status: 400,
    code: 'VALIDATION_ERROR',
    field: 'GROUP_ID',
  },
  { because: 'the type is unknown', description: { ...good, type: 'SECRET' }, status: 400, code: 'INVALID_DOC_TYPE', field: 'type' },
  { because: 'there is no type', description: { fileName: 'a.pdf', cif: '7001' }, status: 400, code: 'VALIDATION_ERROR', field: 'type' },
  {
    because: 'the type is unknown and there is no name',
    description: { type: 'SECRET' },
    status: 400,
    code: 'VALIDATION_ERROR',
    field: 'fileName',
  },
  { because: 'the description has an unknown field', description: { ...good, owner: 'me' }, status: 400, code: 'VALIDATION_ERROR' },
  { because: 'the checksum is not the file’s', description: { ...good, sha256: '0'.repeat(64) }, status: 400, code: 'INVALID_SHA256' },
  { because: 'the checksum is none', description: { ...good, sha256: 'abc' }, status: 400, code: 'INVALID_SHA256', field: 'sha256' },
  {
    because: 'a publication is backdated',
    description: { ...good, publishedAt: 0 },
    status: 400,
    code: 'VALIDATION_ERROR',
    field: 'publishedAt',
  },
  {
    because: 'a metadata key is unknown',
    description: { ...good, metadata: { NOT_A_KEY: 'x' } },
    status: 400,
    code: 'DOCUMENT_METADATA_ERROR',
    field: 'NOT_A_KEY',
  },
  {
    because: 'a metadata value has the wrong type',
    description: { ...good, metadata: { REG_DATE: 'yesterday' } },
    status: 400,
    code: 'DOCUMENT_METADATA_ERROR',
    field: 'REG_DATE',
  },
  {
    because: 'a calendar day does not exist',
    description: { ...good, metadata: { REG_DATE: '2026-02-30' } },
    status: 400,
    code: 'DOCUMENT_METADATA_ERROR',
    field: 'REG_DATE',
  },
  {
    because: 'a system key is written',
    description: { ...good, metadata: { STATE: 'ACTIVE' } },
    status: 400,
    code: 'DOCUMENT_METADATA_ERROR',
    field: 'STATE',
  },
  {
    because: 'an option is not in its dictionary',
    description: { ...good, metadata: { PRIV_DOC_PRODUCT_GROUP: 'NOPE' } },
    status: 400,
    code: 'DOCUMENT_METADATA_ERROR',
    field: 'PRIV_DOC_PRODUCT_GROUP',
  },
  {
    because: 'a metadata key is a trap of the language',
    description: { ...good, metadata: { constructor: 'x' } },
    status: 400,
    code: 'DOCUMENT_METADATA_ERROR',
    field: 'constructor',
  },
];

describe('a publication is refused, and nothing of it is kept, because', () => {
  test.each(cases)('$because', async ({ pdf = () => aPdf(), description = good, status, code, field, message }) => {
    const before = await countEverything();
    const form = new FormData();
    form.set('description', JSON.stringify(description));
    form.set('file', new Blob([Uint8Array.from(await pdf())], { type: 'application/pdf' }), 'document.pdf');
    const answer = await portal.publisher.call('publishDocument', { form });
    expect({ status: answer.status, code: answer.error?.code }).toEqual({ status, code });
    if (field !== undefined) expect(Object.keys(answer.error?.fields ?? {})).toContain(field);
    if (message !== undefined) expect(answer.error?.message).toMatch(message);
    expect(await countEverything()).toEqual(before);
  });

  test('a key in the metadata would reach the prototype', async () => {
    const form = new FormData();
    form.set('description', `{"type":"PRIVATE","fileName":"a.pdf","cif":"7001","metadata":{"__proto__":"x"}}`);
    form.set('file', new Blob([Uint8Array.from(aPdf())]), 'document.pdf');
    const answer = await portal.publisher.call('publishDocument', { form });
    expect([answer.status, answer.error?.code]).toEqual([400, 'DOCUMENT_METADATA_ERROR']);
  });

  test.each([
    ['the description is missing', (form: FormData) => form.set('file', new Blob([Uint8Array.from(aPdf())]), 'a.pdf'), 'description'],
    ['the file is missing', (form: FormData) => form.set('description', JSON.stringify(good)), 'file'],
    [
      'the description is not JSON',
      (form: FormData) => {
        form.set('description', 'Umowa');
        form.set('file', new Blob([Uint8Array.from(aPdf())]), 'a.pdf');
      },
      'description',
    ],
    [
      'there is a part that the call does not have',
      (form: FormData) => {
        form.set('description', JSON.stringify(good));
        form.set('attachment', new Blob([Uint8Array.from(aPdf())]), 'a.pdf');
      },
      'attachment',
    ],
  ])('%s', async (_because, fill, field) => {
    const before = await countEverything();
    const form = new FormData();
    fill(form);
    const answer = await portal.publisher.call('publishDocument', { form });
    expect([answer.status, answer.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(Object.keys(answer.error?.fields ?? {})).toContain(field);
    expect(await countEverything()).toEqual(before);
  });
});

describe('publishing needs a key', () => {
  const form = (): FormData => {
    const filled = new FormData();
    filled.set('description', JSON.stringify(good));
    filled.set('file', new Blob([Uint8Array.from(aPdf())]), 'a.pdf');
    return filled;
  };

  test('nothing is published without a key', async () => {
    const answer = await portal.anonymous.call('publishDocument', { form: form() });
    expect([answer.status, answer.error?.code]).toEqual([401, 'ACCESS_DENIED']);
  });

  test.each(['Bearer pk_wrong', `Bearer pk_${'a'.repeat(43)}`, 'Basic YTpi', ''])('the key %j opens nothing', async (authorization) => {
    const answer = await portal.anonymous.call('publishDocument', { form: form() }, { authorization });
    expect([answer.status, answer.error?.code]).toEqual([401, 'ACCESS_DENIED']);
  });

  test('a revoked key opens nothing any more', async () => {
    const revoked = await startRevokedKey();
    const answer = await portal.anonymous.call('publishDocument', { form: form() }, { authorization: `Bearer ${revoked}` });
    expect([answer.status, answer.error?.code]).toEqual([401, 'ACCESS_DENIED']);
  });

  test('a key without the scope of the call is told so', async () => {
    const answer = await portal.withKey(['clients:write']).then((publisher) => publisher.call('publishDocument', { form: form() }));
    expect([answer.status, answer.error?.code]).toEqual([403, 'CALL_NOT_PERMITTED']);
  });

  test('a client’s token is no publisher’s key, and a client’s cookie even less', async () => {
    const client = await portal.signIn('1001');
    const withToken = await client.call('publishDocument', { form: form() });
    const withCookie = await portal.anonymous.call('publishDocument', { form: form() }, { cookie: client.cookie });
    expect([withToken.status, withToken.error?.code]).toEqual([401, 'ACCESS_DENIED']);
    expect([withCookie.status, withCookie.error?.code]).toEqual([401, 'ACCESS_DENIED']);
  });

  const startRevokedKey = async (): Promise<string> => {
    const key = await portal.issueKey(['documents:publish']);
    await sql`update publisher_key set revoked_at = now() where id = (select id from publisher_key order by created_at desc limit 1)`.execute(
      portal.db,
    );
    return key;
  };
});
