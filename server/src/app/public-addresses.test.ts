import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance } from 'fastify';
import { openCallLimits } from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isPublicDocument } from '#features/documents/documents.door.ts';
import { createCallLimits } from '#platform/http/call-limit.ts';
import { silentLog } from '#platform/log/log.ts';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';
import { createPublicAddresses } from './public-addresses.ts';

let portal: TestPortal;
let publicId: string;
let privateId: string;

beforeAll(async () => {
  portal = await startTestPortal();
  await portal.signIn('2001', { cif: '8001' });
  publicId = (await portal.publish({ pdf: aPdf({ text: 'public' }), type: 'PUBLIC' })).body.id;
  privateId = (await portal.publish({ pdf: aPdf({ text: 'private' }), cif: '8001' })).body.id;
});

afterAll(() => portal[Symbol.asyncDispose]());

const answering = (isPublic: (id: string) => Promise<boolean>): FastifyInstance => {
  const limits = createCallLimits({ clock: portal.clock, log: silentLog() });
  const hasPage = createPublicAddresses({ isPublic, limits });
  const server = Fastify();
  server.get<{ Params: { id: string } }>('/:id', async (request) => hasPage(request.params.id, request));
  return server;
};
const inDatabase = (id: string): Promise<boolean> => isPublicDocument(portal.db, id);
const ask = async (server: FastifyInstance, id: string): Promise<unknown> => (await server.inject(`/${id}`)).json();

describe('the address of a public document', () => {
  test('is one for a public document alone, in letters of either case', async () => {
    const server = answering(inDatabase);
    expect(await ask(server, publicId)).toBe(true);
    expect(await ask(server, publicId.toUpperCase())).toBe(true);
    for (const id of [privateId, randomUUID(), 'no-id', `${publicId}x`]) expect(await ask(server, id), id).toBe(false);
  });

  test('asks the database for nothing that cannot be an id', async () => {
    const asked: string[] = [];
    const server = answering(async (id) => asked.push(id) > 0);
    expect(await ask(server, "' or true --")).toBe(false);
    expect(asked).toEqual([]);
  });

  test('is answered as one when it cannot be told, so that the page says what is wrong', async () => {
    expect(
      await ask(
        answering(() => Promise.reject(new Error('no database'))),
        privateId,
      ),
    ).toBe(true);
  });

  test('is looked up only so many times a minute for one network', async () => {
    let asked = 0;
    const server = answering(async () => (asked += 1) > 0);
    for (let i = 0; i < openCallLimits.listsPerMinute + 5; i += 1) await ask(server, privateId);
    expect(asked).toBe(openCallLimits.listsPerMinute);
  });
});
