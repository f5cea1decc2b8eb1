import { compareCheckpointHere, type KeptComparison } from '#app/start.ts';
import { isForOperator } from './for-operator.ts';

/* What `pergamin audit --checkpoint` runs. Standard output has the verdict alone. Exit code 0: a part of this log, 1: not so, 2: not compared. */

const unsigned = 'it bears no signature of the ledger, so that it proves nothing by itself: anybody could have written these figures';
const twoHistories = 'both are signed by the key of this ledger: it had two histories. Keep this checkpoint, it proves that';
const isCut = 'it is signed by the key of this ledger: the ledger was cut, or its database is that of an older backup';

interface Told {
  readonly code: 0 | 1 | 2;
  readonly says: (kept: NonNullable<KeptComparison['kept']>, published: NonNullable<KeptComparison['published']>) => string;
  /** Of a checkpoint that the log has signed. */
  readonly whenSigned?: string;
}

const told: Readonly<Record<KeptComparison['verdict'], Told>> = {
  PART: {
    code: 0,
    says: ({ size }, published) =>
      `proved: the entries of this ledger give the root of the checkpoint of ${size} entries, and the published one of ${published.size} continues it`,
  },
  NOT_PART: {
    code: 1,
    says: ({ size }) =>
      `WRONG: the checkpoint of ${size} entries is not a part of this ledger: its first ${size} entries give another root`,
    whenSigned: twoHistories,
  },
  LARGER: {
    code: 1,
    says: ({ size }, published) =>
      `WRONG: the checkpoint has ${size} entries, and this ledger has ${published.size}: entries are missing here`,
    whenSigned: isCut,
  },
  LOG_WRONG: {
    code: 1,
    says: (_, { size }) => `WRONG: the entries of this ledger do not give its own published root of ${size} entries: run pergamin audit`,
  },
  OTHER_KEY: {
    code: 2,
    says: () => 'not compared: the checkpoint is signed by another key than that of this ledger, or its signature was changed',
  },
  OTHER_LOG: { code: 2, says: ({ origin }, own) => `not compared: it is a checkpoint of ${origin}, and this ledger is ${own.origin}` },
  NO_LOG: { code: 2, says: () => 'not compared: nothing was published here yet, or the ledger is gone from the database' },
  SEVERAL: { code: 2, says: () => 'not compared: the text has several checkpoints; give one of them' },
  NONE: { code: 2, says: () => 'not compared: the text has no checkpoint' },
};

const none = { origin: '', size: 0, isSigned: false, at: new Date(0) };

const linesOf = ({ verdict, kept, published }: KeptComparison): readonly string[] => {
  const { code, says, whenSigned } = told[verdict];
  const aboutSignature = kept?.isSigned === true ? whenSigned : code === 2 ? undefined : unsigned;
  return [says(kept ?? none, published ?? none), ...(aboutSignature === undefined ? [] : [aboutSignature])];
};

const [, , text = '', ...options] = process.argv;

try {
  const comparison = await compareCheckpointHere(process.env, text);
  process.stdout.write(options.includes('--json') ? `${JSON.stringify(comparison)}\n` : `${linesOf(comparison).join('\n')}\n`);
  process.exitCode = told[comparison.verdict].code;
} catch (error) {
  if (!isForOperator(error)) throw error;
  process.stderr.write(`pergamin: ${error.message}\n`);
  process.exitCode = 2;
}
