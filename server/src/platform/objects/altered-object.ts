import { PortalError } from '#platform/http/errors.ts';
import type { Expected } from './verified-bytes.ts';

/** An encrypted object that is not what was stored: nothing of what was altered can be decrypted. STORAGE_ERROR. */
export class AlteredObject extends PortalError {
  /** The bytes as they are stored, encrypted. */
  readonly found: Expected;

  constructor(found: Expected, cause: unknown) {
    super('STORAGE_ERROR', { cause });
    this.found = found;
  }
}
