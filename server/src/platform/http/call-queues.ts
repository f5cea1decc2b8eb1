import type { Call } from '@pergamin/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ClientCaller, PublisherCaller } from './caller.ts';
import { createFairQueue, type FairQueue } from './fair-queue.ts';
import { networkOf } from './network.ts';

interface Asked {
  readonly call: Call;
  readonly caller: ClientCaller | PublisherCaller | undefined;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly handle: () => Promise<unknown>;
  /** What it gives resolves when all has been handed to the system. */
  readonly send: (answer: unknown) => FastifyReply;
}

/** Admission control: queues in which calls wait, so that no caller can use up the machine. */
export type CallQueues = ReturnType<typeof createCallQueues>;

/** A browser that restores forty windows asks for their lists, values and views at once. */
const waiting = { perCaller: 200, inAll: 1_000 };

/** Many people share a network, and perhaps a slow line. */
const ofNetworks = { perCaller: 400, inAll: 1_000 };

/** Of all callers together, in each process. */
export const heavyCallsAtOnce = 4;
const heavy = { atOnce: heavyCallsAtOnce, perCaller: 2, countsForMs: 1_000, slowCountsForCaller: true, waiting };
/** Longer ones wait for a slow client, which costs no processor time. */
const stream = { atOnce: 8, perCaller: 1, countsForMs: 1_000, waiting };
/** What takes longer waits for something that has a queue of its own, such as a page that is to be drawn. */
const light = { atOnce: 8, perCaller: 2, countsForMs: 50, waiting };

const nameOf = ({ caller, request }: Asked): string => {
  if (caller === undefined) return `network ${networkOf(request.ip)}`;
  return 'keyId' in caller ? `publisher ${caller.keyId}` : `client ${caller.personalId}`;
};

/** Aborted when the connection is closed, before or after the answer. */
export const signalOf = ({ raw }: FastifyReply): AbortSignal => {
  const gone = new AbortController();
  raw.once('close', () => gone.abort());
  return gone.signal;
};

/** For small calls without a session, by network. */
export const createNetworkQueue = (): FairQueue => createFairQueue({ ...light, waiting: ofNetworks });

/** Callers without a session have queues of their own, so that many networks together delay no client. */
export const createCallQueues = () => {
  const clients = { heavy: createFairQueue(heavy), stream: createFairQueue(stream), light: createFairQueue(light) };
  const networks = {
    heavy: createFairQueue({ ...heavy, waiting: ofNetworks }),
    stream: createFairQueue({ ...stream, perCaller: 4, waiting: ofNetworks }),
    light: createNetworkQueue(),
  };
  const publishers = { heavy: createFairQueue({ ...heavy, perCaller: 1 }), stream: createFairQueue(stream) };
  const queueOf = ({ call: { area, load, form }, caller }: Asked) => {
    // Files take as long as their sender does; the rooms that take them have queues for what is to be done with them.
    if (form !== undefined) return undefined;
    if (area === 'publisher') return load === undefined ? undefined : publishers[load];
    if (area !== 'protected' && area !== 'open') return undefined;
    return (caller === undefined ? networks : clients)[load ?? 'light'];
  };
  return {
    /** Throws CALL_NOT_PERMITTED (429) when too many calls of the caller wait, and what `handle` throws. */
    async answer(asked: Asked): Promise<unknown> {
      const { handle, send, reply, call } = asked;
      const respond = async (): Promise<unknown> => send(await handle());
      const queue = queueOf(asked);
      if (queue === undefined) return respond();
      const name = nameOf(asked);
      // A client's export is sent as slowly as its reader reads, one at a time: their lists are not to wait for that.
      if (call.load === 'heavy' && call.area === 'protected' && call.answer === 'bytes')
        return send(await queue.pass(name, handle, signalOf(reply)));
      return queue.pass(name, respond, signalOf(reply));
    },
  };
};
