import { markPage, type DocumentDetails } from '@pergamin/contract';
import { useState } from 'react';
import { CloseButton } from '#desktop/CloseButton.tsx';
import { useWindowTitle } from '#desktop/desktop.context.ts';
import { useKeptFocus } from '#desktop/useKeptFocus.ts';
import { WindowFoot } from '#desktop/WindowFrame.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import { MetadataList } from '#kit/text/MetadataList.tsx';
import { PdfSheets } from '#kit/pdf/PdfSheets.tsx';
import { usePdf } from '#kit/pdf/usePdf.ts';
import { Seal } from '#kit/seal/Seal.tsx';
import { createPageMarks } from '#kit/viewer/page-marks.ts';
import { partName } from '#kit/viewer/part-name.ts';
import { ReadingTicks } from '#kit/viewer/ReadingTicks.tsx';
import { call } from '#platform/api.ts';
import { t } from '#platform/language.ts';
import { checksumOf, titleOf } from '#platform/metadata.ts';
import { useMetadata } from '#platform/metadata.queries.ts';
import { useDocumentFile } from './document-file.queries.ts';
import css from './DocumentInfoWindow.module.css';
import { RefusalState } from './RefusalState.tsx';
import { useReadMark } from './useReadMark.ts';
import { VersionLabel } from './VersionLabel.tsx';

const sealSizePx = 60;

/** The file itself, drawn here from its bytes, and its details (F6). Read to its end, it is marked as read as in the viewer. */
export function DocumentInfoWindow({ documentId }: { readonly documentId: string }) {
  const { file, refusal, retry } = useDocumentFile(documentId);
  const name = file && titleOf(file.details);
  useWindowTitle(name === undefined ? undefined : t('documentInfo.titleOf', { name }));
  useKeptFocus(refusal === undefined);
  if (file?.bytes !== undefined) return <ShownFile document={file.details} bytes={file.bytes} />;
  return (
    <>
      <PdfSheets
        pdf={undefined}
        label={partName(t('documentInfo.pages'), name)}
        instead={refusal && <RefusalState documentId={documentId} refusal={refusal} onRetry={retry} />}
      />
      <WindowFoot>
        <CloseButton kind="primary">{t('documentInfo.ok')}</CloseButton>
      </WindowFoot>
    </>
  );
}

function ShownFile({ document, bytes }: { readonly document: DocumentDetails; readonly bytes: Blob }) {
  const { pdf, error, retry } = usePdf(bytes);
  const { reached, reach, busy, finish } = useReading(document);
  useKeptFocus(pdf !== undefined);
  const { pageCount, read } = document;
  return (
    <>
      <About document={document} />
      <PdfSheets
        pdf={pdf}
        label={partName(t('documentInfo.pages'), titleOf(document))}
        onReach={reach}
        instead={error === null ? undefined : <RefusalState documentId={document.id} refusal={{ kind: 'failed', error }} onRetry={retry} />}
      />
      <WindowFoot
        status={
          error === null &&
          (read === null ? <ReadingTicks count={pageCount} reached={reached} sha256={checksumOf(document)} /> : t('viewer.alreadyRead'))
        }
      >
        <Button kind="primary" busy={busy} onClick={finish}>
          {t('documentInfo.ok')}
        </Button>
      </WindowFoot>
    </>
  );
}

/** The pages of a file that were reached, beginning with those that were reached before in the viewer. */
function useReading(document: DocumentDetails) {
  const { id, pageCount, pagesReached, read } = document;
  const [marks] = useState(() => createPageMarks((page) => call(markPage, { params: { id, page: String(page) } })));
  const [reached, setReached] = useState<ReadonlySet<number>>(() => new Set(pagesReached));
  const reach = (page: number): void => {
    if (read !== null || reached.has(page)) return;
    setReached((before) => new Set([...before, page]));
    marks.reach(page);
  };
  return { reached, reach, ...useReadMark({ id, isDue: read === null && reached.size >= pageCount, settle: marks.settle }) };
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
