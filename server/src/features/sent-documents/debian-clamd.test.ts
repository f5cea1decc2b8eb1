import { expect, test } from 'vitest';
import { eicar } from '#testing/clamd-server.ts';
import { hasDebianClamd, startDebianClamd } from '#testing/debian-clamd.ts';
import { withCatalogue } from '#testing/hostile-pdfs.ts';
import { isNightly } from '#testing/nightly.ts';
import { aPdf } from '#testing/pdfs.ts';
import { keepCategories, upload } from '#testing/sending.ts';
import { stream } from '#testing/simple-pdf.ts';
import { startTestPortal } from '#testing/test-portal.ts';

// Why it is skipped where there is none, says the test of the scanner.
test.skipIf(!isNightly || !(await hasDebianClamd()))(
  'what a client sends is scanned by Debian’s clamd: clean files come through, an infected one leaves nothing',
  { timeout: 120_000 },
  async () => {
    await using clamd = await startDebianClamd();
    await using portal = await startTestPortal({ environment: { CLAMD_URL: clamd.url } });
    await keepCategories(portal.publisher);
    const client = await portal.signIn('1001', { cif: '7001' });
    expect((await upload(client, { pdf: aPdf() })).status).toBe(201);
    const infected = await upload(client, { pdf: withCatalogue('', stream(eicar)) });
    expect([infected.status, infected.error?.code]).toEqual([400, 'DOCUMENT_UPLOAD_ERROR']);
    const { items } = (await portal.publisher.call('listReceived', { query: {} })).body;
    expect(items.map(({ scan }) => [scan.result, scan.engine])).toEqual([['CLEAN', 'clamd']]);
  },
);
