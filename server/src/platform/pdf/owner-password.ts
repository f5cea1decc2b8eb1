import { PDF } from '@libpdf/core';

/**
 * A copy without encryption of a file whose owner's password is empty: it opens without one, but the engine tries the empty password as the user's
 * only. Undefined: a password is needed.
 */
export const withoutOwnerPassword = async (file: Uint8Array): Promise<Uint8Array | undefined> => {
  try {
    const pdf = await PDF.load(file);
    if (!pdf.isEncrypted || !pdf.hasOwnerAccess()) return undefined;
    pdf.removeProtection();
    return await pdf.save();
  } catch {
    // A file that this reader cannot read either is refused as the engine refused it.
    return undefined;
  }
};
