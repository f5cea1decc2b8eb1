import { readFile } from 'node:fs/promises';
import { MalformedError, parsePolicy, type Policy } from '@pergamin/ledger';
import { SettingsError } from '#platform/settings/settings.ts';

const withoutWitnesses = 'quorum none\n';

/** Whom the ledger asks for cosignatures, and what verifiers are told. Throws SettingsError, which names the line. */
export const openPolicy = async (path: string | undefined): Promise<Policy & { readonly text: string }> => {
  try {
    const text = path === undefined ? withoutWitnesses : await readFile(path, 'utf8');
    return { ...parsePolicy(text), text };
  } catch (error) {
    if (error instanceof MalformedError) throw new SettingsError(`LEDGER_POLICY_FILE: ${error.message}`, { cause: error });
    throw new SettingsError(`LEDGER_POLICY_FILE: ${path ?? ''} cannot be read`, { cause: error });
  }
};
