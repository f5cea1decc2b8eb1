import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDF } from '@libpdf/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withCatalogue } from '#testing/hostile-pdfs.ts';
import { aPdf } from '#testing/pdfs.ts';
import { showOrRefuse } from '#testing/shown-page.ts';
import { testPdfPool } from '#testing/test-pdf-pool.ts';
import type { PdfPool } from './pdf-pool.ts';

let from: { folder: string; pool: PdfPool };

beforeAll(async () => {
  from = { folder: await mkdtemp(join(tmpdir(), 'owner-password-')), pool: testPdfPool() };
});
afterAll(() => rm(from.folder, { recursive: true }));

const encrypt = async (pdf: Uint8Array, ownerPassword: string): Promise<Uint8Array> => {
  const document = await PDF.load(pdf);
  document.setProtection({ ownerPassword, userPassword: 'user' });
  return document.save();
};

test('a file whose owner has an empty password opens without one', async () => {
  const shown = await showOrRefuse(from, await encrypt(aPdf({ text: 'Umowa kredytu' }), ''));
  expect(shown).toMatchObject({ flags: [], text: 'Umowa kredytu' });
  expect(shown).toEqual(await showOrRefuse(from, aPdf({ text: 'Umowa kredytu' })));
});

test('what such a file holds is looked for behind the encryption', async () => {
  const script = withCatalogue('/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>');
  expect(await showOrRefuse(from, await encrypt(script, ''))).toMatchObject({ flags: ['JAVASCRIPT'] });
});

test('a file whose passwords are both set needs one', async () => {
  expect(await showOrRefuse(from, await encrypt(aPdf(), 'owner'))).toMatch(/ENCRYPTED: a password is needed/);
});
