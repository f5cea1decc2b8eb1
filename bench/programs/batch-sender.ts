import { Agent, type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { calls, requestOf } from '@pergamin/contract';
import * as z from 'zod/mini';
import { descriptionOf, partsAtOnce, pdfOf, perPart } from '../batch.data.ts';
import { say } from '../program.ts';

/*
 * Sends documents in parts, as the command line does. Hears lines of JSON: where, as whom, of which batch, and the numbers of the documents;
 * without a batch their bytes alone. Answers when all are sent.
 */
const order = z.object({
  port: z.int(),
  headers: z.record(z.string(), z.string()),
  batch: z.optional(z.object({ id: z.string(), name: z.string() })),
  from: z.int(),
  count: z.int(),
});
type Order = z.output<typeof order>;

const boundary = 'a-line-that-is-in-no-file';
const answered = z.object({ accepted: z.array(z.unknown()), refused: z.array(z.unknown()) });

const formOf = (name: string, numbers: readonly number[]): Buffer =>
  Buffer.concat([
    ...numbers.flatMap((nth) => [
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="description"\r\n\r\n${JSON.stringify(descriptionOf(name, nth))}\r\n` +
          `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${nth}.pdf"\r\ncontent-type: application/pdf\r\n\r\n`,
      ),
      pdfOf(nth),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);

const sendPart = async (agent: Agent, { port, headers, batch }: Order, numbers: readonly number[]): Promise<void> => {
  const body = batch === undefined ? Buffer.concat(numbers.map(pdfOf)) : formOf(batch.name, numbers);
  const path = batch === undefined ? '/' : requestOf(calls.addToBatch, { params: { id: batch.id }, form: new FormData() }).path;
  const type = batch === undefined ? {} : { 'content-type': `multipart/form-data; boundary=${boundary}` };
  const asked = request({
    agent,
    host: '127.0.0.1',
    port,
    path,
    method: 'POST',
    headers: { ...headers, ...type, 'content-length': body.length },
  });
  const response = Promise.withResolvers<IncomingMessage>();
  asked.once('response', response.resolve).once('error', response.reject);
  asked.end(body);
  const answer = await response.promise;
  const said = await text(answer);
  if (batch === undefined ? answer.statusCode !== 201 : answer.statusCode !== 200)
    throw new Error(`answered ${answer.statusCode}: ${said}`);
  if (batch !== undefined && answered.parse(JSON.parse(said)).accepted.length !== numbers.length) throw new Error(said.slice(0, 500));
};

say({});
for await (const line of createInterface({ input: process.stdin })) {
  const sent = order.parse(JSON.parse(line));
  const numbers = Array.from({ length: sent.count }, (_, index) => sent.from + index);
  // Of this time alone: meanwhile the portal closes connections that are not used.
  const agent = new Agent({ keepAlive: true });
  const lane = async (): Promise<void> => {
    while (numbers.length > 0) await sendPart(agent, sent, numbers.splice(0, perPart));
  };
  await Promise.all(Array.from({ length: partsAtOnce }, lane));
  agent.destroy();
  say({});
}
