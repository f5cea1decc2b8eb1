import type { UploadDescription } from '@pergamin/contract';
import { PortalError } from '#platform/http/errors.ts';
import type { Upload } from '#platform/http/upload.ts';
import { outagesOf } from '#platform/log/outages.ts';
import type { Scanner } from '#platform/malware/scanner.ts';
import type { SentDocumentsParts } from './parts.ts';
import type { NewSent } from './sent-documents.store.ts';

interface Parts extends Pick<SentDocumentsParts, 'settings' | 'clock' | 'log'> {
  readonly scanner: Scanner | undefined;
}

/** The scanner's verdict. Throws DOCUMENT_UPLOAD_ERROR for an infected file, and STORAGE_ERROR where one that cannot be scanned is refused. */
export type Scan = (upload: Upload<UploadDescription>) => Promise<Pick<NewSent, 'scanResult' | 'scanEngine' | 'scannedAt'>>;

export const createScan = ({ scanner, settings, clock, log }: Parts): Scan => {
  const outage = outagesOf(log).of('scanner', { alarm: 'scanner' });
  return async ({ path, sha256 }) => {
    if (scanner === undefined) return { scanResult: 'NONE', scanEngine: null, scannedAt: null };
    const { engine } = scanner;
    try {
      const verdict = await scanner.scan(path);
      outage.worked();
      if (verdict.result === 'clean') return { scanResult: 'CLEAN', scanEngine: engine, scannedAt: clock.now() };
      log.warn({ alarm: 'malware', signature: verdict.signature, sha256 }, 'a client sent an infected file; it was refused');
      throw new PortalError('DOCUMENT_UPLOAD_ERROR', { message: 'The file is infected' });
    } catch (error) {
      if (error instanceof PortalError) throw error;
      outage.failed(error);
      if (settings.malwareScanFailure === 'refuse') throw new PortalError('STORAGE_ERROR', { cause: error });
      log.info({ sha256 }, 'a sent file could not be scanned and was accepted, as MALWARE_SCAN_FAILURE says');
      return { scanResult: 'UNAVAILABLE', scanEngine: engine, scannedAt: null };
    }
  };
};
