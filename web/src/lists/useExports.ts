import { downloadDocumentsZip, type DocumentQuery, exportDocumentsCsv } from '@pergamin/contract';
import { useRef, useState } from 'react';
import { callForStream } from '#platform/api.ts';
import { alertError } from '#platform/errors.ts';
import { emit } from '#platform/events.ts';
import { currentLanguage, t } from '#platform/language.ts';
import { sizeText } from '#platform/numbers.ts';
import { chooseFile, saveStream } from '#platform/save-stream.ts';
import { announce } from '#kit/feedback/Announcer.tsx';
import { organisationToday } from './useDocuments.ts';

/** More documents than this are written to the disk as they come in, where the browser can. */
const heldAtMost = 25;

export type Exports = ReturnType<typeof useExports>;

interface Underway {
  readonly kind: 'ZIP' | 'CSV';
  readonly bytes: number;
  readonly total: number | undefined;
}

const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

/** Many documents at once: their files in an archive, or what the list says of them as a table (E6). One at a time. */
export function useExports() {
  const [underway, setUnderway] = useState<Underway>();
  const stop = useRef<AbortController>(undefined);

  const run = async (kind: Underway['kind'], { ask, toDisk }: { ask: (signal: AbortSignal) => Promise<Response>; toDisk: boolean }) => {
    if (stop.current !== undefined) return;
    const control = new AbortController();
    stop.current = control;
    const name = `${t('export.fileName')}-${organisationToday()}.${kind.toLowerCase()}`;
    try {
      const target = toDisk ? await chooseFile(name) : undefined;
      setUnderway({ kind, bytes: 0, total: undefined });
      announce(t('export.preparing', { kind }));
      const response = await ask(control.signal).catch(async (error: unknown) => {
        await target?.abort();
        throw error;
      });
      await saveStream(response, { name, target, onProgress: (progress) => setUnderway({ kind, ...progress }) });
      announce(t('export.saved', { kind }));
    } catch (error) {
      if (isAbort(error)) announce(t('export.cancelled', { kind }));
      else alertError(error);
    } finally {
      stop.current = undefined;
      setUnderway(undefined);
    }
  };

  const zip = async (ids: readonly string[]): Promise<void> => {
    const body = { ids: [...ids], language: currentLanguage() };
    await run('ZIP', { ask: (signal) => callForStream(downloadDocumentsZip, { body, signal }), toDisk: ids.length > heldAtMost });
    // Also the files of an archive that broke off count as downloaded: the lists ask again, once for all.
    const [first] = ids;
    if (first !== undefined) emit('documentUpdated', { documentId: first });
  };

  const csv = (what: { readonly ids: readonly string[] } | { readonly query: DocumentQuery }, columns: readonly string[]): void => {
    const chosen = 'ids' in what ? { ids: [...what.ids] } : { query: { ...what.query, page: 0 } };
    const body = { language: currentLanguage(), columns: [...columns], ...chosen };
    void run('CSV', { ask: (signal) => callForStream(exportDocumentsCsv, { body, signal }), toDisk: false });
  };

  return {
    kind: underway?.kind,
    /** What is under way, in words; undefined when nothing is. */
    progress: underway && progressText(underway),
    /** From 0 to 1; undefined while it is not known. */
    part: underway?.total === undefined || underway.total === 0 ? undefined : underway.bytes / underway.total,
    cancel: () => stop.current?.abort(),
    zip: (ids: readonly string[]) => void zip(ids),
    csv,
  };
}

const progressText = ({ kind, bytes, total }: Underway): string => {
  if (bytes === 0 && total === undefined) return t('export.preparing', { kind });
  return total === undefined
    ? t('export.received', { kind, size: sizeText(bytes) })
    : t('export.receivedOf', { kind, size: sizeText(bytes), total: sizeText(total) });
};
