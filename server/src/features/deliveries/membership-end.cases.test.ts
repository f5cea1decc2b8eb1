import type { CallName } from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { refusal, startMailServer, type MailServer } from '#testing/mail-server.ts';
import { aPdf } from '#testing/pdfs.ts';
import { readToTheEnd } from '#testing/reading.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/** Who has left a group keeps what was delivered to it before, and has nothing of what comes later: asked of every way of reading by itself. */

let portal: TestPortal;
let mail: MailServer;
let refusesWith: Error | undefined;
let client: TestClient;
let before: string;
let after: string;

const publish = async (text: string, groupId = 'leavers'): Promise<string> =>
  (await portal.publish({ type: 'GROUP', groupId, fileName: `${text}.pdf`, pdf: aPdf({ text: `Statut ${text}` }) })).body.id;

const tell = (id: string, receiver = client.personalId) =>
  portal.db.insertInto('notification').values({ receiver, type: 'publication', document_id: id, created_at: portal.clock.now() }).execute();

beforeAll(async () => {
  mail = await startMailServer({
    async onRecipient() {
      if (refusesWith !== undefined) throw refusesWith;
    },
  });
  portal = await startTestPortal({ environment: { SMTP_URL: mail.url } });
  client = await portal.signIn('65000001', { cif: '65001', groups: ['leavers'] });
  before = await publish('dawny');
  portal.clock.advance(1_000);
  await portal.addClient('65000001', { cif: '65001', groups: [] });
  portal.clock.advance(1_000);
  after = await publish('nowy');
  await portal.runJob('document-search:read');
}, 60_000);

afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  await mail[Symbol.asyncDispose]();
});

/** The worker has to do something first; how soon it does is not what is tested. */
const eventually = (check: () => Promise<void>): Promise<void> => vi.waitFor(check, { timeout: 15_000, interval: 20 });

const sha256Of = async (id: string): Promise<string> =>
  (await portal.db.selectFrom('document').select('sha256').where('id', '=', id).executeTakeFirstOrThrow()).sha256;

describe('who has left the group', () => {
  test.each<[CallName, (id: string) => Promise<{ status: number; error: { code: string } | undefined }>]>([
    ['getDocument', (id) => client.call('getDocument', { params: { id } })],
    ['getDocumentHistory', (id) => client.call('getDocumentHistory', { params: { id } })],
    ['getRenderResult', (id) => client.call('getRenderResult', { params: { id }, query: {} })],
    ['getPageImage', (id) => client.call('getPageImage', { params: { id, page: '1' }, query: { width: '1240' } })],
    ['getPageText', (id) => client.call('getPageText', { params: { id, page: '1' } })],
    ['downloadDocument', (id) => client.call('downloadDocument', { params: { id } })],
    ['downloadDocumentsZip', (id) => client.call('downloadDocumentsZip', { body: { ids: [id] } })],
    ['markPage', (id) => client.call('markPage', { params: { id, page: '1' } })],
    ['markRead', (id) => readToTheEnd(client, id)],
  ])('has by %s what was published before, and of what came later learns only that it is not there', async (_name, ask) => {
    expect((await ask(before)).error).toBeUndefined();
    const { status, error } = await ask(after);
    expect([status, error?.code]).toEqual([404, 'DOCUMENT_NOT_FOUND_ERROR']);
  });

  test('has by checkDocument what was published before, and nothing of what came later', async () => {
    const statusOf = async (id: string) => (await client.call('checkDocument', { params: { id }, query: {} })).body.status;
    expect([await statusOf(before), await statusOf(after)]).toEqual(['SHA_CIF_OK', 'DOCUMENT_NOT_EXIST']);
  });

  test('is told of a checksum that was published before, and nothing of one that came later', async () => {
    const statusOf = async (id: string) => (await client.call('checkChecksum', { body: { sha256: await sha256Of(id) } })).body.status;
    expect([await statusOf(before), await statusOf(after)]).toEqual(['SHA_CIF_OK', 'DOCUMENT_NOT_EXIST']);
  });

  test('has in the list what was published before alone', async () => {
    const { items, total } = (await client.call('listOwnDocuments', { body: {} })).body;
    expect([items.map(({ id }) => id), total]).toEqual([[before], 1]);
  });

  test('finds by its words what was published before alone', async () => {
    const { items, total } = (await client.call('searchOwnDocuments', { body: { text: 'statut' } })).body;
    expect([items.map(({ document }) => document.id), total]).toEqual([[before], 1]);
  });

  test('is told in the portal of what was published before alone, even if there is a notification of what came later', async () => {
    const told = async () => {
      const { items } = (await client.call('listNotifications', {})).body;
      return items.flatMap(({ type, value }) => (type === 'publication' ? [value] : []));
    };
    // Marking it as read, as above, settles its notification.
    await portal.db.updateTable('notification').set({ read_at: null }).where('document_id', '=', before).execute();
    expect(await told()).toEqual([before]);
    await tell(after);
    expect(await told()).toEqual([before]);
  });
});

test('a client who joins later has nothing of what was published before, even if there is a notification of it', async () => {
  const reader = await portal.signIn('65000006', { cif: '65006', groups: ['leavers'] });
  expect((await reader.call('getDocument', { params: { id: before } })).status).toBe(404);
  expect((await reader.call('listOwnDocuments', { body: {} })).body).toEqual({ items: [], total: 0 });
  expect((await reader.call('searchOwnDocuments', { body: { text: 'statut' } })).body).toEqual({ items: [], total: 0 });
  await tell(before, '65000006');
  expect((await reader.call('listNotifications', {})).body.items).toEqual([]);
});

test('what is published at the very moment of the end is not the client’s, what is published at the very beginning is', async () => {
  const reader = await portal.signIn('65000002', { cif: '65002' });
  const id = await publish('na granicy');
  const at = (await portal.db.selectFrom('document').select('published_at').where('id', '=', id).executeTakeFirstOrThrow()).published_at;
  if (at === null) throw new Error('not published');
  const status = async (): Promise<number> => (await reader.call('getDocument', { params: { id } })).status;
  const membership = { group_id: 'leavers', cif: '65002' };
  await portal.db
    .insertInto('group_member')
    .values({ ...membership, since: new Date(at.getTime() - 1_000), until: at })
    .execute();
  expect(await status()).toBe(404);
  await portal.db.deleteFrom('group_member').where('cif', '=', '65002').execute();
  await portal.db
    .insertInto('group_member')
    .values({ ...membership, since: at })
    .execute();
  expect(await status()).toBe(200);
});

describe('a mail about a publication', () => {
  const statesOf = async (id: string) =>
    portal.db.selectFrom('notice').select(['receiver', 'state', 'reason']).where('document_id', '=', id).execute();

  test('goes to members of that moment, not to who has left the group before', async () => {
    await portal.addClient('65000003', { cif: '65003', email: 'left@example.com', groups: ['writers'] });
    await portal.addClient('65000004', { cif: '65004', email: 'stays@example.com', groups: ['writers'] });
    await portal.addClient('65000003', { cif: '65003', email: 'left@example.com', groups: [] });
    portal.clock.advance(1_000);
    const id = await publish('do członków', 'writers');
    expect((await statesOf(id)).map(({ receiver }) => receiver)).toEqual(['65000004']);
  });

  test('a mail about a publication that waits is withdrawn when the membership turns out to have ended at the publication', async () => {
    refusesWith = refusal(451, 'later');
    await portal.addClient('65000005', { cif: '65005', email: 'corrected@example.com', groups: ['writers'] });
    portal.clock.advance(1_000);
    const id = await publish('z poprawką', 'writers');
    const ofCorrected = async () => (await statesOf(id)).filter(({ receiver }) => receiver === '65000005');
    // The run has ended, too: the next one is put off by it.
    await eventually(async () => {
      const { rows } = await portal.pool.query(
        `select from notice, graphile_worker.jobs job
         where document_id = $1 and receiver = '65000005' and failures = 1 and job.key like 'notices:' || $1 || '%' and job.locked_at is null`,
        [id],
      );
      expect(rows).toHaveLength(1);
    });
    refusesWith = undefined;
    await portal.pool.query(
      `update group_member set since = document.published_at - interval '1 hour', until = document.published_at
       from document where document.id = $1 and group_member.cif = '65005'`,
      [id],
    );
    mail.received.length = 0;
    portal.clock.advance(15 * 60_000);
    await portal.runJob('notices:sweep');
    await eventually(async () => expect(await ofCorrected()).toMatchObject([{ state: 'failed', reason: 'WITHDRAWN' }]));
    expect(mail.received.flatMap(({ to }) => to)).not.toContain('corrected@example.com');
  });
});
