import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

type Type = 'RAW' | 'TEXT' | 'DECIMAL' | 'DATE' | 'SIMPLE_DATE' | 'BOOLEAN' | 'KEY_NAME';
type Visible = 'yes' | 'own' | 'no' | 'server';
type Flag = 'system' | 'final' | 'required';
type Definition = [
  id: string,
  number: number | null,
  type: Type,
  en: string,
  pl: string,
  screens: string,
  visible: Visible,
  flags?: Flag[],
  dictionary?: string,
];

/** Numbered keys have their number as id where they have no name; the order is the order of rows in the details panel. */
const definitions: Definition[] = [
  ['FILE_NAME', 1, 'TEXT', 'File name', 'Nazwa pliku', 'D I V', 'yes', ['required']],
  ['PRIV_DOC_PRODUCT_GROUP', null, 'KEY_NAME', 'Product group', 'Grupa produktowa', 'R D', 'yes', [], 'PRIV_DOC_PRODUCT_GROUP'],
  ['PUB_FILENAME', null, 'TEXT', 'File name', 'Nazwa pliku', 'P I', 'yes'],
  ['PUB_DOC_PRODUCT_GROUP', null, 'KEY_NAME', 'Product group', 'Grupa produktowa', 'P I', 'yes', [], 'PUB_DOC_PRODUCT_GROUP'],
  ['PUB_DESC_DURATION_TIME', null, 'TEXT', 'Duration description', 'Opis okresu obowiązywania', 'P I', 'yes'],
  ['ST_NUMBER', null, 'TEXT', 'Statement number', 'Numer wyciągu', 'S D', 'yes'],
  ['ST_DOC_TYPE', null, 'KEY_NAME', 'Document type', 'Rodzaj dokumentu', 'S D', 'yes', [], 'ST_DOC_TYPE'],
  ['ACCOUNT_NUMBER', null, 'RAW', 'Account number', 'Numer rachunku', 'R S D', 'yes'],
  ['PRIV_CASE_NUMBER', null, 'TEXT', 'Case number', 'Numer sprawy', 'R D', 'yes'],
  ['BAR_NUMBER', null, 'RAW', 'Bar number', 'Numer kodu kreskowego', 'D', 'yes'],
  ['REG_DATE', null, 'SIMPLE_DATE', 'Registration date', 'Data rejestracji', 'R P D', 'yes'],
  ['ST_DATE', null, 'SIMPLE_DATE', 'Statement date', 'Data wyciągu', 'S D', 'yes'],
  ['ST_PERIOD_START', null, 'SIMPLE_DATE', 'Period start', 'Początek okresu', 'S D', 'yes'],
  ['ST_PERIOD_END', null, 'SIMPLE_DATE', 'Period end', 'Koniec okresu', 'S D', 'yes'],
  ['PUBLICATION_DATE', 7, 'DATE', 'Publication date', 'Data publikacji', 'D V', 'yes', ['system']],
  ['TYPE', null, 'KEY_NAME', 'Access type', 'Rodzaj dostępu', 'D', 'yes', ['system', 'final'], 'TYPE'],
  ['STATE', null, 'KEY_NAME', 'State', 'Stan', 'D V', 'yes', ['system'], 'STATE'],
  ['2', 2, 'DECIMAL', 'Version', 'Wersja', 'D', 'yes', ['system']],
  ['4', 4, 'DECIMAL', 'Size', 'Rozmiar', 'D', 'yes', ['system', 'final']],
  ['11', 11, 'SIMPLE_DATE', 'Expiration date', 'Data wygaśnięcia', 'D', 'yes'],
  ['RETENTION_DATE', 8, 'SIMPLE_DATE', 'Retention date', 'Data końca przechowywania', 'D', 'yes'],
  ['HCP', null, 'BOOLEAN', 'Stored in the locked archive', 'Zapisany w archiwum bez możliwości usunięcia', 'D V', 'yes', ['system']],
  ['14', 14, 'RAW', 'Recipient', 'Odbiorca', 'D', 'own', ['system', 'final']],
  ['CHECKSUM_SHA256', 3, 'RAW', 'SHA-256 checksum', 'Suma kontrolna SHA-256', 'D V', 'yes', ['system', 'final']],
  ['CIF', null, 'RAW', 'Customer number (CIF)', 'Numer klienta (CIF)', 'V', 'own', ['system', 'final']],
  ['CIF2', null, 'RAW', 'Second customer number (CIF2)', 'Drugi numer klienta (CIF2)', 'V', 'own', ['system', 'final']],
  ['DOC_EXT', null, 'TEXT', 'File extension', 'Rozszerzenie pliku', '', 'yes'],
  ['5', 5, 'RAW', 'Schema', 'Schemat', '', 'no'],
  ['6', 6, 'DATE', 'Date added', 'Data dodania', '', 'no', ['system']],
  ['9', 9, 'TEXT', 'Original name', 'Nazwa oryginalna', '', 'no'],
  ['UNIQUE_NAME', 10, 'RAW', 'Unique name', 'Nazwa unikalna', '', 'no', ['system', 'final']],
  ['12', 12, 'BOOLEAN', 'Published', 'Opublikowany', '', 'server', ['system']],
  ['ADDED_BY', 13, 'TEXT', 'Added by', 'Dodany przez', '', 'no'],
  ['15', 15, 'TEXT', 'Published by', 'Opublikowany przez', '', 'no', ['system']],
  ['16', 16, 'BOOLEAN', 'Public', 'Publiczny', '', 'server', ['system', 'final']],
  ['GROUP_ID', null, 'RAW', 'Group', 'Grupa', '', 'no', ['system', 'final']],
];

const dictionaries: [id: string, en: string, pl: string, values: [key: string, en: string, pl: string][]][] = [
  [
    'TYPE',
    'Access type',
    'Rodzaj dostępu',
    [
      ['PUBLIC', 'Public', 'Publiczny'],
      ['PRIVATE', 'Private', 'Prywatny'],
      ['GROUP', 'Group', 'Grupowy'],
    ],
  ],
  [
    'STATE',
    'State',
    'Stan',
    [
      ['ACTIVE', 'Active', 'Aktywny'],
      ['CANCELLED', 'Cancelled', 'Anulowany'],
      ['OBSOLETE', 'Obsolete', 'Nieaktualny'],
      ['DELETED', 'Deleted', 'Usunięty'],
      ['FORGOTTEN', 'Forgotten', 'Zapomniany'],
    ],
  ],
  ['PRIV_DOC_PRODUCT_GROUP', 'Product group', 'Grupa produktowa', []],
  ['PUB_DOC_PRODUCT_GROUP', 'Product group', 'Grupa produktowa', []],
  ['ST_DOC_TYPE', 'Document type', 'Rodzaj dokumentu', []],
];

/**
 * Keys, types and labels that every installation starts with. The statement marker key is not here: its name is a setting (D5), and the
 * metadata room adds its definition (RAW, visible: server).
 */
export const metadataDefinitions: Migration = {
  async up(db: Kysely<unknown>) {
    for (const [id, en, pl, values] of dictionaries) {
      await sql`insert into dictionary (id, name_pl, name_en) values (${id}, ${pl}, ${en})`.execute(db);
      for (const [position, [key, nameEn, namePl]] of values.entries())
        await sql`insert into dictionary_value (dictionary_id, key, name_pl, name_en, position)
          values (${id}, ${key}, ${namePl}, ${nameEn}, ${position})`.execute(db);
    }
    for (const [position, [id, number, type, en, pl, screens, visible, flags = [], dictionary = null]] of definitions.entries())
      await sql`insert into metadata_definition
        (id, number, name_pl, name_en, type, required, system, final, visible, dictionary, screens, position)
        values (${id}, ${number}, ${pl}, ${en}, ${type}, ${flags.includes('required')}, ${flags.includes('system')}, ${flags.includes('final')},
          ${visible}, ${dictionary}, ${screens === '' ? [] : screens.split(' ')}, ${position})`.execute(db);
  },
};
