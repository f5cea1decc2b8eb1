import { notificationLimits } from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isNightly } from '#testing/nightly.ts';
import { aPdf } from '#testing/pdfs.ts';
import { readToTheEnd } from '#testing/reading.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
/** A client to whom nothing is delivered but what is public. */
let bystander: TestClient;

beforeAll(async () => {
  portal = await startTestPortal();
  bystander = await portal.signIn('61000000', { cif: '61000' });
});

afterAll(() => portal[Symbol.asyncDispose]());

const listed = async (client: TestClient) => (await client.call('listNotifications', {})).body.items;
const names = async (client: TestClient): Promise<string[]> => (await listed(client)).map((item) => item.name);

const publish = async (description: Omit<Parameters<TestPortal['publish']>[0], 'pdf'>): Promise<string> =>
  (await portal.publish({ ...description, pdf: aPdf({ text: `${description.fileName} ${Math.random()}` }) })).body.id;

const setState = (id: string, state: string) => portal.pool.query('update document set state = $2 where id = $1', [id, state]);

describe('a publication', () => {
  test('is told to the owner of the document only', async () => {
    const owner = await portal.signIn('61000001', { cif: '61001' });
    const before = portal.clock.now().getTime();
    const id = await publish({ cif: '61001', fileName: 'Umowa.pdf' });
    const items = await listed(owner);
    expect(items).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
        type: 'publication',
        value: id,
        name: 'Umowa.pdf',
        receiver: '61000001',
        timestamp: expect.any(Number) as unknown,
        read: false,
      },
    ]);
    expect(items[0]?.timestamp).toBeGreaterThanOrEqual(before);
    expect(await listed(bystander)).toEqual([]);
  });

  test('a publication for two customer numbers is told once to a person who has both, and once to each person behind them', async () => {
    const both = await portal.signIn('61000011', { cif: '61011', cif2: '61012' });
    const second = await portal.signIn('61000012', { cif: '61012' });
    const bySecondNumber = await portal.signIn('61000013', { cif: '61013', cif2: '61011' });
    await publish({ cif: '61011', cif2: '61012', fileName: 'Wspólna.pdf' });
    for (const client of [both, second, bySecondNumber]) expect(await names(client)).toEqual(['Wspólna.pdf']);
  });

  test('a publication for a group is told to its members of that moment', async () => {
    const [member, gone] = [
      await portal.signIn('61000021', { cif: '61021', groups: ['board'] }),
      await portal.signIn('61000022', { cif: '61022', groups: ['board'] }),
    ];
    const byBothNumbers = await portal.signIn('61000023', { cif: '61023', cif2: '61021', groups: ['board'] });
    await portal.addClient('61000022', { cif: '61022', groups: [] });
    await publish({ type: 'GROUP', groupId: 'board', fileName: 'Uchwała.pdf' });
    const late = await portal.signIn('61000024', { cif: '61024', groups: ['board'] });
    expect(await names(member)).toEqual(['Uchwała.pdf']);
    expect(await names(byBothNumbers)).toEqual(['Uchwała.pdf']);
    for (const client of [gone, late]) expect(await names(client)).toEqual([]);
  });

  test('a publication for a group of many is told to them all', async () => {
    const many = isNightly ? 20_000 : 2_000;
    await portal.pool.query(`
      insert into client (personal_id, cif, first_name, last_name) select 'many-' || n, 'many-' || n, 'A', 'B' from generate_series(1, ${many}) n;
      insert into group_member (group_id, cif, since) select 'many', 'many-' || n, '2020-01-01' from generate_series(1, ${many}) n`);
    const id = await publish({ type: 'GROUP', groupId: 'many', fileName: 'Do wszystkich.pdf' });
    const told = await portal.pool.query<{ count: number }>('select count(*) as count from notification where document_id = $1', [id]);
    expect(told.rows).toEqual([{ count: many }]);
  });

  test('a publication for everybody causes no notification', async () => {
    await publish({ type: 'PUBLIC', fileName: 'Cennik.pdf' });
    expect(await listed(bystander)).toEqual([]);
  });

  test('a notification of a publication is settled only for the client who reads the document to its end', async () => {
    const [reader, other] = [
      await portal.signIn('61000071', { cif: '61071' }),
      await portal.signIn('61000072', { cif: '61072', cif2: '61071' }),
    ];
    const id = await publish({ cif: '61071', fileName: 'Przeczytana.pdf' });
    await publish({ cif: '61071', fileName: 'Nieprzeczytana.pdf' });
    expect((await readToTheEnd(reader, id)).status).toBe(204);
    expect(await names(reader)).toEqual(['Nieprzeczytana.pdf']);
    expect(await names(other)).toEqual(['Nieprzeczytana.pdf', 'Przeczytana.pdf']);
  });

  test('a publication that is repeated, or fails, tells nothing more', async () => {
    const client = await portal.signIn('61000041', { cif: '61041' });
    const pdf = aPdf({ text: 'once' });
    for (let times = 0; times < 3; times += 1) await portal.publish({ cif: '61041', uniqueName: 'once', fileName: 'Raz.pdf', pdf });
    await portal.publish({ cif: '61041', uniqueName: 'once', fileName: 'Raz.pdf', pdf: aPdf({ text: 'other bytes' }) });
    expect(await names(client)).toEqual(['Raz.pdf']);
  });

  test.each([
    ['a month ago is no news', 1_000, []],
    ['a little less ago is news of that day', -60_000, ['Stary.pdf']],
  ])('dated back to %s', async (_what, olderByMs, expected) => {
    const demo = await portal.keys.issue({ name: 'demo', scopes: ['documents:publish'], demo: true });
    const client = await portal.signIn(`6100005${expected.length}`, { cif: `6105${expected.length}` });
    const publishedAt = portal.clock.now().getTime() - notificationLimits.newsForMs - olderByMs;
    const form = new FormData();
    const description = { type: 'PRIVATE', cif: `6105${expected.length}`, fileName: 'Stary.pdf', metadata: {}, publishedAt };
    form.set('description', JSON.stringify(description));
    form.set('file', new Blob([Uint8Array.from(aPdf({ text: `${olderByMs}` }))], { type: 'application/pdf' }), 'a.pdf');
    const published = await portal.publisher.call('publishDocument', { form }, { authorization: `Bearer ${demo}` });
    expect(published.body.publishedAt).toBe(publishedAt);
    const items = await listed(client);
    expect(items.map((item) => [item.name, item.timestamp])).toEqual(expected.map((name) => [name, publishedAt]));
  });
});

describe('a document that is gone', () => {
  test.each(['DELETED', 'FORGOTTEN'])('(%s) is not told of any more', async (state) => {
    const client = await portal.signIn(`6200000${state.length}`, { cif: `6200${state.length}` });
    const id = await publish({ cif: `6200${state.length}`, fileName: 'Tajne.pdf' });
    expect(await names(client)).toEqual(['Tajne.pdf']);
    await setState(id, state);
    expect((await client.call('listNotifications', {})).bytes.toString()).toBe('{"items":[]}');
  });

  test('is not told of to a person who is another customer by now', async () => {
    const client = await portal.signIn('62000021', { cif: '62021' });
    await publish({ cif: '62021', fileName: 'Dawna.pdf' });
    await portal.addClient('62000021', { cif: '62022' });
    expect((await listed(client)).map((item) => item.type)).toEqual(['account_update']);
  });
});

describe('a change of the client’s data', () => {
  const record = { cif: '63001', firstName: 'Ewa', lastName: 'Lis', email: 'ewa@example.com' };

  test('is told to the client; becoming one is not, nor is an import that changes nothing', async () => {
    const client = await portal.signIn('63000001', record);
    await portal.addClient('63000001', record);
    expect(await listed(client)).toEqual([]);
    await portal.addClient('63000001', { ...record, lastName: 'Lis-Nowak' });
    expect((await listed(client)).map(({ type, value, name, receiver }) => ({ type, value, name, receiver }))).toEqual([
      { type: 'account_update', value: '63000001', name: '', receiver: '63000001' },
    ]);
  });

  test('is told to those who changed among a thousand, and only with the whole import', async () => {
    const [changed, same] = [await portal.signIn('63000011', { cif: '63011' }), await portal.signIn('63000012', { cif: '63012' })];
    const items = [
      { personalId: '63000011', cif: '63011', firstName: 'Jan', lastName: 'Nowak' },
      { personalId: '63000012', cif: '63012', firstName: 'Anna', lastName: 'Nowak' },
    ];
    await portal.publisher.call('upsertClients', { body: { items: [...items, ...items] } });
    expect(await listed(changed)).toEqual([]);
    await portal.publisher.call('upsertClients', { body: { items } });
    expect([(await listed(changed)).length, (await listed(same)).length]).toEqual([1, 0]);
  });
});

describe('the bell', () => {
  test('shows the newest first, no more than a hundred, and the rest when these are read', async () => {
    const client = await portal.signIn('64000001', { cif: '64001' });
    await publish({ cif: '64001', fileName: 'Pierwsza.pdf' });
    await portal.pool.query(
      `insert into notification (receiver, type, created_at)
       select '64000001', 'account_update', now() + make_interval(secs => n) from generate_series(1, 100) n`,
    );
    const items = await listed(client);
    const times = items.map((item) => item.timestamp);
    expect([items.length, times]).toEqual([100, times.toSorted((left, right) => right - left)]);
    expect(items.map((item) => item.type)).not.toContain('publication');
    await client.call('readNotification', { params: { id: items[0]?.id ?? '' } });
    expect((await names(client)).at(-1)).toBe('Pierwsza.pdf');
  });

  test('forgets what was read, however often it is told so, and sweeps it away after three months', async () => {
    const client = await portal.signIn('64000011', { cif: '64011' });
    await publish({ cif: '64011', fileName: 'A.pdf' });
    await publish({ cif: '64011', fileName: 'B.pdf' });
    const item = (await listed(client)).find(({ name }) => name === 'A.pdf');
    for (let times = 0; times < 3; times += 1)
      expect((await client.call('readNotification', { params: { id: item?.id.toUpperCase() ?? '' } })).status).toBe(204);
    expect(await names(client)).toEqual(['B.pdf']);
    const kept = async () =>
      (await portal.pool.query<{ read: boolean }>(`select read_at is not null as read from notification where receiver = '64000011'`)).rows;
    await portal.runJob('notifications:sweep');
    expect(await kept()).toHaveLength(2);
    portal.clock.advance(notificationLimits.readKeptMs + 1);
    await portal.runJob('notifications:sweep');
    expect(await kept()).toEqual([{ read: false }]);
  });

  test('goes with the demonstration', async () => {
    const demo = await portal.keys.issue({ name: 'demo', scopes: ['documents:publish', 'clients:write'], demo: true });
    const headers = { authorization: `Bearer ${demo}` };
    const person = { personalId: '64000021', cif: '64021', firstName: 'Demo', lastName: 'Demo' };
    for (const lastName of ['Demo', 'Changed'])
      await portal.publisher.call('upsertClients', { body: { items: [{ ...person, lastName }] } }, headers);
    const form = new FormData();
    form.set('description', JSON.stringify({ type: 'PRIVATE', cif: '64021', fileName: 'Demo.pdf', metadata: {} }));
    form.set('file', new Blob([Uint8Array.from(aPdf())], { type: 'application/pdf' }), 'a.pdf');
    await portal.publisher.call('publishDocument', { form }, headers);
    const count = async () => (await portal.pool.query(`select from notification where receiver = '64000021'`)).rowCount;
    expect(await count()).toBe(2);
    expect((await portal.publisher.call('removeDemo', {})).status).toBe(200);
    expect(await count()).toBe(0);
  });
});
