export { MalformedError } from './malformed.ts';
export { emptyRoot, type Hash, leafHash, nodeHash, type Sha256, verifyConsistency, verifyInclusion } from './merkle.ts';
export {
  type Edge,
  emptyEdge,
  growTree,
  joinEntries,
  parseTilePath,
  proveConsistency,
  proveInclusion,
  readEdge,
  type ReadTile,
  rootOfEdge,
  splitEntries,
  splitTile,
  type TileName,
  tilePath,
  tileWidth,
  widthOf,
  type WrittenTile,
} from './tiles.ts';
export {
  formatNote,
  formatSignature,
  formatVerifierKey,
  type Note,
  type NoteSignature,
  parseNote,
  parseSignatures,
  parseVerifierKey,
  signaturesBy,
  signatureTypes,
  verifierKey,
  type VerifierKey,
} from './note.ts';
export { type Sign, verifyEd25519 } from './signing.ts';
export { type Checkpoint, checkpointText, isSignedBy, parseCheckpoint, signCheckpoint, type TreeHead } from './checkpoint.ts';
export { cosign, cosignedAt } from './cosignature.ts';
export {
  formatSubmission,
  judgeSubmission,
  maxSubmissionLength,
  parseSubmission,
  type Submission,
  type SubmissionVerdict,
} from './submission.ts';
export { judge, parsePolicy, type Policy, type PolicyVerdict, type Witness } from './policy.ts';
export { formatReceipt, parseReceipt, type Receipt } from './receipt.ts';
export {
  commitmentOf,
  entryOf,
  formatStatement,
  noHash,
  parseStatement,
  type Statement,
  type StatementEvent,
  statementEvents,
  type StatementState,
  statementStates,
  type StatementType,
  statementTypes,
} from './statement.ts';
export { isProved, outcomeOf, type ReceiptOutcome, receiptOutcomes, type ReceiptVerdict, verifyReceipt } from './verify-receipt.ts';
