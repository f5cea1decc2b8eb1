import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { portOf } from '../../server/src/testing/raw-http.ts';
import { fileBytes } from '../batch.data.ts';
import { readOrder, say } from '../program.ts';

/* The least that could take the files of a part: each hashed, written and flushed before the answer. */
const { folder } = z.object({ folder: z.string() }).parse(readOrder());

const keep = async (bytes: Buffer): Promise<string> => {
  const hash = createHash('sha256').update(bytes).digest('hex');
  const file = await open(join(folder, randomUUID()), 'wx');
  await file.writeFile(bytes);
  await file.sync();
  await file.close();
  return hash;
};

const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const hashes: string[] = [];
  let file: Buffer[] = [];
  let missing = fileBytes;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    let rest = chunk;
    while (rest.length >= missing) {
      hashes.push(await keep(Buffer.concat([...file, rest.subarray(0, missing)])));
      rest = rest.subarray(missing);
      file = [];
      missing = fileBytes;
    }
    file.push(rest);
    missing -= rest.length;
  }
  response.writeHead(201).end(hashes.join('\n'));
};
const server = createServer((request, response) => void take(request, response));
server.listen({ host: '127.0.0.1', port: 0 });
await once(server, 'listening');
say({ port: portOf(server) });

process.stdin.resume();
await once(process.stdin, 'end');
server.close();
server.closeAllConnections();
