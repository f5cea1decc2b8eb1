import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { createLog, type Log } from './log.ts';

const canary = 'kN4ry-3f9a';
let lines: string[] = [];
let log: Log;

beforeEach(() => {
  lines = [];
  log = createLog('info', { write: (line) => void lines.push(line) });
});

const entry = (): Record<string, unknown> => JSON.parse(lines.join('')) as Record<string, unknown>;

describe('what could sign a person in is never in a line', () => {
  test.each([
    ['a header', { authorization: canary }],
    ['headers of a request', { headers: { cookie: canary, 'set-cookie': [canary] } }],
    ['something deep', { call: { request: { headers: { Authorization: canary } } } }],
    ['a new client’s password', { items: [{ personalId: '1', initialPassword: canary }] }],
    ['tokens of an identity service', { answer: { access_token: canary, id_token: canary, client_secret: canary } }],
    ['a verifier', { transaction: { codeVerifier: canary } }],
    ['the password of a database', { url: `postgres://pergamin:${canary}@db/pergamin` }],
    ['a header inside a text', { text: `sent authorization: Bearer ${canary}` }],
  ])('a secret in %s is removed from a line', (_, values) => {
    log.info({ before: 1, ...values }, 'something happened');
    expect(lines.join('')).not.toContain(canary);
    expect(entry()).toMatchObject({ before: 1, msg: 'something happened' });
    expect(lines.join('')).toContain('[removed]');
  });

  test('a secret in a message is removed from a line', () => {
    log.info(`connecting to postgres://pergamin:${canary}@db:5432/pergamin`);
    expect(entry()['msg']).toBe('connecting to postgres://[removed]@db:5432/pergamin');
  });

  test('a secret in an error is removed from a line, while stack and cause are kept', () => {
    const cause = Object.assign(new Error('refused'), { config: { password: canary } });
    const error = Object.assign(new Error('not signed in', { cause }), { token: canary, status: 7 });
    log.error({ err: error }, 'failed');
    expect(lines.join('')).not.toContain(canary);
    expect(entry()['err']).toMatchObject({ type: 'Error', status: 7, token: '[removed]' });
    expect(lines.join('')).toContain('refused');
    expect(lines.join('')).toContain('log.test.ts');
  });

  test('a secret in a child’s own fields is removed from a line', () => {
    log.child({ requestId: 'r-1', token: canary }).info('answered');
    expect(lines.join('')).not.toContain(canary);
    expect(entry()).toMatchObject({ requestId: 'r-1', token: '[removed]' });
  });
});

test('an entry is one line, also when a value holds line ends', () => {
  log.info({ name: 'a\r\nb\u001b[31mred\u009b31m\u2028c\u0000' }, 'sent\nby \u001b[2Jsomebody');
  expect(lines).toHaveLength(1);
  // eslint-disable-next-line no-control-regex
  expect(lines[0]?.slice(0, -1)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
  expect(entry()).toMatchObject({ name: 'a\r\nb\u001b[31mred\u009b31m\u2028c\u0000', msg: 'sent\nby \u001b[2Jsomebody' });
});

test('an entry says when and how grave, and nothing of this machine', () => {
  log.warn({ route: '/api/open/x' }, 'slow');
  expect(Object.keys(entry()).toSorted()).toEqual(['level', 'msg', 'route', 'time']);
  expect(entry()['time']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
});

test('a circle is cut, not followed', () => {
  const one: Record<string, unknown> = { name: 'one' };
  one['self'] = one;
  log.info({ one }, 'odd');
  expect(entry()).toMatchObject({ one: { name: 'one' } });
});

test('entries below the level are not written', () => {
  log.debug('details');
  expect(lines).toEqual([]);
});

describe('what PostgreSQL repeats of the values that it refuses is not in a line', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase({ isMigrated: false });
    await database.pool.query(`create table person (id text primary key, age int check (age > 0))`);
    await database.pool.query(`insert into person values ('${canary}', 7)`);
  });
  afterAll(() => database[Symbol.asyncDispose]());

  test.each([
    ['of a row that is there already', `insert into person values ('${canary}', 7)`, 'person_pkey'],
    ['of a row that fits no condition', `insert into person values ('${canary}', -1)`, 'person_age_check'],
    [
      'of a value of another type',
      `insert into person values ('x', '${canary} "quoted"
 ${canary}')`,
      'type integer',
    ],
    ['of a moment that cannot be', `select '${canary}'::timestamptz`, 'timestamp'],
    ['of a number that is too large', `select '99999999999'::int`, 'out of range'],
  ])('%s', async (_, statement, said) => {
    const error: unknown = await database.pool.query(statement).catch((refused: unknown) => refused);
    log.error({ err: error, code: 'INTERNAL_SERVER_ERROR' }, 'call failed');
    expect(lines.join('')).not.toContain(canary);
    expect(lines.join('')).not.toContain('99999999999');
    expect(lines.join('')).toContain(said);
    expect(entry()['err']).toMatchObject({ severity: 'ERROR' });
  });

  test('the error of a broken connection does not bring values of its statements into a line', async () => {
    const broken = Object.assign(new Error('terminated'), { client: { statements: { find: `select '${canary}'` } } });
    log.warn({ err: broken }, 'an idle database connection broke');
    expect(lines.join('')).not.toContain(canary);
    expect(entry()['err']).toMatchObject({ type: 'Error', message: 'terminated' });
  });
});
