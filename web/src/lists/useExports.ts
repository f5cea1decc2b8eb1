import { downloadDocumentsZip, type DocumentQuery, exportDocumentsCsv, exportLimits } from '@pergamin/contract';
import { useCallback, useMemo, useRef, useState } from 'react';
import { callForStream } from '#platform/api.ts';
import { alertError } from '#platform/errors.ts';
import { emit } from '#platform/events.ts';
import { currentLanguage, t } from '#platform/language.ts';
import { sizeText } from '#platform/numbers.ts';
import { chooseFile, type FileTarget, saveStream } from '#platform/save-stream.ts';
import { announce } from '#kit/feedback/Announcer.tsx';
import { useLatest } from '#kit/hooks/useLatest.ts';
import { organisationToday } from './useDocuments.ts';

/** More documents than this are written to the disk as they come in, where the browser can. */
const heldAtMost = 25;

export interface Exports {
  readonly kind: 'ZIP' | 'CSV' | undefined;
  /** What is under way, in words; undefined when nothing is. */
  readonly progress: string | undefined;
  /** From 0 to 1; undefined while it is not known. */
  readonly part: number | undefined;
  readonly cancel: () => void;
  readonly zip: (ids: readonly string[]) => void;
  readonly csv: (what: { readonly ids: readonly string[] } | { readonly query: DocumentQuery }, columns: readonly string[]) => void;
}

interface Underway {
  readonly kind: 'ZIP' | 'CSV';
  readonly bytes: number;
  readonly total: number | undefined;
}

const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

/** Many documents at once: their files in an archive, or what the list says of them as a table (E6). One at a time. */
export function useExports(): Exports {
  const [underway, setUnderway] = useState<Underway>();
  const stop = useRef<AbortController>(undefined);

  const run = async (
    kind: Underway['kind'],
    parts: { name: string; ask: (signal: AbortSignal) => Promise<Response>; target: () => Promise<FileTarget | undefined> },
  ): Promise<boolean> => {
    if (stop.current !== undefined) return false;
    const control = new AbortController();
    stop.current = control;
    try {
      const target = await parts.target();
      setUnderway({ kind, bytes: 0, total: undefined });
      announce(t('export.preparing', { kind }));
      const response = await parts.ask(control.signal).catch(async (error: unknown) => {
        await target?.abort();
        throw error;
      });
      await saveStream(response, { name: parts.name, target, onProgress: (progress) => setUnderway({ kind, ...progress }) });
      announce(t('export.saved', { kind }));
      return true;
    } catch (error) {
      if (isAbort(error)) announce(t('export.cancelled', { kind }));
      else alertError(error);
      return false;
    } finally {
      stop.current = undefined;
      setUnderway(undefined);
    }
  };

  const zip = async (ids: readonly string[]): Promise<void> => {
    const name = `${t('export.fileName')}-${organisationToday()}.zip`;
    await run('ZIP', {
      name,
      ask: (signal) => callForStream(downloadDocumentsZip, { body: { ids: [...ids], language: currentLanguage() }, signal }),
      target: () => (ids.length > heldAtMost ? chooseFile(name) : Promise.resolve(undefined)),
    });
    // Also the files of an archive that broke off count as downloaded: the lists ask again, once for all.
    const [first] = ids;
    if (first !== undefined) emit('documentUpdated', { documentId: first });
  };

  const csv: Exports['csv'] = (what, columns) => {
    const chosen = 'ids' in what ? { ids: [...what.ids] } : { query: { ...what.query, page: 0 } };
    void run('CSV', {
      name: `${t('export.fileName')}-${organisationToday()}.csv`,
      ask: (signal) =>
        callForStream(exportDocumentsCsv, { body: { language: currentLanguage(), columns: [...columns], ...chosen }, signal }),
      target: () => Promise.resolve(undefined),
    });
  };

  const handleZip = useLatest((ids: readonly string[]) => void zip(ids));
  const handleCsv = useLatest(csv);
  const cancel = useCallback(() => stop.current?.abort(), []);
  const progress = underway === undefined ? undefined : progressText(underway);
  const part = underway?.total === undefined || underway.total === 0 ? undefined : underway.bytes / underway.total;
  const kind = underway?.kind;
  return useMemo(
    () => ({ kind, progress, part, cancel, zip: handleZip, csv: handleCsv }),
    [kind, progress, part, cancel, handleZip, handleCsv],
  );
}

const progressText = ({ kind, bytes, total }: Underway): string => {
  if (bytes === 0 && total === undefined) return t('export.preparing', { kind });
  return total === undefined
    ? t('export.received', { kind, size: sizeText(bytes) })
    : t('export.receivedOf', { kind, size: sizeText(bytes), total: sizeText(total) });
};

export const mostInZip = exportLimits.maxZipDocuments;
export const mostInCsv = exportLimits.maxCsvRows;
