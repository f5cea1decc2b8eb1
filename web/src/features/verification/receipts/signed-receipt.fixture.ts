import {
  checkpointText,
  emptyEdge,
  entryOf,
  formatNote,
  formatReceipt,
  formatStatement,
  formatVerifierKey,
  growTree,
  leafHash,
  noHash,
  parseCheckpoint,
  rootOfEdge,
  signatureTypes,
  type Statement,
  verifierKey,
} from '@pergamin/ledger';
import { fileContent, fileSum } from './receipt.fixture.ts';

export const documentId = '0b1f3e2a-6a0a-4c55-9d6e-3f1b6f6a7c11';

/** A register of one entry, signed with a new key, and the policy that trusts it. */
export const signedReceipt = async (
  part: Partial<Statement> = {},
  origin = 'portal.example/log',
): Promise<{ readonly receipt: string; readonly keys: string; readonly verifierKey: string }> => {
  const { privateKey, publicKey } = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
  const key = verifierKey(origin, signatureTypes.ed25519, new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)));
  const statement = formatStatement({
    event: 'PUBLISHED',
    time: Date.UTC(2026, 10, 23, 8),
    documentId,
    sha256: fileSum,
    size: fileContent.length,
    owner: 'cif:7001',
    type: 'PRIVATE',
    state: 'ACTIVE',
    previous: noHash,
    metadata: noHash,
    salt: 'ab'.repeat(32),
    ...part,
  });
  const { edge } = growTree(emptyEdge, [leafHash(entryOf(statement, { isPublic: part.type === 'PUBLIC' }))]);
  const text = checkpointText({ origin, size: 1, root: rootOfEdge(edge) });
  const signature = new Uint8Array(await crypto.subtle.sign('Ed25519', privateKey, new TextEncoder().encode(text)));
  const checkpoint = parseCheckpoint(formatNote({ text, signatures: [{ name: key.name, id: key.id, signature }] }));
  return {
    receipt: formatReceipt({ extra: statement, index: 0, proof: [], checkpoint }),
    keys: `log ${formatVerifierKey(key)}\nquorum none\n`,
    verifierKey: formatVerifierKey(key),
  };
};
