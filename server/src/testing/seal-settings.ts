import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anAuthority, issue, type Issued } from './certificates.ts';

interface SealingBank extends AsyncDisposable {
  /** Its certificate leads to the anchors. */
  readonly seal: Issued;
  /** Its certificate does not. */
  readonly strangersSeal: Issued;
  readonly environment: Readonly<Record<'SEAL_POLICY' | 'SEAL_ANCHORS', string>>;
}

/** An organisation that seals its documents, and the settings of a portal that verifies that. */
export const aSealingBank = async (policy: string): Promise<SealingBank> => {
  const [bank, stranger] = await Promise.all([anAuthority('Bank Root'), anAuthority('Stranger Root')]);
  const [seal, strangersSeal] = await Promise.all([
    issue({ name: 'Bank Seal', issuer: bank }),
    issue({ name: 'Stranger Seal', issuer: stranger }),
  ]);
  const folder = await mkdtemp(join(tmpdir(), 'pergamin-anchors-'));
  const anchors = join(folder, 'anchors.pem');
  await writeFile(anchors, bank.pem);
  return {
    seal,
    strangersSeal,
    environment: { SEAL_POLICY: policy, SEAL_ANCHORS: anchors },
    [Symbol.asyncDispose]: async () => rm(folder, { recursive: true, force: true }),
  };
};
