import type { Statement } from '@pergamin/ledger';
import { describe, expect, test } from 'vitest';
import { hashOfLines, hashOfMetadata, hashOfPublication, nothingStated, type Said, type Stated } from '#features/ledger/ledger.door.ts';
import { type CheckedEvidence, verdictOf } from './checks.rules.ts';
import { compareStated, entryStateOf } from './differences.rules.ts';
import type { LiveRow, RegisteredRow } from './evidence.store.ts';

const sha256 = 'a'.repeat(64);
const other = 'b'.repeat(64);
const at = Date.UTC(2026, 2, 3, 10);
const dayMs = 86_400_000;
const lines = 'fileName="Umowa.pdf"\nkind="private"\nversion=1';
const retentionDate = '2036-03-03';

const live: LiveRow = {
  cif: '1',
  cif2: null,
  group_id: null,
  sha256,
  size: 1_000,
  type: 'PRIVATE',
  kind: 'private',
  state: 'ACTIVE',
  isWithdrawn: false,
  retentionDate,
  publishedAt: at,
  lines,
};
const registered: RegisteredRow = { cif: '1', cif2: null, group_id: null, sha256, size: 1_000, at, retentionDate };
const delivery = { principal: 'cif:1', kind: 'private', at, isOnItsDay: true };

const statement: Statement = {
  event: 'PUBLISHED',
  time: at - 5,
  documentId: 'one',
  sha256,
  size: 1_000,
  owner: 'cif:1',
  type: 'PRIVATE',
  state: 'ACTIVE',
  previous: '0'.repeat(64),
  metadata: hashOfPublication({ lines, moment: null, retentionDate }),
  salt: other,
};

const said = (changes: Partial<Statement> = {}, index = 0): Said => ({
  index,
  commitment: Buffer.alloc(32),
  bytes: Buffer.alloc(1),
  statement: { ...statement, ...changes },
  coveredAt: at,
});
const gone: Said = { ...said(), bytes: null, statement: undefined };

const publishedBy = (...publications: readonly Said[]): Stated => ({ ...nothingStated, publications, last: publications.at(-1) });

const sound: CheckedEvidence = {
  live,
  registered,
  deliveries: [delivery],
  stated: publishedBy(said()),
  bytes: sha256,
  principals: ['cif:1'],
};
const unentered = { ...sound, stated: nothingStated };

describe('the verdict of a check', () => {
  test.each([
    ['everything is as it was published', sound, 'SHA_CIF_OK'],
    ['the bytes are others', { ...sound, bytes: other }, 'SHA_NOT_EQUAL'],
    ['the checksum was changed', { ...sound, live: { ...live, sha256: other } }, 'SHA_NOT_EQUAL'],
    ['bytes and checksum were changed alike', { ...sound, bytes: other, live: { ...live, sha256: other } }, 'SHA_NOT_EQUAL'],
    ['the owner was changed', { ...sound, live: { ...live, cif: '2' } }, 'CIF_NOT_EQUAL'],
    ['a second owner was added', { ...sound, live: { ...live, cif2: '2' } }, 'CIF_NOT_EQUAL'],
    ['it reached a client whom the register does not name', { ...sound, principals: ['cif:3'] }, 'CIF_NOT_EQUAL'],
    ['an owned document was made public', { ...sound, live: { ...live, cif: null }, principals: ['public'] }, 'CIF_NOT_EQUAL'],
    ['both differ', { ...sound, bytes: other, principals: ['cif:3'] }, 'SHA_CIF_NOK'],
    ['the bytes cannot be read', { ...sound, bytes: undefined }, 'SHA_CIF_NOK'],
    ['the publication is lost', { ...sound, registered: null }, 'SHA_CIF_NOK'],
    ['the ledger tells of other bytes', { ...sound, stated: publishedBy(said({ sha256: other })) }, 'SHA_NOT_EQUAL'],
    ['the ledger tells of another owner', { ...sound, stated: publishedBy(said({ owner: 'cif:2' })) }, 'CIF_NOT_EQUAL'],
    ['the statement in the ledger is lost', { ...sound, stated: publishedBy(gone) }, 'SHA_CIF_NOK'],
    [
      'bytes, row and register were changed alike, and the ledger was not',
      { ...sound, bytes: other, live: { ...live, sha256: other }, registered: { ...registered, sha256: other } },
      'SHA_NOT_EQUAL',
    ],
    [
      'row, register and deliveries name another owner, and the ledger does not',
      {
        ...sound,
        live: { ...live, cif: '2' },
        registered: { ...registered, cif: '2' },
        deliveries: [{ ...delivery, principal: 'cif:2' }],
        principals: ['cif:2'],
      },
      'CIF_NOT_EQUAL',
    ],
    ['neither bytes nor owner, but something else differs', { ...sound, live: { ...live, state: 'CANCELLED' } }, 'SHA_CIF_NOK'],
    ['nothing is entered, and bytes and owner are those of the register', unentered, 'SHA_CIF_OK'],
  ] as const)('%s: %s', (_, evidence, status) => {
    expect(verdictOf(evidence)).toBe(status);
  });

  const joint = {
    ...sound,
    live: { ...live, cif2: '2' },
    registered: { ...registered, cif2: '2' },
    deliveries: [delivery, { ...delivery, principal: 'cif:2' }],
    principals: ['cif:2'],
  };

  test('either owner is an owner, whether one statement names both or each has one of their own', () => {
    for (const stated of [publishedBy(said({ owner: 'cif:1\ncif:2' })), publishedBy(said(), said({ owner: 'cif:2' }, 1))])
      expect([verdictOf({ ...joint, stated }), entryStateOf({ ...joint, stated })]).toEqual(['SHA_CIF_OK', 'PROVED']);
  });

  test('the entry of one of two owners is missing, whatever is stated to the other', () => {
    expect(entryStateOf({ ...joint, stated: publishedBy(said()) })).toBe('MISSING');
  });

  test('the owner of a group’s document is the group it was delivered to', () => {
    const owner = { cif: null, group_id: 'club' };
    const evidence = {
      ...sound,
      live: { ...live, ...owner, type: 'GROUP' as const },
      registered: { ...registered, ...owner },
      deliveries: [{ ...delivery, principal: 'group:club' }],
      stated: publishedBy(said({ owner: 'group:club', type: 'GROUP' })),
    };
    expect(verdictOf({ ...evidence, principals: ['group:club'] })).toBe('SHA_CIF_OK');
    expect(verdictOf({ ...evidence, principals: ['group:others'] })).toBe('CIF_NOT_EQUAL');
  });
});

describe('what of a document differs from its statements', () => {
  const withLive = (changes: Partial<LiveRow>): CheckedEvidence => ({ ...sound, live: { ...live, ...changes } });
  const extendedTo = (day: string): Stated => {
    const extension = said({ event: 'RETENTION_EXTENDED', metadata: hashOfMetadata({ retentionDate: day }) }, 1);
    return { ...publishedBy(said()), last: extension, extension };
  };

  test.each([
    ['nothing', sound, [], []],
    ['the row is dated earlier', withLive({ publishedAt: at - 400 * dayMs }), ['TIME'], []],
    [
      'row, register and delivery are dated earlier alike',
      {
        ...withLive({ publishedAt: at - 400 * dayMs }),
        registered: { ...registered, at: at - 400 * dayMs },
        deliveries: [{ ...delivery, at: at - 400 * dayMs }],
      },
      ['TIME'],
      [],
    ],
    [
      'row, register and delivery are dated later alike',
      {
        ...withLive({ publishedAt: at + dayMs }),
        registered: { ...registered, at: at + dayMs },
        deliveries: [{ ...delivery, at: at + dayMs }],
      },
      ['TIME'],
      [],
    ],
    ['a delivery is dated earlier', { ...sound, deliveries: [{ ...delivery, at: at - 1 }] }, ['TIME'], []],
    ['a delivery stands on another day of the list', { ...sound, deliveries: [{ ...delivery, isOnItsDay: false }] }, ['TIME'], []],
    ['it was renamed', withLive({ lines: lines.replace('Umowa', 'Aneks') }), ['METADATA'], ['RETENTION']],
    ['its type was changed', withLive({ type: 'GROUP' }), ['TYPE'], []],
    ['its size was changed', withLive({ size: 999 }), ['SIZE'], []],
    ['it was cancelled in the row alone', withLive({ state: 'CANCELLED' }), ['STATE'], []],
    ['its retention ends earlier', withLive({ retentionDate: '2020-01-01' }), ['RETENTION'], []],
    ['its retention is gone', withLive({ retentionDate: null }), ['RETENTION'], []],
    ['its retention ends later, and nobody extended it', withLive({ retentionDate: '2050-01-01' }), ['RETENTION'], []],
    ['its retention was extended', { ...withLive({ retentionDate: '2050-01-01' }), stated: extendedTo('2050-01-01') }, [], []],
    ['an extension was taken back', { ...sound, stated: extendedTo('2050-01-01') }, ['RETENTION'], []],
    ['it was delivered to a stranger, too', { ...sound, deliveries: [delivery, { ...delivery, principal: 'cif:9' }] }, ['RECIPIENTS'], []],
    ['its delivery was removed', { ...sound, deliveries: [] }, ['RECIPIENTS'], []],
    ['it was moved to another list', { ...sound, deliveries: [{ ...delivery, kind: 'statement' }] }, ['RECIPIENTS'], []],
    [
      'a change waits to be entered',
      {
        ...withLive({ state: 'CANCELLED' }),
        stated: { ...publishedBy(said()), pending: [{ event: 'STATE_CHANGED', state: 'CANCELLED', metadata: '' }] },
      },
      [],
      ['STATE'],
    ],
    ['nothing is entered', unentered, [], ['TIME', 'METADATA', 'TYPE', 'SIZE', 'STATE', 'RETENTION']],
  ] as const)('%s', (_, evidence, differences, notCompared) => {
    expect(compareStated(evidence)).toEqual({ differences, notCompared });
  });

  test('a statement of before names no retention, and may tell of what was published long before: neither is said to be right', () => {
    const before = publishedBy(said({ metadata: hashOfLines(lines) }));
    expect(compareStated({ ...sound, stated: before })).toEqual({ differences: [], notCompared: ['RETENTION'] });
    const earlier = at - 400 * dayMs;
    const old = {
      ...withLive({ publishedAt: earlier }),
      registered: { ...registered, at: earlier },
      deliveries: [{ ...delivery, at: earlier }],
      stated: before,
    };
    expect(compareStated(old)).toEqual({ differences: [], notCompared: ['TIME', 'RETENTION'] });
  });

  test('a moment that was asked for stands in the statement, and no other one passes for it', () => {
    const moment = at - 30 * dayMs;
    const stated = publishedBy(said({ metadata: hashOfPublication({ lines, moment, retentionDate }) }));
    const dated = (ms: number): CheckedEvidence => ({
      ...withLive({ publishedAt: ms }),
      registered: { ...registered, at: ms },
      deliveries: [{ ...delivery, at: ms }],
      stated,
    });
    expect(compareStated(dated(moment)).differences).toEqual([]);
    expect(compareStated(dated(moment - dayMs)).differences).toEqual(['METADATA']);
  });

  test('a document without an entry is missing one, unless it waits for it', () => {
    const pending = [{ event: 'PUBLISHED' as const, state: 'ACTIVE' as const, metadata: '' }];
    expect([entryStateOf(unentered), entryStateOf({ ...unentered, stated: { ...nothingStated, pending } })]).toEqual([
      'MISSING',
      'WAITING',
    ]);
  });
});
