import type { DocumentState } from '@pergamin/contract';
import { describe, expect, test } from 'vitest';
import { createLocalTime } from '#platform/clock/local-time.ts';
import {
  isRetentionOver,
  isTransition,
  mayRemoveBytes,
  type Occasion,
  refusalOfKeeping,
  refusalOfRetention,
  refusalOfState,
  retentionOfClasses,
  type Standing,
} from './life.rules.ts';

/** What may become of a document (R2, T4). */

const states = ['ACTIVE', 'CANCELLED', 'OBSOLETE', 'DELETED', 'FORGOTTEN'] as const satisfies readonly DocumentState[];
const occasions = ['status', 'replacement', 'forgetting'] as const satisfies readonly Occasion[];

/** By R2, written down a second time: the letter of the occasion on which a state becomes another one. */
const expected = `
           ACTIVE CANCELLED OBSOLETE DELETED FORGOTTEN
ACTIVE     .      status    replacement status .
CANCELLED  .      .         .        status  .
OBSOLETE   status .         .        status  .
DELETED    .      .         .        .       forgetting
FORGOTTEN  .      .         .        .       .`;

const [, ...lines] = expected.trim().split('\n');
const cells = new Map(
  lines.flatMap((line) => {
    const [from = '', ...row] = line.trim().split(/ +/);
    return states.map((to, column) => [`${from} ${to}`, row[column]] as const);
  }),
);

const pairs = states.flatMap((from) => states.flatMap((to) => occasions.map((occasion) => ({ from, to, occasion }))));
const standing = (more: Partial<Standing> = {}): Standing => ({
  state: 'ACTIVE',
  legalHold: false,
  retentionDate: null,
  isRemoved: false,
  isReplaced: false,
  ...more,
});
const today = '2026-11-23';
const codeOf = (from: DocumentState, to: DocumentState, more: Partial<Standing> & { isEarly?: boolean } = {}) => {
  const { isEarly = false, ...rest } = more;
  const occasion = to === 'FORGOTTEN' ? 'forgetting' : 'status';
  return refusalOfState(standing({ ...rest, state: from }), { to, occasion, today, isEarly })?.code;
};

describe('a state', () => {
  test.each(pairs)('$from becomes $to on $occasion only where the table of transitions has it', ({ from, to, occasion }) => {
    const isThere = cells.get(`${from} ${to}`) === occasion;
    expect(isTransition({ from, to, occasion })).toBe(isThere);
    expect(refusalOfState(standing({ state: from }), { to, occasion, today })?.code).toBe(isThere ? undefined : 'INVALID_STATUS');
  });

  test('comes into force again only while every later version is taken back', () => {
    expect(codeOf('OBSOLETE', 'ACTIVE')).toBeUndefined();
    expect(codeOf('OBSOLETE', 'ACTIVE', { isReplaced: true })).toBe('INVALID_STATUS');
  });

  const removals = pairs.filter(({ from, to, occasion }) => isTransition({ from, to, occasion }) && ['DELETED', 'FORGOTTEN'].includes(to));

  test.each(removals)('$from becomes $to neither under a legal hold nor before the end of the retention', ({ from, to }) => {
    expect(removals).toHaveLength(4);
    expect(codeOf(from, to)).toBeUndefined();
    expect(codeOf(from, to, { legalHold: true })).toBe('DOCUMENT_REMOVE_ERROR');
    expect(codeOf(from, to, { retentionDate: '2026-11-24' })).toBe('DOCUMENT_RETENTION_ERROR');
    expect(codeOf(from, to, { retentionDate: 'infinity' })).toBe('DOCUMENT_RETENTION_ERROR');
    expect(codeOf(from, to, { retentionDate: '2026-11-22' })).toBeUndefined();
  });

  test.each(removals)('$from becomes $to early by permission, which no legal hold gives way to', ({ from, to }) => {
    expect(codeOf(from, to, { retentionDate: '2031-12-31', isEarly: true })).toBeUndefined();
    expect(codeOf(from, to, { retentionDate: '2031-12-31', isEarly: true, legalHold: true })).toBe('DOCUMENT_REMOVE_ERROR');
  });

  test('is cancelled and superseded whatever holds or retains the document, as it stays', () => {
    const kept = standing({ legalHold: true, retentionDate: 'infinity' });
    expect(refusalOfState(kept, { to: 'CANCELLED', occasion: 'status', today })).toBeUndefined();
    expect(refusalOfState(kept, { to: 'OBSOLETE', occasion: 'replacement', today })).toBeUndefined();
  });
});

describe('the retention', () => {
  const { dayOf } = createLocalTime('Europe/Warsaw');
  const isOverAt = (moment: string, retentionDate: string): boolean => isRetentionOver(retentionDate, dayOf(new Date(moment)));

  test.each([
    ['in winter', '2026-11-23', '2026-11-23T22:59:59.999Z', '2026-11-23T23:00:00.000Z'],
    ['in summer', '2026-07-15', '2026-07-15T21:59:59.999Z', '2026-07-15T22:00:00.000Z'],
    ['on the day before summer time begins', '2026-03-28', '2026-03-28T22:59:59.999Z', '2026-03-28T23:00:00.000Z'],
    ['on the short day on which summer time begins', '2026-03-29', '2026-03-29T21:59:59.999Z', '2026-03-29T22:00:00.000Z'],
    ['on the day before summer time ends', '2026-10-24', '2026-10-24T21:59:59.999Z', '2026-10-24T22:00:00.000Z'],
    ['on the long day on which summer time ends', '2026-10-25', '2026-10-25T22:59:59.999Z', '2026-10-25T23:00:00.000Z'],
    ['at the end of a year', '2026-12-31', '2026-12-31T22:59:59.999Z', '2026-12-31T23:00:00.000Z'],
    ['on a leap day', '2028-02-29', '2028-02-29T22:59:59.999Z', '2028-02-29T23:00:00.000Z'],
  ])('is over at the midnight of the organisation that ends its last day, %s', (_when, day, last, first) => {
    expect([isOverAt(last, day), isOverAt(first, day)]).toEqual([false, true]);
  });

  test('is never over when it is for ever, and does not exist when none was set', () => {
    expect(isOverAt('9999-12-30T12:00:00Z', 'infinity')).toBe(false);
    expect(isRetentionOver(null, '0001-01-01')).toBe(true);
  });

  test.each([
    [null, '2026-11-23', undefined],
    [null, '2026-11-22', 'VALIDATION_ERROR'],
    ['2020-01-01', '2026-11-22', 'VALIDATION_ERROR'],
    [null, 'infinity', undefined],
    ['2031-12-31', '2032-01-01', undefined],
    ['2031-12-31', '2031-12-31', undefined],
    ['2031-12-31', 'infinity', undefined],
    ['2031-12-31', '2031-12-30', 'DOCUMENT_RETENTION_ERROR'],
    ['infinity', '9999-12-31', 'DOCUMENT_RETENTION_ERROR'],
  ])('that ends on %s is extended to %s, or refused: %s', (retentionDate, until, code) => {
    expect(refusalOfRetention(standing({ retentionDate }), { until, today })?.code).toBe(code);
  });

  test('of each class that has one ends so many years after the publication', () => {
    expect(retentionOfClasses('2026-11-23', { private: 10, public: 1 })).toEqual({ private: '2036-11-23', public: '2027-11-23' });
  });

  test('of years from a leap day ends on the last of February', () => {
    expect(retentionOfClasses('2028-02-29', { private: 1, statement: 4 })).toEqual({ private: '2029-02-28', statement: '2032-02-29' });
  });
});

describe('what is gone', () => {
  test('can be neither held nor retained', () => {
    expect(refusalOfKeeping(standing({ state: 'DELETED' }))).toBeUndefined();
    expect(refusalOfKeeping(standing({ state: 'DELETED', isRemoved: true }))?.code).toBe('INVALID_STATUS');
    expect(refusalOfKeeping(standing({ state: 'FORGOTTEN' }))?.code).toBe('INVALID_STATUS');
    expect(refusalOfRetention(standing({ state: 'FORGOTTEN' }), { until: '2031-12-31', today })?.code).toBe('INVALID_STATUS');
  });

  test.each(states)(
    'a document that is %s loses its bytes only when it was taken away, is not held, and its retention is over',
    (state) => {
      const may = (more: Partial<Standing> = {}) => mayRemoveBytes(standing({ state, ...more }), today);
      const isGone = state === 'DELETED' || state === 'FORGOTTEN';
      expect([may(), may({ retentionDate: '2026-11-22' })]).toEqual([isGone, isGone]);
      expect(may({ legalHold: true })).toBe(false);
      // One that was forgotten before the end of its retention was so by permission.
      expect(may({ retentionDate: today })).toBe(state === 'FORGOTTEN');
    },
  );
});
