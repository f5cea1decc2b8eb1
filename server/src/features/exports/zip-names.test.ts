import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '#testing/any-text.ts';
import { propertyRuns } from '#testing/nightly.ts';
import { zipNames } from './zip-names.ts';

const named = (...fileNames: string[]) => zipNames(fileNames.map((fileName) => ({ id: 'id', day: '2026-10-31', fileName })));

test('a document is called by its day and its name', () => {
  expect(named('Wyciąg 10/2026.pdf')).toEqual(['2026-10-31 Wyciąg 102026.pdf']);
});

test('equal names are told apart, also where capitals and composed letters do not count', () => {
  expect(named('Umowa', 'umowa.PDF', 'Umowa (2)', 'Ą', 'A\u0328')).toEqual([
    '2026-10-31 Umowa.pdf',
    '2026-10-31 umowa (2).pdf',
    '2026-10-31 Umowa (2) (2).pdf',
    '2026-10-31 Ą.pdf',
    '2026-10-31 Ą (2).pdf',
  ]);
});

test.each([
  ['../../etc/passwd', '2026-10-31 etcpasswd.pdf'],
  ['..\\..\\boot.ini', '2026-10-31 boot.ini.pdf'],
  ['C:\\x', '2026-10-31 C_x.pdf'],
  ['fdp.exe\u202e', '2026-10-31 fdp.exe.pdf'],
  ['a\r\nb\0', '2026-10-31 ab.pdf'],
  ['   ', '2026-10-31 id.pdf'],
  ['CON', '2026-10-31 _CON.pdf'],
])('%j leads nowhere', (fileName, name) => {
  expect(named(fileName)).toEqual([name]);
});

test('documents of any name get file names that fit every file system and are all different', () => {
  const anyName = fc.oneof(anyText(300), fc.constantFrom('a', 'A', 'ł'.repeat(400), '💥'.repeat(200), '..', '.pdf'));
  fc.assert(
    fc.property(fc.array(anyName, { maxLength: 20 }), (fileNames) => {
      const names = zipNames(fileNames.map((fileName) => ({ id: randomUUID(), day: '2026-10-31', fileName })));
      expect(new Set(names.map((name) => name.normalize('NFC').toLowerCase())).size).toBe(fileNames.length);
      for (const name of names) {
        expect(name).toMatch(/^2026-10-31 [^/\\<>:"|?*\p{Cc}]+\.pdf$/u);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
        expect(name.isWellFormed()).toBe(true);
      }
    }),
    propertyRuns({ day: 15, night: 500 }),
  );
});
