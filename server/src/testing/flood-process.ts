import { Agent, request } from 'node:http';
import * as z from 'zod/mini';

/*
 * A program for tests: keeps so many requests on the way at once to a port of this machine, each over a connection of its own, until it is told
 * to stop; then it breaks them all off. Says `busy` when all connections are used and the first answer has come.
 */
const order = z.union([
  z.literal('stop'),
  z.object({
    port: z.int(),
    atOnce: z.int(),
    requests: z.array(z.object({ method: z.string(), path: z.string(), headers: z.record(z.string(), z.string()), body: z.string() })),
  }),
]);
type Order = Exclude<z.output<typeof order>, 'stop'>;

/** Gives what stops it, which gives how often each status was answered. */
const flood = ({ port, atOnce, requests }: Order): (() => Record<string, number>) => {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const statuses: Record<string, number> = {};
  let sent = 0;
  let isBusy = false;
  let isOver = false;
  const send = (): void => {
    const next = requests[sent % requests.length];
    if (isOver || next === undefined) return;
    sent += 1;
    const asked = request({ agent, host: '127.0.0.1', port, method: next.method, path: next.path, headers: next.headers });
    asked.on('response', (answer) => {
      const status = String(answer.statusCode);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (!isBusy) process.send?.('busy');
      isBusy = true;
      answer.on('error', () => {});
      answer.resume().on('end', send);
    });
    // Those that are broken off at the end.
    asked.on('error', () => {});
    asked.end(next.body, 'latin1');
  };
  for (let index = 0; index < atOnce; index += 1) send();
  return () => {
    isOver = true;
    agent.destroy();
    return statuses;
  };
};

let stop = (): Record<string, number> => ({});
process.on('message', (message) => {
  const told = order.parse(message);
  if (told === 'stop') process.send?.(stop());
  else stop = flood(told);
});
process.on('disconnect', () => process.exit(0));
