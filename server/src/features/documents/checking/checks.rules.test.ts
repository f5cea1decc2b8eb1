import { describe, expect, test } from 'vitest';
import { verdictOf } from './checks.rules.ts';

const sha256 = 'a'.repeat(64);
const other = 'b'.repeat(64);
const owner = { cif: '1', cif2: null, group_id: null };
const statement = { sha256, owner: 'cif:1' };
const sound = { live: { ...owner, sha256 }, registered: { ...owner, sha256 }, statement: null, bytes: sha256, principals: ['cif:1'] };

describe('the verdict of a check', () => {
  test.each([
    ['everything is as it was published', sound, 'SHA_CIF_OK'],
    ['the bytes are others', { ...sound, bytes: other }, 'SHA_NOT_EQUAL'],
    ['the checksum was changed', { ...sound, live: { ...sound.live, sha256: other } }, 'SHA_NOT_EQUAL'],
    ['bytes and checksum were changed alike', { ...sound, bytes: other, live: { ...sound.live, sha256: other } }, 'SHA_NOT_EQUAL'],
    ['the owner was changed', { ...sound, live: { ...sound.live, cif: '2' } }, 'CIF_NOT_EQUAL'],
    ['a second owner was added', { ...sound, live: { ...sound.live, cif2: '2' } }, 'CIF_NOT_EQUAL'],
    ['it reached a client whom the register does not name', { ...sound, principals: ['cif:3'] }, 'CIF_NOT_EQUAL'],
    ['an owned document was made public', { ...sound, live: { ...sound.live, cif: null }, principals: ['public'] }, 'CIF_NOT_EQUAL'],
    ['both differ', { ...sound, bytes: other, principals: ['cif:3'] }, 'SHA_CIF_NOK'],
    ['the bytes cannot be read', { ...sound, bytes: undefined }, 'SHA_CIF_NOK'],
    ['the publication is lost', { ...sound, registered: null }, 'SHA_CIF_NOK'],
    ['the ledger tells the same', { ...sound, statement }, 'SHA_CIF_OK'],
    ['the ledger tells of other bytes', { ...sound, statement: { ...statement, sha256: other } }, 'SHA_NOT_EQUAL'],
    ['the ledger tells of another owner', { ...sound, statement: { ...statement, owner: 'cif:2' } }, 'CIF_NOT_EQUAL'],
    ['the statement in the ledger is lost', { ...sound, statement: 'closed' }, 'SHA_CIF_NOK'],
    [
      'bytes, row and register were changed alike, and the ledger was not',
      { ...sound, statement, bytes: other, live: { ...owner, sha256: other }, registered: { ...owner, sha256: other } },
      'SHA_NOT_EQUAL',
    ],
    [
      'row, register and deliveries name another owner, and the ledger does not',
      { ...sound, statement, live: { ...sound.live, cif: '2' }, registered: { ...sound.registered, cif: '2' }, principals: ['cif:2'] },
      'CIF_NOT_EQUAL',
    ],
  ] as const)('%s: %s', (_, evidence, status) => {
    expect(verdictOf(evidence)).toBe(status);
  });

  test('either owner is an owner', () => {
    const joint = { cif: '1', cif2: '2', group_id: null, sha256 };
    expect(
      verdictOf({ live: joint, registered: joint, statement: { sha256, owner: 'cif:1\ncif:2' }, bytes: sha256, principals: ['cif:2'] }),
    ).toBe('SHA_CIF_OK');
  });

  test('the owner of a group’s document is the group it was delivered to', () => {
    const group = { cif: null, cif2: null, group_id: 'club', sha256 };
    const evidence = { live: group, registered: group, statement: { sha256, owner: 'group:club' }, bytes: sha256 };
    expect(verdictOf({ ...evidence, principals: ['group:club'] })).toBe('SHA_CIF_OK');
    expect(verdictOf({ ...evidence, principals: ['group:others'] })).toBe('CIF_NOT_EQUAL');
  });

  test('the verdict of a public document depends on the hash alone', () => {
    const open = { cif: null, cif2: null, group_id: null, sha256 };
    const evidence = { live: open, registered: open, statement: { sha256, owner: 'public' }, principals: ['public'] };
    expect(verdictOf({ ...evidence, bytes: sha256 })).toBe('SHA_CIF_OK');
    expect(verdictOf({ ...evidence, bytes: other })).toBe('SHA_NOT_EQUAL');
  });
});
