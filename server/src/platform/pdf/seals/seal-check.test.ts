import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { readAnchors } from '#platform/cms/certificates.ts';
import { inspectObjects } from '#platform/pdf/inspect-objects.ts';
import { anAuthority, issue, type Issued } from '#testing/certificates.ts';
import { isNightly } from '#testing/nightly.ts';
import { aPdf, aProtectedPdf } from '#testing/pdfs.ts';
import { appendUpdate, catalogWith, nextField, sealPdf } from '#testing/sealed-pdfs.ts';
import { stream } from '#testing/simple-pdf.ts';
import { checkSeal } from './seal-check.ts';

const dayMs = 86_400_000;
const now = new Date();
const daysAgo = (days: number): Date => new Date(now.getTime() - days * dayMs);

let bank: Issued;
let stranger: Issued;
let seal: Issued;
let rsaSeal: Issued;
beforeAll(async () => {
  [bank, stranger] = await Promise.all([anAuthority('Bank Root'), anAuthority('Stranger Root')]);
  [seal, rsaSeal] = await Promise.all([
    issue({ name: 'Bank Seal', issuer: bank }),
    issue({ name: 'Bank RSA Seal', issuer: bank, kind: 'RSA' }),
  ]);
});

const check = (file: Uint8Array, anchors: readonly Issued[] = [bank]) =>
  checkSeal(file, { anchors: anchors.flatMap(({ pem }) => readAnchors(pem)), now, objects: inspectObjects(file) });
const invalid = (reason: string) => ({ state: 'INVALID', reason: expect.stringContaining(reason) });

describe('a seal that holds', () => {
  test('a seal by ECDSA is valid, and tells its signer and the time that the document names', async () => {
    const signedOn = Math.floor(daysAgo(0).getTime() / 1_000) * 1_000;
    const expected = { state: 'VALID', signer: 'Bank Seal', signedOn, doubt: null, isExtended: false };
    expect(await check(await sealPdf({ signer: seal, writtenOn: new Date(signedOn) }))).toEqual(expected);
  });

  test('a seal by RSA is valid, also with SHA-512, in the older format and with the time in its signature', async () => {
    const signedOn = new Date(Math.floor(now.getTime() / 1_000) * 1_000);
    const file = await sealPdf({ signer: rsaSeal, digest: 'SHA-512', format: 'adbe.pkcs7.detached', signedOn, writtenOn: null });
    expect(await check(file)).toMatchObject({ state: 'VALID', signer: 'Bank RSA Seal', signedOn: signedOn.getTime() });
  });

  test('a seal by RSA-PSS is valid', async () => {
    const pss = await issue({ name: 'Bank PSS Seal', issuer: bank, kind: 'RSA-PSS' });
    expect(await check(await sealPdf({ signer: pss }))).toMatchObject({ state: 'VALID', signer: 'Bank PSS Seal' });
  });

  test('an authority between, and the certificate of the seal itself as anchor, lead to trust', async () => {
    const between = await anAuthority('Bank Issuing', { issuer: bank });
    const issued = await issue({ name: 'Bank Seal 2', issuer: between });
    const file = await sealPdf({ signer: issued, others: [between] });
    expect(await check(file)).toMatchObject({ state: 'VALID' });
    expect(await check(file, [issued])).toMatchObject({ state: 'VALID' });
    expect(await check(await sealPdf({ signer: issued }))).toMatchObject(invalid('none of the trust anchors'));
  });

  test('a second seal over the first is valid when its own signer is trusted', async () => {
    const first = await sealPdf({ signer: await issue({ name: 'Client', issuer: stranger }) });
    const second = await sealPdf({ pdf: first, fields: [nextField(aPdf())], signer: seal });
    expect(await check(second)).toMatchObject({ state: 'VALID', signer: 'Bank Seal' });
    const other = await sealPdf({
      pdf: await sealPdf({ signer: seal }),
      fields: [nextField(aPdf())],
      signer: await issue({ name: 'Client', issuer: stranger }),
    });
    expect(await check(other)).toMatchObject(invalid('none of the trust anchors'));
  });
});

describe('what follows the seal', () => {
  const dss = (more = '') => catalogWith([nextField(aPdf())], `/DSS ${more}`);

  test('an appended update that changes a page is told as a change after sealing', async () => {
    const file = await sealPdf({ signer: seal });
    const changed = appendUpdate(file, { 3: stream('0 0 100 100 re f') });
    expect(await check(changed)).toMatchObject({ ...invalid('changed after it was sealed'), signer: 'Bank Seal', isExtended: true });
  });

  test('a store of validation data behind the seal leaves it valid', async () => {
    const file = await sealPdf({ signer: seal });
    const next = nextField(file);
    const extended = appendUpdate(file, {
      1: dss(`${next} 0 R`),
      [next]: `<</Certs[${next + 1} 0 R]>>`,
      [next + 1]: stream('certificate'),
    });
    expect(await check(extended)).toMatchObject({ state: 'VALID', isExtended: true });
  });

  test('a time-stamp of the whole document behind the seal leaves it valid', async () => {
    const file = await sealPdf({ signer: seal });
    const stamped = await sealPdf({ pdf: file, fields: [nextField(aPdf())], signer: seal, format: 'ETSI.RFC3161' });
    expect(await check(stamped)).toMatchObject({ state: 'VALID', signer: 'Bank Seal', isExtended: true });
  });

  test.each([
    [
      'a page beside validation data',
      (next: number) => ({ 1: dss('<<>>'), 5: `<</Type/Page/Parent 2 0 R/Contents ${next} 0 R>>`, [next]: stream('') }),
    ],
    ['the list of pages', () => ({ 1: dss('<<>>'), 2: '<</Type/Pages/Kids[]/Count 0>>' })],
    ['what happens when the document is opened', () => ({ 1: dss('<<>>/OpenAction[5 0 R/Fit]') })],
    [
      'an annotation on a page',
      (next: number) => ({
        5: `<</Type/Page/Parent 2 0 R/Contents 3 0 R/MediaBox[0 0 100 20]/Annots[${next} 0 R]>>`,
        [next]: '<</Type/Annot/Subtype/FreeText/Rect[0 0 90 20]/DA(/F 9 Tf)/Contents(Paid)>>',
      }),
    ],
    [
      'a visible field of a time-stamp',
      (next: number) => ({
        1: catalogWith([nextField(aPdf()), next]),
        [next]: `<</FT/Sig/Subtype/Widget/Rect[0 0 90 20]/V ${next + 1} 0 R>>`,
        [next + 1]: '<</SubFilter/ETSI.RFC3161>>',
      }),
    ],
    ['the same object again, which other readers may find', () => ({ 1: dss('<<>>'), 3: stream('BT /F 12 Tf 10 5 Td (Umowa) Tj ET') })],
  ])('an update that changes %s is told as a change', async (_, objects) => {
    const file = await sealPdf({ signer: seal });
    expect(await check(appendUpdate(file, objects(nextField(file))))).toMatchObject(invalid('changed after it was sealed'));
  });

  test.each([
    ['a comment behind its numbers', '3 0 %c\nobj'],
    ['a comment between its numbers', '3%c\r0 obj'],
    ['a comment without text', '3 %\n 0 obj'],
    ['its generation without a space behind it', '3 0obj'],
    ['a generation of many digits', '3 000000 obj'],
    ['zeros before its number', '0003 0 obj'],
    ['a sign before its number', '+3 0 obj'],
    ['many spaces', `3${' '.repeat(100)}0 obj`],
    ['form feeds and zeros as spaces', '3\f0\0obj'],
  ])('an object of the sealed document that is written again with %s is told as a change', async (_, written) => {
    const file = await sealPdf({ signer: seal });
    const again = `${written} <</Length 22>>stream\n0 0 100 100 re f      \nendstream endobj\n`;
    const extended = appendUpdate(Buffer.concat([file, Buffer.from(again, 'latin1')]), { 1: dss('<<>>') });
    expect(await check(extended)).toMatchObject(invalid('changed after it was sealed'));
  });

  test('a stream of objects whose name is written in numbers is told as a change', async () => {
    const file = await sealPdf({ signer: seal });
    const hidden = appendUpdate(file, { 1: dss('<<>>'), [nextField(file)]: stream('3 0 <<>>', '/Type/Obj#53tm/N 1/First 4') });
    expect(await check(hidden)).toMatchObject(invalid('changed after it was sealed'));
  });

  test('a word that ends in obj, in the data of certificates, is no object', async () => {
    const file = await sealPdf({ signer: seal });
    const next = nextField(file);
    const extended = appendUpdate(file, { 1: dss(`${next} 0 R`), [next]: `<</Certs[${next + 1} 0 R]>>`, [next + 1]: stream('xobj(obj)') });
    expect(await check(extended)).toMatchObject({ state: 'VALID', isExtended: true });
  });

  test('bytes behind the end, and an object that an update hides in a stream, are told as changes', async () => {
    const file = await sealPdf({ signer: seal });
    expect(await check(Buffer.concat([file, Buffer.from('\n')]))).toMatchObject(invalid('changed after it was sealed'));
    const hidden = appendUpdate(file, { 1: dss('<<>>'), [nextField(file)]: stream('3 0 <<>>', '/Type/ObjStm/N 1/First 4') });
    expect(await check(hidden)).toMatchObject(invalid('changed after it was sealed'));
  });
});

describe('a seal that does not hold', () => {
  test.each(['/Byte#52ange', '/#42yteRange', '/#42#79#74#65#52#61#6e#67#65'])(
    'a seal whose range is named %s is looked at',
    async (name) => {
      const file = (await sealPdf({ signer: seal })).toString('latin1');
      expect(await check(Buffer.from(file.replace('/ByteRange', name), 'latin1'))).toMatchObject({ state: 'INVALID' });
    },
  );

  test('a flipped byte of the document, of the signature or of the gap makes it invalid', async () => {
    const file = await sealPdf({ signer: seal });
    const flip = (at: number, bits = 1): Buffer => {
      const flipped = Buffer.from(file);
      flipped[at] = (flipped[at] ?? 0) ^ bits;
      return flipped;
    };
    expect(await check(flip(file.indexOf('Umowa')))).toMatchObject(invalid('not what was signed'));
    const change = (cms: Uint8Array): Uint8Array => Buffer.concat([cms.subarray(0, -1), Buffer.of((cms.at(-1) ?? 0) ^ 1)]);
    expect(await check(await sealPdf({ signer: rsaSeal, change }))).toMatchObject(invalid('not that of its signer'));
    expect(await check(flip(file.lastIndexOf('>>>') - 1))).toMatchObject(invalid('cannot be read'));
  });

  test.each<[string, Partial<Omit<Parameters<typeof issue>[0], 'issuer'>> & { issuer?: 'stranger' }, string]>([
    ['of another authority', { issuer: 'stranger' }, 'none of the trust anchors'],
    ['that had expired when it was used', { until: daysAgo(10) }, 'had expired'],
    ['that was not valid yet when it was used', { from: new Date(now.getTime() + dayMs) }, 'not valid yet'],
    ['for other uses than signing', { usage: 'keyEncipherment' }, 'not one for signatures'],
    ['with a short key', { kind: 'short RSA' }, 'shorter than 2048 bits'],
  ])('a certificate %s makes it invalid', async (_, { issuer, ...wish }, reason) => {
    const signer = await issue({ name: 'Wrong Seal', issuer: issuer === undefined ? bank : stranger, ...wish });
    expect(await check(await sealPdf({ signer }))).toMatchObject(invalid(reason));
  });

  test('an authority that may have no authorities below it leads to no trust', async () => {
    const root = await anAuthority('Small Root', { authoritiesBelow: 0 });
    const between = await anAuthority('Below', { issuer: root });
    const signer = await issue({ name: 'Seal', issuer: between });
    expect(await check(await sealPdf({ signer, others: [between] }), [root])).toMatchObject(invalid('none of the trust anchors'));
  });

  test('a certificate that is no authority leads to no trust', async () => {
    const signer = await issue({ name: 'Forged', issuer: seal });
    expect(await check(await sealPdf({ signer, others: [seal] }))).toMatchObject(invalid('none of the trust anchors'));
  });

  test('SHA-1, in the signature or as its format, makes it invalid', async () => {
    expect(await check(await sealPdf({ signer: rsaSeal, digest: 'SHA-1' }))).toMatchObject(invalid('SHA-1'));
    expect(await check(await sealPdf({ signer: rsaSeal, format: 'adbe.pkcs7.sha1' }))).toMatchObject(invalid('SHA-1'));
  });

  test('a signed attribute that names another certificate, or none, makes it invalid', async () => {
    expect(await check(await sealPdf({ signer: seal, named: rsaSeal }))).toMatchObject(invalid('names another certificate'));
    expect(await check(await sealPdf({ signer: seal, named: null }))).toMatchObject(invalid('lacks a signed attribute'));
  });

  test('a broken first seal under a valid second one makes it invalid', async () => {
    const change = (cms: Uint8Array): Uint8Array => Buffer.concat([cms.subarray(0, -1), Buffer.of((cms.at(-1) ?? 0) ^ 1)]);
    const first = await sealPdf({ signer: rsaSeal, change });
    expect(await check(await sealPdf({ pdf: first, fields: [nextField(aPdf())], signer: seal }))).toMatchObject(
      invalid('not that of its signer'),
    );
  });

  test.each([
    ['that does not begin with the file', ([, b = 0, c = 0, e = 0]: readonly number[]) => [1, b, c, e]],
    ['with a gap that is larger than the signature', ([, b = 0, c = 0, e = 0]: readonly number[]) => [0, b - 10, c, e + 0]],
    ['with a gap elsewhere', ([, b = 0, c = 0, e = 0]: readonly number[]) => [0, b + 100, c + 100, e - 100]],
    ['that reaches behind the end', ([, b = 0, c = 0, e = 0]: readonly number[]) => [0, b, c, e + 1]],
    ['of huge numbers', ([, b = 0, c = 0]: readonly number[]) => [0, b, c, 9_999_999_999]],
    ['that goes backwards', ([, b = 0, c = 0, e = 0]: readonly number[]) => [0, c, b, e]],
  ])('a range %s makes it invalid', async (_, range) => {
    expect(await check(await sealPdf({ signer: seal, range }))).toMatchObject({
      state: 'INVALID',
      reason: expect.stringMatching(/covers|leaves out/),
    });
  });

  test('garbage in the gap, and a message that is nested without end, make it invalid', async () => {
    const garbage = () => Buffer.from('no signature at all');
    const nested = () => Buffer.alloc(8_000, Buffer.of(0x30, 0x80));
    for (const change of [garbage, nested])
      expect(await check(await sealPdf({ signer: seal, change }))).toMatchObject(invalid('cannot be read'));
  });

  test('a seal from the future makes it invalid', async () => {
    expect(await check(await sealPdf({ signer: seal, writtenOn: new Date(now.getTime() + dayMs) }))).toMatchObject(
      invalid('in the future'),
    );
  });
});

describe('a seal of which not all is known', () => {
  test('without trust anchors it is told who says to have sealed it, and that this is not known', async () => {
    expect(await check(await sealPdf({ signer: seal }), [])).toMatchObject({
      state: 'INDETERMINATE',
      doubt: 'NO_ANCHORS',
      signer: 'Bank Seal',
    });
  });

  test('of a certificate that has expired since, only the seal says when it was made', async () => {
    const root = await anAuthority('Old Root', { from: daysAgo(200) });
    const signer = await issue({ name: 'Old Seal', issuer: root, from: daysAgo(100), until: daysAgo(10) });
    expect(await check(await sealPdf({ signer, writtenOn: daysAgo(50) }), [root])).toMatchObject({
      state: 'INDETERMINATE',
      doubt: 'EXPIRED_SINCE',
    });
  });

  test('another format of signature is not judged', async () => {
    expect(await check(await sealPdf({ signer: seal, format: 'Acme.Detached' }))).toMatchObject({
      state: 'INDETERMINATE',
      doubt: 'UNSUPPORTED',
    });
  });

  test('a seal in an encrypted PDF is not judged', async () => {
    expect(await check(await aProtectedPdf('change', await sealPdf({ signer: seal })))).toMatchObject({
      state: 'INDETERMINATE',
      doubt: 'ENCRYPTED',
    });
  });
});

test('a PDF without a seal, also one that speaks of seals, has none', async () => {
  expect(await check(aPdf())).toEqual({ state: 'NOT_FOUND' });
  expect(await check(aPdf({ text: '/ByteRange' }))).toEqual({ state: 'NOT_FOUND' });
  expect(await check(Buffer.from('1 0 obj /ByteRange in no PDF'))).toMatchObject({ state: 'INVALID' });
});

const run = promisify(execFile);
const isPdfsigThere = await run('pdfsig', ['-v']).then(
  () => true,
  () => false,
);

test.runIf(isNightly && isPdfsigThere)('poppler judges the integrity of the same seals alike', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pergamin-seals-'));
  const path = join(folder, 'sealed.pdf');
  const byPoppler = async (file: Uint8Array): Promise<boolean> => {
    await writeFile(path, file);
    const { stdout } = await run('pdfsig', ['-nocert', path]);
    return stdout.includes('Signature is Valid') && stdout.includes('Total document signed');
  };
  try {
    const whole = await sealPdf({ signer: rsaSeal });
    const flipped = Buffer.from(whole);
    flipped.write('umowa', flipped.indexOf('Umowa'));
    const appended = appendUpdate(whole, { 3: stream('0 0 100 100 re f') });
    for (const file of [whole, flipped, appended, await sealPdf({ signer: seal }), await sealPdf({ signer: rsaSeal, digest: 'SHA-512' })])
      expect((await check(file)).state === 'VALID').toBe(await byPoppler(file));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
