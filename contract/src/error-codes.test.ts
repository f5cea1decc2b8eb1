import { expect, test } from 'vitest';
import { errorCodes } from './error-codes.ts';

/** Part 1 of the catalogue of codes, row by row. */
const catalogue = [
  ['INTERNAL_SERVER_ERROR', 500, ''],
  ['CALL_NOT_PERMITTED', 403, ''],
  ['VALIDATION_ERROR', 400, ''],
  ['STORAGE_ERROR', 503, ''],
  ['BC_ERROR', 503, ''],
  ['RENDER_ERROR', 500, ''],
  ['SIGNATURE_INVALID', 422, ''],
  ['SIGNATURE_NOT_FOUND', 422, ''],
  ['INVALID_DATE_RANGE', 400, ''],
  ['INVALID_STATUS', 409, 'silent'],
  ['INVALID_SHA256', 400, ''],
  ['INVALID_DOC_TYPE', 400, ''],
  ['DUPLICATE_HCP', 409, ''],
  ['DUPLICATE_BC', 409, 'silent'],
  ['NOT_FOUND_BC', 404, ''],
  ['ACCESS_DENIED', 401, ''],
  ['DOCUMENT_NOT_FOUND_ERROR', 404, 'silent'],
  ['DOCUMENT_REMOVE_ERROR', 409, ''],
  ['DOCUMENT_RELOCATE_ERROR', 500, ''],
  ['DOCUMENT_METADATA_ERROR', 400, 'silent'],
  ['DOCUMENT_UPLOAD_ERROR', 400, ''],
  ['DOCUMENT_RETENTION_ERROR', 409, ''],
  ['DOCUMENT_MAX_SIZE_ERROR', 413, ''],
  ['RESOURCE_NOT_FOUND', 404, ''],
  ['RESOURCE_DUPLICATE', 409, ''],
  ['INVALID_CREDENTIALS_ERROR', 400, ''],
] as const;

test('there are 26 codes, with one status each, and four that raise no alert', () => {
  expect(catalogue).toHaveLength(26);
  const found = Object.entries(errorCodes).map(([code, entry]) => [code, entry.status, 'silent' in entry ? 'silent' : '']);
  expect(found).toEqual(catalogue);
});

test('a client is told INTERNAL_SERVER_ERROR when rendering failed, and the true code of everything else', () => {
  const shown = Object.entries(errorCodes).flatMap(([code, entry]) => ('shownAs' in entry ? [[code, entry.shownAs]] : []));
  expect(shown).toEqual([['RENDER_ERROR', 'INTERNAL_SERVER_ERROR']]);
});

test('401 has one meaning: no valid session', () => {
  expect(Object.entries(errorCodes).flatMap(([code, { status }]) => (status === 401 ? [code] : []))).toEqual(['ACCESS_DENIED']);
});
