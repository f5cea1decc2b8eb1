import { compareCheckpointHere, type KeptComparison } from '#app/start.ts';
import { isForOperator } from './for-operator.ts';

/* What `pergamin audit --checkpoint` runs. Standard output has the verdict alone. Exit code 0: a part of this log, 1: not so, 2: not compared. */

const codes = {
  PART: 0,
  NOT_PART: 1,
  LARGER: 1,
  LOG_WRONG: 1,
  OTHER_KEY: 2,
  OTHER_LOG: 2,
  NONE: 2,
  SEVERAL: 2,
  NO_LOG: 2,
} as const;

const unsigned = 'it bears no signature of the ledger, so that it proves nothing by itself: anybody could have written these figures';
const twoHistories = 'both are signed by the key of this ledger: it had two histories. Keep this checkpoint, it proves that';

const linesOf = ({ verdict, kept, published }: KeptComparison): readonly string[] => {
  const size = kept?.size ?? 0;
  const now = published?.size ?? 0;
  const aboutSignature = kept?.isSigned === true ? [] : [unsigned];
  switch (verdict) {
    case 'PART':
      return [
        `proved: the entries of this ledger give the root of the checkpoint of ${size} entries, and the published one of ${now} continues it`,
        ...aboutSignature,
      ];
    case 'NOT_PART':
      return [
        `WRONG: the checkpoint of ${size} entries is not a part of this ledger: its first ${size} entries give another root`,
        kept?.isSigned === true ? twoHistories : unsigned,
      ];
    case 'LARGER':
      return [
        `WRONG: the checkpoint has ${size} entries, and this ledger has ${now}: entries are missing here`,
        kept?.isSigned === true
          ? 'it is signed by the key of this ledger: the ledger was cut, or its database is that of an older backup'
          : unsigned,
      ];
    case 'LOG_WRONG':
      return [`WRONG: the entries of this ledger do not give its own published root of ${now} entries: run pergamin audit`];
    case 'OTHER_KEY':
      return ['not compared: the checkpoint is signed by another key than that of this ledger, or its signature was changed'];
    case 'OTHER_LOG':
      return [`not compared: it is a checkpoint of ${kept?.origin ?? ''}, and this ledger is ${published?.origin ?? ''}`];
    case 'NO_LOG':
      return ['not compared: nothing was published here yet, or the ledger is gone from the database'];
    case 'SEVERAL':
      return ['not compared: the text has several checkpoints; give one of them'];
    case 'NONE':
      return ['not compared: the text has no checkpoint'];
  }
};

const [, , text = '', ...options] = process.argv;

try {
  const comparison = await compareCheckpointHere(process.env, text);
  process.stdout.write(options.includes('--json') ? `${JSON.stringify(comparison)}\n` : `${linesOf(comparison).join('\n')}\n`);
  process.exitCode = codes[comparison.verdict];
} catch (error) {
  if (!isForOperator(error)) throw error;
  process.stderr.write(`pergamin: ${error.message}\n`);
  process.exitCode = 2;
}
