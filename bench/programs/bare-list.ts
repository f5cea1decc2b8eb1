import { once } from 'node:events';
import { type Call, calls, documentQuery } from '@pergamin/contract';
import Fastify from 'fastify';
import type { QueryConfig } from 'pg';
import * as z from 'zod/mini';
import { createDocumentLists } from '../../server/src/features/document-lists/document-lists.door.ts';
import { createMetadata } from '../../server/src/features/metadata/metadata.door.ts';
import { openDatabase } from '../../server/src/platform/database/database.ts';
import type { Context } from '../../server/src/platform/http/route.ts';
import { silentLog } from '../../server/src/platform/log/log.ts';
import { readSettings } from '../../server/src/platform/settings/settings.ts';
import { portOf } from '../../server/src/testing/raw-http.ts';
import { readOrder, say } from '../program.ts';
import { asker } from '../received-list.data.ts';

/*
 * The least that could answer the received list: Fastify without a plugin, the very rows statement of the product, its rows as JSON. No
 * session, no rules, no total, no metadata names.
 */
const order = z
  .object({
    connection: z.object({ host: z.string(), port: z.int(), user: z.string(), database: z.string() }),
    query: documentQuery,
    caller: z._default(z.object({ personalId: z.string(), cif: z.string() }), asker),
  })
  .parse(readOrder());
const { db, pool, close } = openDatabase({ connection: order.connection, maxConnections: 24, log: silentLog() });

/** Lets the product ask once, and notes what. */
const noteRowsStatement = async (): Promise<QueryConfig> => {
  const noted: QueryConfig[] = [];
  const noting = new Proxy(pool, {
    get: (target, property) => {
      if (property !== 'query') return Reflect.get(target, property, target);
      return (asked: QueryConfig | string, given?: unknown[]) => {
        if (typeof asked === 'string') return target.query(asked, given);
        noted.push(asked);
        return target.query(asked);
      };
    },
  });
  const settings = readSettings({});
  const [route] = createDocumentLists({ pool: noting, metadata: createMetadata({ db, settings }), settings }).routes;
  const caller = { sessionId: '', ...order.caller, cif2: null, state: 'ACTIVE' } as const;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the list reads only body and caller, and there is no request
  await route?.handle({ body: order.query, caller } as unknown as Context<Call>);
  const rows = noted.find(({ name: noticed }) => noticed?.startsWith('list-') === true);
  if (rows === undefined) throw new Error('the rows of the received list are no prepared statement any more');
  return rows;
};

const { name = '', text, values = [] } = await noteRowsStatement();
const server = Fastify();
server.post(calls.listOwnDocuments.path, async () => {
  const { rows } = await pool.query({ name, text, values });
  return { items: rows, total: rows.length };
});
await server.listen({ host: '127.0.0.1', port: 0 });
say({ port: portOf(server.server), headers: {} });

process.stdin.resume();
await once(process.stdin, 'end');
await server.close();
await close();
