import {
  type Checkpoint,
  formatSignature,
  judge,
  parseCheckpoint,
  parseSignatures,
  type Policy,
  proveConsistency,
  type ReadTile,
  type VerifierKey,
  type Witness,
} from '@pergamin/ledger';
import type { Clock } from '#platform/clock/clock.ts';
import type { Db } from '#platform/database/schema.ts';
import type { Log } from '#platform/log/log.ts';
import { outagesOf } from '#platform/log/outages.ts';
import { askWitness, type WitnessAnswer } from '#platform/witnesses/ask-witness.ts';
import * as store from './cosigning.store.ts';

interface Parts {
  readonly db: Db;
  /** Whom the log asks: the witnesses of the policy that have an address. */
  readonly policy: Policy;
  readonly getKey: () => Promise<VerifierKey>;
  readonly readTile: ReadTile;
  /** A checkpoint with the log's own signature that the log does not know. */
  readonly onFork: (evidence: Checkpoint) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
  /** For each witness. Left out: two seconds. */
  readonly timeoutMs?: number;
}

const answerWithinMs = 2_000;
/** A witness that failed is not asked again before, so that one that is down costs little. */
const pauseAfterFailureMs = 30_000;

/** Asks, and asks once more from the size that the witness itself names. */
const askFrom = async (parts: Parts, witness: Witness, { checkpoint, oldSize }: { checkpoint: Checkpoint; oldSize: number }) => {
  const ask = async (from: number): Promise<WitnessAnswer> =>
    askWitness(witness, {
      checkpoint,
      oldSize: from,
      proof: await proveConsistency(from, checkpoint.size, parts.readTile),
      logKey: await parts.getKey(),
      signal: AbortSignal.timeout(parts.timeoutMs ?? answerWithinMs),
    });
  const answer = await ask(oldSize);
  return answer.kind === 'behind' && answer.size !== oldSize ? ask(answer.size) : answer;
};

/** Asks witnesses at once, and keeps what they answer. A witness that fails or lies costs its cosignature and nothing else. */
const createAsking = (parts: Parts) => {
  const { db, onFork, clock, log } = parts;
  const failedAtMs = new Map<string, number>();

  const keep = async (witness: Witness, checkpoint: Checkpoint, answer: WitnessAnswer): Promise<void> => {
    const told = { witness: witness.name, size: checkpoint.size };
    const outage = outagesOf(log).of('witness', { which: witness.name });
    if (answer.kind === 'cosigned') {
      failedAtMs.delete(witness.name);
      outage.worked();
      await store.insertCosignature(db, { ...told, line: formatSignature(answer.signature), at: new Date(answer.at) });
      return;
    }
    failedAtMs.set(witness.name, clock.now().getTime());
    if (answer.kind === 'fork') {
      log.error({ alarm: 'ledger', ...told, seen: answer.evidence.size }, 'a witness shows a history that this log does not know');
      await onFork(answer.evidence);
      return;
    }
    const reason = answer.kind === 'failed' ? answer.reason : `it says that it knows ${answer.size} entries`;
    outage.failed(new Error(`it did not cosign ${checkpoint.size} entries: ${reason}`));
  };

  const askAll = async (checkpoint: Checkpoint, due: readonly Witness[]): Promise<void> => {
    const known = await store.cosignedSizes(
      db,
      due.map(({ name }) => name),
    );
    const asked = due.filter(({ name }) => known.get(name) !== checkpoint.size);
    await Promise.all(
      asked.map(async (witness) =>
        keep(witness, checkpoint, await askFrom(parts, witness, { checkpoint, oldSize: known.get(witness.name) ?? 0 })),
      ),
    );
  };

  const isDue = ({ name }: Witness): boolean => clock.now().getTime() - (failedAtMs.get(name) ?? 0) >= pauseAfterFailureMs;
  return { askAll, isDue };
};

/** Those that can be asked. */
const withAddress = ({ witnesses }: Policy): readonly Witness[] => witnesses.filter(({ url }) => url !== undefined);

/** How far each of those is that can be asked. */
export const readWitnesses = (db: Db, policy: Policy): Promise<readonly store.WitnessAge[]> =>
  store.listWitnessAges(
    db,
    withAddress(policy).map(({ name }) => name),
  );

/** Cosignatures of witnesses outside the organisation. */
export const createCosigning = (parts: Parts) => {
  const { db, policy, log } = parts;
  const witnesses = withAddress(policy);
  const { askAll, isDue } = createAsking(parts);

  /** The checkpoint with every cosignature that is kept of it. */
  const withCosignatures = async (checkpoint: Checkpoint): Promise<Checkpoint> => {
    const lines = await store.listCosignatures(db, checkpoint.size);
    const signatures = [...checkpoint.note.signatures, ...parseSignatures(lines.join(''))];
    return { ...checkpoint, note: { text: checkpoint.note.text, signatures } };
  };

  let running: Promise<void> | undefined;
  let isAskedAgain = false;
  const run = async (): Promise<void> => {
    do {
      isAskedAgain = false;
      const checkpoint = await store.latestHead(db);
      if (checkpoint !== undefined) await askAll(checkpoint, witnesses.filter(isDue));
    } while (isAskedAgain);
  };

  return {
    /** Before a checkpoint is published: whether as many have cosigned it as the policy asks for. Asks those that have not. */
    async hasQuorum(note: string): Promise<boolean> {
      const checkpoint = parseCheckpoint(note);
      await askAll(checkpoint, witnesses);
      return judge(policy, await withCosignatures(checkpoint)).hasQuorum;
    },

    /** The latest published checkpoint; one run at a time, and one more when a checkpoint came meanwhile. Never rejects. */
    followUp(): Promise<void> {
      if (witnesses.length === 0) return Promise.resolve();
      isAskedAgain = true;
      running ??= run()
        .catch((error: unknown) => log.error({ err: error }, 'witnesses could not be asked'))
        .finally(() => {
          running = undefined;
        });
      return running;
    },

    /** What runs now has ended. */
    settled: async (): Promise<void> => running,
  };
};
