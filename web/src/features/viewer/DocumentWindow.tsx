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
import { DocumentReader, type DocumentReaderProps } from './DocumentReader.tsx';
import css from './DocumentReader.module.css';
import { OpeningDocument } from './OpeningDocument.tsx';
import { DownloadOnly, RefusalState } from './RefusalState.tsx';
import { useOpening } from './viewer.queries.ts';

interface DocumentWindowProps extends Pick<DocumentReaderProps, 'startPage' | 'wordsSearched' | 'onPage'> {
  readonly documentId: string;
}

/** A document of the caller: verified, then shown page by page (F1-F5). */
export function DocumentWindow({ documentId, ...reading }: DocumentWindowProps) {
  const opening = useOpening(documentId, reading.startPage);
  const isOpening = opening.state === 'opening';
  const document = 'opened' in opening ? opening.opened.document : undefined;
  useWindowTitle(document === undefined ? undefined : titleOf(document));
  useKeptFocus(!isOpening);
  const download = useBusy(async () => document && downloadOwnDocument({ id: documentId, fileName: fileNameOf(document) }));
  const queries = useQueryClient();
  // What a list told of the document when its window was opened.
  const [row] = useState(() => findDocumentRow(queries, documentId));
  if (opening.state === 'ready') return <DocumentReader key={documentId} {...opening.opened} {...reading} download={download} />;
  return (
    <>
      {isOpening && row !== undefined ? (
        <OpeningDocument row={row} />
      ) : (
        <BeforePages isOpening={isOpening}>
          {opening.state === 'refused' && <RefusalState documentId={documentId} refusal={opening.refusal} onRetry={opening.retry} />}
          {opening.state === 'downloadOnly' && <DownloadOnly download={download} />}
        </BeforePages>
      )}
      <WindowFoot status={isOpening && row && <span className={css['read']}>{row.read !== null && t('viewer.alreadyRead')}</span>}>
        {isOpening ? (
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
