import type { ErrorCode } from '@pergamin/contract';
import { describe, expect, test } from 'vitest';
import { CallError } from '#platform/api.ts';
import { newsOfRefusal, refusalOfCheck, refusalOfCheckError, refusalOfDocument, refusalOfError } from './opening.ts';

const refused = (status: number, code?: ErrorCode) => new CallError('refused', { status, code, rawCode: code, hadToken: true });

const detail = { entry: 'PROVED', differences: [], notCompared: [] } as const;

describe('opening a document', () => {
  test('goes on only when content and owner are right', () => {
    expect(refusalOfCheck({ status: 'SHA_CIF_OK', ...detail })).toBeUndefined();
    expect(refusalOfCheck({ status: 'DOCUMENT_NOT_EXIST', ...detail })).toEqual({ kind: 'deleted' });
    for (const status of ['SHA_NOT_EQUAL', 'CIF_NOT_EQUAL', 'SHA_CIF_NOK'] as const)
      expect(refusalOfCheck({ status, ...detail })).toEqual({ kind: 'notVerified', status, detail });
  });

  test('ends where the document was deleted, not where it was cancelled or superseded', () => {
    expect(refusalOfDocument({ state: 'ACTIVE', deleted: true })).toEqual({ kind: 'deleted' });
    expect(refusalOfDocument({ state: 'DELETED', deleted: false })).toEqual({ kind: 'deleted' });
    expect(refusalOfDocument({ state: 'CANCELLED', deleted: false })).toBeUndefined();
    expect(refusalOfDocument({ state: 'OBSOLETE', deleted: false })).toBeUndefined();
  });

  test('tells the lists of a document that is gone or damaged, and of no other', () => {
    for (const kind of ['deleted', 'notFound'] as const) expect(newsOfRefusal({ kind })).toBe('documentUpdated');
    expect(newsOfRefusal({ kind: 'notVerified', status: 'SHA_NOT_EQUAL', detail })).toBe('documentDamaged');
    expect(newsOfRefusal({ kind: 'forbidden' })).toBeUndefined();
    expect(newsOfRefusal({ kind: 'failed', error: refused(500, 'INTERNAL_SERVER_ERROR') })).toBeUndefined();
  });

  test('a check that is refused says that the checksum does not match', () => {
    expect(refusalOfCheckError(refused(403))).toEqual({ kind: 'notVerified', status: 'SHA_NOT_EQUAL', detail: { ...detail, entry: null } });
    expect(refusalOfCheckError(refused(403, 'CALL_NOT_PERMITTED')).kind).toBe('failed');
    expect(refusalOfCheckError(refused(404, 'DOCUMENT_NOT_FOUND_ERROR'))).toEqual({ kind: 'notFound' });
    expect(refusalOfCheckError(refused(429, 'CALL_NOT_PERMITTED')).kind).toBe('failed');
  });

  test('pages that are refused are error 403, missing ones do not exist, anything else failed', () => {
    expect(refusalOfError(refused(403))).toEqual({ kind: 'forbidden' });
    expect(refusalOfError(refused(404, 'RESOURCE_NOT_FOUND'))).toEqual({ kind: 'notFound' });
    expect(refusalOfError(refused(500, 'INTERNAL_SERVER_ERROR')).kind).toBe('failed');
    expect(refusalOfError(refused(0)).kind).toBe('failed');
  });
});
