import { ml_dsa44 as mlDsa } from '@noble/post-quantum/ml-dsa.js';
import { expect, test } from 'vitest';
import { aSigner } from '../test/signers.ts';
import { bytesOf, concat, fromBase64, integerBytes } from './bytes.ts';
import {
  cosign,
  cosignedAt,
  emptyRoot,
  formatNote,
  formatVerifierKey,
  isSignedBy,
  MalformedError,
  parseCheckpoint,
  parseNote,
  parseVerifierKey,
  signCheckpoint,
  signatureTypes,
  verifierKey,
  verifyEd25519,
} from './index.ts';

const head = { origin: 'portal.example/log', size: 20_852_163, root: emptyRoot };

test('the example of the specification verifies', () => {
  const key = parseVerifierKey('example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k');
  const { text, signatures } = parseNote(
    'This is an example message.\n\n— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n',
  );
  expect(signatures.map(({ signature }) => verifyEd25519(signature, bytesOf(text), key.publicKey))).toEqual([true]);
  expect(formatVerifierKey(key)).toBe('example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k');
});

const signature = `— a ${Buffer.alloc(68).toString('base64')}`;
test.for([
  ['no signature', 'text\n\n'],
  ['no blank line', `text\n${signature}\n`],
  ['a carriage return', `text\r\n\n${signature}\n`],
  ['a NUL', `te\0xt\n\n${signature}\n`],
  ['no last newline', `text\n\n${signature}`],
  ['a hyphen instead of a dash', `text\n\n${signature.replace('—', '-')}\n`],
  ['two spaces', `text\n\n${signature.replace(' a ', ' a  ')}\n`],
  ['a plus sign in the name', `text\n\n${signature.replace(' a ', ' a+b ')}\n`],
  ['a no-break space in the name', `text\n\n${signature.replace(' a ', ' a\u00A0b ')}\n`],
  ['base64 without padding', `text\n\n${signature.replaceAll('=', '')}\n`],
  ['base64 with stray bits', `text\n\n— a ${Buffer.alloc(67).toString('base64').replace(/A==$/, 'B==')}\n`],
  ['a signature of four bytes', 'text\n\n— a AAAAAA==\n'],
  ['65 signatures', `text\n\n${`${signature}\n`.repeat(65)}`],
  ['300 kB', `${'x'.repeat(300_000)}\n\n${signature}\n`],
])('a note with %s is refused', ([, note]) => {
  expect(() => parseNote(note ?? '')).toThrow(MalformedError);
});

test('a note that is not UTF-8 is refused', () => {
  expect(() => parseNote(concat(Uint8Array.of(0xff), bytesOf(`\n\n${signature}\n`)))).toThrow(MalformedError);
});

test.for([
  ['without a root', 'log\n1\n'],
  ['with a size that has a leading zero', 'log\n01\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n'],
  ['with a size that is no number', 'log\n1e3\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n'],
  ['with a size beyond 2^53', 'log\n9007199254740993\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n'],
  ['with a negative size', 'log\n-1\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n'],
  ['with a root of 31 bytes', 'log\n1\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==\n'],
  ['without an origin', '\n1\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n'],
])('a checkpoint %s is refused', ([, text]) => {
  expect(() => parseCheckpoint(`${text}\n${signature}\n`)).toThrow(MalformedError);
});

test.for([
  'example.com/foo+530d903a',
  'example.com/foo+530d903b+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k',
  'example.com/foo+530D903A+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k',
  'example.com/bar+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k',
  'example.com/foo+530d903a+Aeky',
  'a b+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k',
])('%s is no key', (text) => {
  expect(() => parseVerifierKey(text)).toThrow(MalformedError);
});

test('a checkpoint is signed by the key of its own origin only, and not when any signature by that key is wrong', () => {
  const log = aSigner(head.origin, 1);
  const checkpoint = parseCheckpoint(signCheckpoint(head, log.key, log.sign));
  expect(checkpoint).toMatchObject(head);
  expect(isSignedBy(checkpoint, log.key)).toBe(true);
  expect(isSignedBy(checkpoint, aSigner(head.origin, 2).key)).toBe(false);
  const other = aSigner('other.example/log', 1);
  expect(isSignedBy(parseCheckpoint(signCheckpoint(head, other.key, other.sign)), other.key)).toBe(false);
  const [own] = checkpoint.note.signatures;
  if (own === undefined) throw new Error('no signature');
  const wrong = { ...own, signature: own.signature.with(3, (own.signature[3] ?? 0) ^ 1) };
  const both = parseCheckpoint(formatNote({ text: checkpoint.note.text, signatures: [own, wrong] }));
  expect(isSignedBy(both, log.key)).toBe(false);
});

test('a cosignature by Ed25519 tells when the witness saw the tree, and holds for no other tree, time or key', () => {
  const log = aSigner(head.origin, 1);
  const witness = aSigner('witness.example/w1', 3, signatureTypes.cosignature);
  const checkpoint = parseCheckpoint(signCheckpoint(head, log.key, log.sign));
  const cosignature = cosign(checkpoint, 1_679_315_147, witness.key, witness.sign);
  const seen = (text: string, signed = cosignature, key = witness.key) =>
    cosignedAt(parseCheckpoint(formatNote({ text, signatures: [...checkpoint.note.signatures, signed] })), key);
  const { text } = checkpoint.note;
  expect(seen(text)).toBe(1_679_315_147);
  expect(seen(text.replace('20852163', '20852164'))).toBeUndefined();
  expect(seen(text, { ...cosignature, signature: cosignature.signature.with(7, 1) })).toBeUndefined();
  expect(seen(text, cosignature, aSigner('witness.example/w1', 4, signatureTypes.cosignature).key)).toBeUndefined();
  expect(seen(text, cosign(checkpoint, 0, witness.key, witness.sign))).toBeUndefined();
});

test('a cosignature by ML-DSA-44 is verified over the structure of the specification, which names the witness', () => {
  const { publicKey, secretKey } = mlDsa.keygen(new Uint8Array(32).fill(7));
  const key = verifierKey('witness.example/pq', signatureTypes.mlDsaCosignature, publicKey);
  const log = aSigner(head.origin, 1);
  const checkpoint = parseCheckpoint(signCheckpoint(head, log.key, log.sign));
  const time = integerBytes(1_800_000_000, 8);
  const message = concat(
    bytesOf('subtree/v1\n\0'),
    Uint8Array.of(18),
    bytesOf('witness.example/pq'),
    time,
    Uint8Array.of(18),
    bytesOf('portal.example/log'),
    integerBytes(0, 8),
    integerBytes(head.size, 8),
    head.root,
  );
  const signed = { name: key.name, id: key.id, signature: concat(time, mlDsa.sign(message, secretKey)) };
  const note = { text: checkpoint.note.text, signatures: [...checkpoint.note.signatures, signed] };
  expect(parseVerifierKey(formatVerifierKey(key))).toEqual(key);
  expect(cosignedAt(parseCheckpoint(formatNote(note)), key)).toBe(1_800_000_000);
  expect(cosignedAt(parseCheckpoint(formatNote({ ...note, text: note.text.replace('20852163', '2') })), key)).toBeUndefined();
});

test('base64 is read in the one way that the same bytes are written', () => {
  expect(fromBase64('', 'it')).toEqual(new Uint8Array());
  for (const text of ['A', 'AA', 'AB==', 'AAB=', 'AA=A', ' AAAA', 'AAAA\n', 'AA-_'])
    expect(() => fromBase64(text, 'it')).toThrow(MalformedError);
});
