import type { DocumentDetails } from '@pergamin/contract';
import { CloseButton } from '#desktop/CloseButton.tsx';
import { useWindowTitle } from '#desktop/desktop.context.ts';
import { useKeptFocus } from '#desktop/useKeptFocus.ts';
import { WindowFoot } from '#desktop/WindowFrame.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { MetadataList } from '#kit/text/MetadataList.tsx';
import { type PdfPages, usePdf } from '#kit/pdf/usePdf.ts';
import { Seal } from '#kit/seal/Seal.tsx';
import { BeforePages } from '#kit/viewer/BeforePages.tsx';
import { PageSurface } from '#kit/viewer/PageSurface.tsx';
import { partName } from '#kit/viewer/part-name.ts';
import { ReadingTicks } from '#kit/viewer/ReadingTicks.tsx';
import { t } from '#platform/language.ts';
import { checksumOf, titleOf } from '#platform/metadata.ts';
import { useMetadata } from '#platform/metadata.queries.ts';
import css from './DocumentInfoWindow.module.css';
import type { Refusal } from './opening.ts';
import { VersionLabel } from './OtherVersions.tsx';
import { RefusalState } from './RefusalState.tsx';
import { useReading } from './useReading.ts';
import { useDocumentFile } from './viewer.queries.ts';

const sealSizePx = 60;

/** The file itself, drawn here from its bytes, and its details (F6). Read to its end, it is marked as read as in the viewer. */
export function DocumentInfoWindow({ documentId }: { readonly documentId: string }) {
  const { file, refusal: notFetched, retry } = useDocumentFile(documentId);
  const { pdf, error, retry: openAgain } = usePdf(documentId, file?.bytes);
  const refusal: Refusal | undefined = notFetched ?? (error === null ? undefined : { kind: 'failed', error });
  const name = file && titleOf(file.details);
  useWindowTitle(name === undefined ? undefined : t('documentInfo.titleOf', { name }));
  useKeptFocus(refusal === undefined);
  useKeptFocus(pdf !== undefined);
  return (
    <>
      {file?.bytes !== undefined && <About document={file.details} />}
      {file !== undefined && pdf !== undefined ? (
        <FilePages document={file.details} pdf={pdf} />
      ) : (
        <>
          <BeforePages isOpening={refusal === undefined}>
            {refusal && <RefusalState documentId={documentId} refusal={refusal} onRetry={error === null ? retry : openAgain} />}
          </BeforePages>
          <WindowFoot>
            <CloseButton kind="primary">{t('documentInfo.ok')}</CloseButton>
          </WindowFoot>
        </>
      )}
    </>
  );
}

function FilePages({ document, pdf }: { readonly document: DocumentDetails; readonly pdf: PdfPages }) {
  const { viewer, busy, finish } = useReading(document, { source: pdf.source, startPage: 1 });
  return (
    <>
      <div className={css['pages']}>
        <PageSurface viewer={viewer} label={partName(t('documentInfo.pages'), titleOf(document))} isSized />
      </div>
      <WindowFoot
        status={document.read === null ? <ReadingTicks viewer={viewer} sha256={checksumOf(document)} /> : t('viewer.alreadyRead')}
      >
        <Button kind="primary" busy={busy} onClick={finish}>
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
      <Seal sha256={checksumOf(document) ?? ''} size={sealSizePx} />
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
