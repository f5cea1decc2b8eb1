import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CloseButton } from '#desktop/CloseButton.tsx';
import { useWindowTitle } from '#desktop/desktop.context.ts';
import { useKeptFocus } from '#desktop/useKeptFocus.ts';
import { WindowFoot } from '#desktop/WindowFrame.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { useBusy } from '#kit/hooks/useBusy.ts';
import { BeforePages } from '#kit/viewer/BeforePages.tsx';
import { findDocumentRow } from '#platform/document-rows.ts';
import { downloadOwnDocument } from '#platform/download.ts';
import { t } from '#platform/language.ts';
import { fileNameOf, titleOf } from '#platform/metadata.ts';
import { DocumentReader } from './DocumentReader.tsx';
import css from './DocumentReader.module.css';
import { OpeningDocument } from './OpeningDocument.tsx';
import { DownloadOnly, RefusalState } from './RefusalState.tsx';
import { useOpening } from './viewer.queries.ts';

interface DocumentWindowProps {
  readonly documentId: string;
  /** Where it is opened, when something was found there. */
  readonly startPage?: number | undefined;
  /** The words that were searched for: marked on the pages, and in the find bar. */
  readonly wordsSearched?: string | undefined;
  /** Told of the page that is read, so that a reload goes on there. */
  readonly onPage?: ((page: number) => void) | undefined;
}

/** A document of the caller: verified, then shown page by page (F1-F5). */
export function DocumentWindow({ documentId, startPage, wordsSearched, onPage }: DocumentWindowProps) {
  const opening = useOpening(documentId, startPage);
  const document = 'document' in opening ? opening.document : undefined;
  useWindowTitle(document === undefined ? undefined : titleOf(document));
  useKeptFocus(opening.state !== 'opening');
  const download = useBusy(async () => document && downloadOwnDocument({ id: documentId, fileName: fileNameOf(document) }));
  const queries = useQueryClient();
  // What a list told of the document when its window was opened.
  const [row] = useState(() => findDocumentRow(queries, documentId));

  if (opening.state === 'ready')
    return (
      <DocumentReader
        key={documentId}
        document={opening.document}
        checkedAt={opening.checkedAt}
        firstPage={opening.firstPage}
        startPage={startPage}
        wordsSearched={wordsSearched}
        onPage={onPage}
        download={download}
      />
    );
  return (
    <>
      {opening.state === 'opening' && row !== undefined ? (
        <OpeningDocument row={row} />
      ) : (
        <BeforePages isOpening={opening.state === 'opening'}>
          {opening.state === 'refused' && <RefusalState documentId={documentId} refusal={opening.refusal} onRetry={opening.retry} />}
          {opening.state === 'downloadOnly' && <DownloadOnly download={download} />}
        </BeforePages>
      )}
      <WindowFoot
        status={
          row !== undefined &&
          opening.state === 'opening' && <span className={css['read']}>{row.read !== null && t('viewer.alreadyRead')}</span>
        }
      >
        {opening.state === 'opening' ? (
          <Button kind="primary" disabledReason={t('viewer.opening')}>
            {t('viewer.done')}
          </Button>
        ) : (
          <CloseButton>{t('viewer.close')}</CloseButton>
        )}
      </WindowFoot>
    </>
  );
}
