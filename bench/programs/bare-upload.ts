import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { open, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { portOf } from '../../server/src/testing/raw-http.ts';
import { readOrder, say } from '../program.ts';

/* The least that could take a file: bytes over HTTP, hashed on their way to the disk, flushed before the answer. */
const { folder } = z.object({ folder: z.string() }).parse(readOrder());
const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const path = join(folder, randomUUID());
  const hash = createHash('sha256');
  const file = await open(path, 'wx');
  for await (const chunk of request as AsyncIterable<Buffer>) {
    hash.update(chunk);
    await file.appendFile(chunk);
  }
  await file.sync();
  await file.close();
  response.writeHead(201).end(hash.digest('hex'));
  await rm(path);
};
const server = createServer((request, response) => void take(request, response));
server.listen({ host: '127.0.0.1', port: 0 });
await once(server, 'listening');
say({ port: portOf(server) });

process.stdin.resume();
await once(process.stdin, 'end');
server.close();
server.closeAllConnections();
