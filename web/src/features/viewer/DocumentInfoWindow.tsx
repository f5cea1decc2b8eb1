import type { DocumentDetails } from '@pergamin/contract';
import { useWindow, useWindowTitle } from '#desktop/desktop.context.ts';
import { useKeptFocus } from '#desktop/useKeptFocus.ts';
import { WindowFoot } from '#desktop/WindowFrame.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { MetadataList } from '#kit/text/MetadataList.tsx';
import { PdfSheets } from '#kit/pdf/PdfSheets.tsx';
import { usePdf } from '#kit/pdf/usePdf.ts';
import { Seal } from '#kit/seal/Seal.tsx';
import { partName } from '#kit/viewer/part-name.ts';
import { t } from '#platform/language.ts';
import { titleOf } from '#platform/metadata.ts';
import { useMetadata } from '#platform/metadata.queries.ts';
import { useDocumentFile } from './document-file.queries.ts';
import css from './DocumentInfoWindow.module.css';
import { RefusalState } from './RefusalState.tsx';
import { VersionLabel } from './VersionLabel.tsx';

const sealSizePx = 60;

/** The file itself, drawn here from its bytes, and its details (F6); nothing is marked as read. */
export function DocumentInfoWindow({ documentId }: { readonly documentId: string }) {
  const { file, refusal, retry } = useDocumentFile(documentId);
  const { pdf, error, retry: readAgain } = usePdf(file?.bytes);
  const { close } = useWindow();
  useWindowTitle(file && t('documentInfo.titleOf', { name: titleOf(file.details) }));
  useKeptFocus(pdf !== undefined);
  const unread = error === null ? undefined : ({ kind: 'failed', error } as const);
  const why = refusal ?? unread;
  return (
    <>
      {file?.bytes !== undefined && <About document={file.details} />}
      <PdfSheets
        pdf={pdf}
        label={partName(t('documentInfo.pages'), file && titleOf(file.details))}
        instead={why && <RefusalState refusal={why} onRetry={refusal === undefined ? readAgain : retry} />}
      />
      <WindowFoot>
        <Button kind="primary" onClick={() => void close()}>
          {t('documentInfo.ok')}
        </Button>
      </WindowFoot>
    </>
  );
}

function About({ document }: { readonly document: DocumentDetails }) {
  const { texts, statementMarker } = useMetadata();
  return (
    <section className={css['about']}>
      <Seal sha256={String(document.metadata['CHECKSUM_SHA256'] ?? '')} size={sealSizePx} />
      <div className={css['same']}>
        <strong>
          <Icon name="seal-check-fill" />
          {t('documentInfo.same')}
        </strong>
        <p>{t('documentInfo.sameLead')}</p>
        <VersionLabel metadata={document.metadata} />
      </div>
      {statementMarker !== undefined && (
        <div className={css['rows']}>
          <MetadataList lines={texts.linesOf(document.metadata, 'I')} />
        </div>
      )}
    </section>
  );
}
