import { createHash } from 'node:crypto';
import { PDF } from '@libpdf/core';
import { describe, expect, test } from 'vitest';
import { demoClients, demoDictionaries, demoDocuments, demoStatutes } from './index.ts';
import type { DemoDocument } from './index.ts';
import { isAccountNumber } from './money.ts';

const options = { seed: 7, today: new Date('2026-11-20T09:30:00Z') };
const documents = [...demoDocuments(options)];
const marker = 'PERGAMIN_ST_DOC_TYPE';

const allowedKeys = new Set([
  'REG_DATE',
  'ACCOUNT_NUMBER',
  'BAR_NUMBER',
  'PRIV_CASE_NUMBER',
  'PRIV_DOC_PRODUCT_GROUP',
  'ST_DATE',
  'ST_PERIOD_START',
  'ST_PERIOD_END',
  'ST_NUMBER',
  'ST_DOC_TYPE',
  'PUB_FILENAME',
  'PUB_DESC_DURATION_TIME',
  'PUB_DOC_PRODUCT_GROUP',
  'RETENTION_DATE',
  marker,
]);

function ownedBy(personalId: string): DemoDocument[] {
  const cif = demoClients.find((client) => client.personalId === personalId)?.cif;
  return documents.filter((document) => document.cif === cif && document.type === 'PRIVATE');
}

function isStatement(document: DemoDocument): boolean {
  return document.metadata[marker] === 'STATEMENTS';
}

function find(uniqueName: string, among: Iterable<DemoDocument> = documents): DemoDocument {
  const found = [...among].find((document) => document.uniqueName === uniqueName);
  if (found === undefined) throw new Error(`No demo document ${uniqueName}`);
  return found;
}

async function checksum(document: { pdf(): Promise<Uint8Array> }): Promise<string> {
  return createHash('sha256')
    .update(await document.pdf())
    .digest('hex');
}

async function readPages(document: { pdf(): Promise<Uint8Array> }): Promise<string[]> {
  const pdf = await PDF.load(await document.pdf());
  return pdf.getPages().map((page) => page.extractText().text);
}

describe('the collection', () => {
  test('the first client has 44 papers and 30 statements, the second 12, the third 500, and 62 papers are public, most of them former editions', () => {
    expect(ownedBy('10000001').filter((document) => !isStatement(document))).toHaveLength(44);
    expect(ownedBy('10000001').filter(isStatement)).toHaveLength(30);
    expect(ownedBy('10000002')).toHaveLength(12);
    expect(ownedBy('10000003')).toHaveLength(500);
    expect(documents.filter((document) => document.type === 'PUBLIC')).toHaveLength(62);
  });

  test('every document has a name of its own, and a public one has no owner', () => {
    expect(new Set(documents.map((document) => document.uniqueName)).size).toBe(documents.length);
    for (const document of documents) expect(document.cif === undefined).toBe(document.type === 'PUBLIC');
  });

  test('the first sixty serve every client, show every product group, statement type and public group', () => {
    const first = documents.slice(0, 60);
    for (const client of demoClients) expect(first.some((document) => document.cif === client.cif)).toBe(true);
    for (const dictionary of demoDictionaries) {
      const shown = new Set(first.map((document) => document.metadata[dictionary.id]).filter((value) => value !== undefined));
      expect(shown).toEqual(new Set(dictionary.values.map((value) => value.key)));
    }
    for (const word of ['Umowa', 'Aneks', 'Harmonogram', 'Wyciąg', 'Polisa', 'Zawiadomienie', 'Taryfa', 'Regulamin', 'Tabela']) {
      expect(first.some((document) => document.fileName.startsWith(word))).toBe(true);
    }
  });

  test('the first client has read some documents, the second none', () => {
    const read = ownedBy('10000001').filter((document) => document.readBy !== undefined);
    expect(read.length).toBeGreaterThan(20);
    expect(read.length).toBeLessThan(60);
    expect(read.every((document) => document.readBy?.every((reader) => reader.personalId === '10000001'))).toBe(true);
    expect(ownedBy('10000002').every((document) => document.readBy === undefined)).toBe(true);
  });

  test("the third client's documents reach from 2018 to the present year", () => {
    const years = ownedBy('10000003').map((document) =>
      String(document.metadata['REG_DATE'] ?? document.metadata['ST_PERIOD_START']).slice(0, 4),
    );
    expect([...new Set(years)].sort()).toEqual(['2018', '2019', '2020', '2021', '2022', '2023', '2024', '2025', '2026']);
  });

  test('the counts hold for every day of the first start, and no document is dated in the future', () => {
    for (const today of ['2026-01-01T00:10:00Z', '2028-02-29T23:50:00Z', '2041-12-31T12:00:00Z']) {
      const others = [...demoDocuments({ seed: 7, today: new Date(today) })];
      expect(others).toHaveLength(documents.length);
      expect(Math.min(...others.map((document) => document.daysAgo))).toBe(0);
      expect(new Set(others.map((document) => document.uniqueName)).size).toBe(others.length);
    }
  });
});

describe('metadata', () => {
  test('only known keys are used, days are calendar days, and key names exist in their dictionaries', () => {
    const entries = documents.flatMap(({ metadata }) => Object.entries(metadata).map(([key, value]) => ({ key, value: String(value) })));
    expect(entries.filter(({ key }) => !allowedKeys.has(key))).toEqual([]);
    for (const { value } of entries.filter(({ key }) => /DATE|PERIOD_/.test(key)))
      expect(new Date(value).toISOString().slice(0, 10)).toBe(value);
    for (const dictionary of demoDictionaries) {
      const used = entries.filter(({ key }) => key === dictionary.id).map(({ value }) => value);
      expect(dictionary.values.map((value) => value.key)).toEqual(expect.arrayContaining([...new Set(used)]));
    }
  });

  test('account numbers have 26 digits and right check digits', () => {
    const numbers = new Set(documents.map((document) => document.metadata['ACCOUNT_NUMBER']).filter((value) => value !== undefined));
    expect(numbers.size).toBeGreaterThan(8);
    for (const number of numbers) expect(isAccountNumber(String(number))).toBe(true);
    expect(isAccountNumber('61109010140000071219812874')).toBe(true);
    expect(isAccountNumber('61109010140000071219812875')).toBe(false);
  });

  test('a statement carries the marker under the name the caller gives, and its period is in order', () => {
    const statements = [...demoDocuments({ ...options, statementMarkerKey: 'ACME_ST_DOC_TYPE' })].filter(
      (document) => document.metadata['ACME_ST_DOC_TYPE'] === 'STATEMENTS',
    );
    expect(statements).toHaveLength(documents.filter(isStatement).length);
    for (const { metadata } of statements) {
      expect(metadata[marker]).toBeUndefined();
      expect(String(metadata['ST_PERIOD_START']) < String(metadata['ST_PERIOD_END'])).toBe(true);
      expect(String(metadata['ST_PERIOD_END']) < String(metadata['ST_DATE'])).toBe(true);
    }
  });
});

describe('the papers', () => {
  test('the same seed and day give the same bytes, another seed or day gives others', async () => {
    for (const name of ['DEMO-10000001-0001', 'DEMO-10000001-MONTHLY-2026-10', 'DEMO-PUBLIC-01']) {
      const sum = await checksum(find(name));
      // Another hour of the same day is the same day.
      expect(await checksum(find(name, demoDocuments({ ...options, today: new Date('2026-11-20T22:00:00Z') })))).toBe(sum);
      expect(await checksum(find(name, demoDocuments({ ...options, seed: 8 })))).not.toBe(sum);
      expect(await checksum(find(name, demoDocuments({ ...options, today: new Date('2026-11-21T09:30:00Z') })))).not.toBe(sum);
    }
  });

  test('no two documents have the same bytes', async () => {
    const [neighbours, step] = process.env['NIGHTLY'] === '1' ? [60, 12] : [24, 40];
    const sample = documents.filter((_, index) => index < neighbours || index % step === 0);
    const sums = new Set<string>();
    for (const document of sample) sums.add(await checksum(document));
    expect(sums.size).toBe(sample.length);
  });

  test('the annual statement of the first client has twenty pages with every seed', async () => {
    for (const seed of [7, 8, 9]) {
      const annual = find('DEMO-10000001-ANNUAL-2025', demoDocuments({ ...options, seed }));
      expect((await PDF.load(await annual.pdf())).getPages()).toHaveLength(20);
    }
  });

  test('Polish letters and amounts are text that can be found', async () => {
    const [page = ''] = await readPages(find('DEMO-10000001-0001'));
    for (const words of ['Bank Wiślany S.A.', '„Kredytobiorcą”', '§ 1. Przedmiot aneksu', 'Strony zgodnie postanawiają zmienić umowę'])
      expect(page).toContain(words);
    const [statement = ''] = await readPages(find('DEMO-10000001-MONTHLY-2026-10'));
    expect(statement).toMatch(/\d \d{3},\d{2} zł/);
  });

  test('every page says that the document is a demonstration, and which page it is', async () => {
    for (const name of ['DEMO-10000001-0003', 'DEMO-10000001-0017', 'DEMO-10000002-0012', 'DEMO-PUBLIC-04']) {
      const pages = await readPages(find(name));
      pages.forEach((page, index) => {
        expect(page).toContain('Dokument demonstracyjny');
        expect(page).toContain(`Strona ${index + 1} z ${pages.length}`);
      });
    }
  });

  test('title, language and day are set', async () => {
    const pdf = await PDF.load(await find('DEMO-10000001-0004').pdf());
    expect(pdf.getTitle()).toBe('Polisa ubezpieczenia nieruchomości');
    expect(pdf.getLanguage()).toBe('pl-PL');
    expect(pdf.getCreationDate()?.toISOString()).toBe('2026-11-14T09:00:00.000Z');
  });

  test('a statement begins with the balance its forerunner ended with', async () => {
    const balances = async (name: string): Promise<string[]> => {
      const [page = ''] = await readPages(find(name));
      const line = page.split('\n').find((text) => /^−?\d.*zł\s.*zł/.test(text.trim())) ?? '';
      return [...line.matchAll(/−?[\d ]+,\d{2} zł/g)].map((match) => match[0].trim());
    };
    const september = await balances('DEMO-10000001-MONTHLY-2026-09');
    const october = await balances('DEMO-10000001-MONTHLY-2026-10');
    expect(september).toHaveLength(4);
    expect(october[0]).toBe(september[3]);
  });
});

test('the statute has three versions with rising days, the later ones say what changed', async () => {
  const statutes = demoStatutes(options);
  expect(statutes.map((statute) => statute.version)).toEqual(['1', '2', '3']);
  expect(statutes.map((statute) => statute.changes !== undefined)).toEqual([false, true, true]);
  const texts = await Promise.all(statutes.map(readPages));
  const text = texts.at(-1)?.join('\n');
  expect(text).toContain('§ 5. Samodzielne sprawdzanie dokumentów');
});
