import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PortalError } from '#platform/http/errors.ts';
import { listProofs } from './proofs.ts';

const documents = [
  { id: 'entered', name: 'a.pdf', principals: ['cif:1'] },
  { id: 'NOT_FOUND_BC', name: 'b.pdf', principals: ['cif:1'] },
  { id: 'BC_ERROR', name: 'c.pdf', principals: ['cif:1'] },
];

const ledger = {
  receiptOf: async (id: string): Promise<string> => {
    if (id === 'entered') return 'a receipt';
    throw new PortalError(id === 'BC_ERROR' ? 'BC_ERROR' : 'NOT_FOUND_BC');
  },
  policy: async () => 'quorum none\n',
};

test('a document without an entry, or whose entry cannot be proved, has no receipt and is named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'proofs-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const verifyPage = join(folder, 'verify.html');
  await writeFile(verifyPage, 'a page');
  const { files, without } = await listProofs({ ledger, verifyPage }, documents);
  expect(files.map(({ name, bytes }) => [name, bytes.toString()])).toEqual([
    ['a.pdf.tlog-proof', 'a receipt'],
    ['keys.txt', 'quorum none\n'],
    ['verify.html', 'a page'],
  ]);
  expect(without).toEqual(['b.pdf', 'c.pdf']);
});

test('without any receipt there are neither keys nor a page, and a failure of the database is one of the archive', async () => {
  const parts = { ledger, verifyPage: '/nowhere/verify.html' };
  expect(await listProofs(parts, documents.slice(1))).toEqual({ files: [], without: ['b.pdf', 'c.pdf'] });
  const broken = { ...parts, ledger: { ...ledger, receiptOf: () => Promise.reject(new Error('no database')) } };
  await expect(listProofs(broken, documents)).rejects.toThrow('no database');
});
