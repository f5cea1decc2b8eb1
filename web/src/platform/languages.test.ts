import { errorCodes } from '@pergamin/contract';
import { expect, test } from 'vitest';
import { sentences } from './page.fixture.tsx';

const forms = { EN: ['one', 'other'], PL: ['one', 'few', 'many', 'other'] } as const;

const catalogue = (language: 'PL' | 'EN'): ReadonlyMap<string, string> => new Map(Object.entries(sentences[language]));
const baseOf = (key: string) => key.replace(/_(one|few|many|other)$/, '');
const compare = (one: string, other: string) => one.localeCompare(other);
const placeholdersOf = (sentence: string | undefined) =>
  [...(sentence ?? '').matchAll(/\{\{(\w+)\}\}/g)].map((found) => found[1] ?? '').toSorted(compare);

test('both catalogues hold the same sentences', () => {
  const [polish, english] = [catalogue('PL'), catalogue('EN')].map((map) => [...new Set([...map.keys()].map(baseOf))].toSorted(compare));
  expect(polish).toEqual(english);
});

test('every counted sentence has all the plural forms of its language', () => {
  for (const language of ['PL', 'EN'] as const) {
    const map = catalogue(language);
    const counted = [...new Set([...map.keys()].filter((key) => baseOf(key) !== key).map(baseOf))];
    expect(counted.length).toBeGreaterThan(3);
    const missing = counted.flatMap((base) => forms[language].map((form) => `${base}_${form}`)).filter((key) => !map.has(key));
    expect(missing).toEqual([]);
  }
});

test('translations have the same placeholders', () => {
  const english = catalogue('EN');
  for (const [key, sentence] of catalogue('PL')) {
    const original = english.get(key) ?? english.get(`${baseOf(key)}_other`);
    expect({ key, placeholders: placeholdersOf(sentence) }).toEqual({ key, placeholders: placeholdersOf(original) });
  }
});

test('every server code has a sentence in both languages', () => {
  const codes = Object.keys(errorCodes);
  expect(codes).toHaveLength(26);
  expect(codes.filter((code) => !catalogue('PL').get(`code.${code}`) || !catalogue('EN').get(`code.${code}`))).toEqual([]);
});

test('wording that the specification fixes is kept letter by letter', () => {
  const english = catalogue('EN');
  const fixed: Record<string, string> = {
    'signIn.enterYourId': 'Enter Your ID',
    'signIn.signIn': 'Sign in',
    'signIn.or': 'Or',
    'signIn.invalidCredentials': 'Invalid credentials',
    'signIn.unexpectedError': 'Unexpected authentication error',
    'signIn.loginProblem': 'Login problem. Please try again later',
    'session.noLongerActive': 'Your session is no longer active',
    'session.expiresIn': 'session expires in',
    'error.network': 'Network Error',
    'error.default': 'Sorry, there was a problem. Please try again later',
    'error.process': 'Process error',
    'menu.documents': 'documents',
    'menu.publicDocuments': 'public documents',
    'menu.statements': 'statements',
    'menu.accountWindow': 'account',
    'menu.selectLanguage': 'select language',
    'menu.logout': 'logout',
    'documents.received': 'documents received',
    'viewer.done': 'done',
    'viewer.close': 'close',
    'viewer.version': 'version {{version}}',
    'list.show': 'show',
    'list.download': 'download',
    'list.check': 'check',
    'list.rowsSelected_other': '{{count}} row(s) selected',
    'list.empty': 'No data',
    'list.emptyLead': 'There is nothing to show',
    'check.SHA_CIF_OK': 'The document was correctly verified',
    'date.none': 'N/A',
    'date.indefinite': 'bezterminowo',
    'code.DOCUMENT_NOT_FOUND_ERROR': 'Document not found',
    'code.DUPLICATE_BC': 'The metadata could not be accessed',
    'code.INVALID_STATUS': 'Invalid document state',
    'code.DOCUMENT_MAX_SIZE_ERROR': 'The file size is too large. The allowed size: 5MB',
  };
  expect(Object.fromEntries(Object.keys(fixed).map((key) => [key, english.get(key)]))).toEqual(fixed);
});
